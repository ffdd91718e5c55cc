// The three tools of the playground, each used as a first-time visitor would.
import { expect } from 'bun:test';
import { browserTest as test, phone } from './visit.ts';
import type { Fixture } from './fixture.ts';

export function searchTest({ gateway, operator }: Fixture): void {
  test('engines answer side by side, and a fusion shows why each page has its rank', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/playground`);
    await page.getByLabel('query').fill('solar energy storage');
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.locator('form button[type=submit]').click();
    // Two engines to begin with; pages that both found are marked.
    await page.locator('.beside .results').nth(1).waitFor();
    await page
      .locator('.beside')
      .getByText(/^Also found by /)
      .first()
      .waitFor();
    await page.reload();
    await page.locator('.beside .results').nth(1).waitFor();
    expect(await ada.inspect()).toEqual([]);
    await page.getByRole('button', { name: 'Fusion' }).click();
    await page.locator('form button[type=submit]').click();
    await page.locator('table.fusion').waitFor();
    const decided = await page.locator('table.fusion').textContent();
    expect(decided).toContain('4 engines agree');
    // On a phone the answer is below the form: it is scrolled into sight, and has the focus.
    await page.setViewportSize(phone);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.locator('form button[type=submit]').click();
    const response = page.getByRole('region', { name: 'Response' });
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Response',
    );
    await page.waitForFunction(() => {
      const top = document.activeElement?.getBoundingClientRect().top ?? innerHeight;
      const bar = document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0;
      return top >= bar && top < innerHeight / 2;
    });
    await response.locator('table.fusion').waitFor();
    expect(decided).toMatch(/Evidence [\d.]+ from 4 engines; the next page has [\d.]+ from \d/);
    expect(await ada.inspect()).toEqual([]);
    expect(ada.complaints).toEqual([]);
  });
}

export function extractTest({ gateway, operator }: Fixture): void {
  test('an extracted page is rendered without its scripts, and a failed page is named', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/playground?tool=extract`);
    const urls = 'https://www.sunstore.example/support/islanding\nhttps://nowhere.example/';
    await page.getByLabel('urls').fill(urls);
    await page.locator('form button[type=submit]').click();
    await page.locator('.rendered h3').first().waitFor();
    const lost = page.getByLabel('Failed pages');
    expect(await lost.textContent()).toContain('https://nowhere.example/');
    expect(await ada.inspect()).toEqual([]);
    expect(ada.complaints).toEqual([]);
  });
}

export function transcriptTest({ gateway, operator }: Fixture): void {
  test('a recording becomes a transcript with speakers, and its job shows every step', async () => {
    await using ada = await operator();
    const { page } = ada;
    await page.goto(`${gateway().url}/playground?tool=transcription`);
    await page.getByLabel('audio_url').fill('https://recordings.example/interview.wav');
    await page.getByLabel('diarize').selectOption('true');
    await page.locator('form button[type=submit]').click();
    await page.locator('.words').waitFor();
    expect(await page.locator('.words').textContent()).toContain('Speaker 2');
    expect(ada.complaints).toEqual([]);
    await page.locator('.word').nth(3).click();
    expect(await page.locator('.word[aria-current]').getAttribute('data-at')).toBe('3');
    // There is no such host.
    await page.getByText('The recording cannot be played from its address').waitFor();
    await page.getByRole('button', { name: 'Play a file' }).waitFor();
    expect(ada.complaints.splice(0)).toEqual([
      expect.stringContaining('Failed to load resource') as string,
    ]);
    expect(await ada.inspect()).toEqual([]);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'SRT', exact: true }).click();
    expect((await saving).suggestedFilename()).toBe('transcript.srt');
    await page.goto(`${gateway().url}/jobs`);
    await page.getByRole('button', { name: /^Open job_/ }).click();
    await page.locator('.words').waitFor();
    const story = await page.getByLabel('Timeline').locator('li').allTextContents();
    const states = story.map((step) => /attempt \d+, ([a-z]+)/.exec(step)?.[1]);
    // A submission that takes long is looked up, and is unknown until then.
    const usual = states.filter((state) => state !== 'unknown');
    expect(usual).toEqual(['queued', 'submitting', 'waiting', 'completed']);
    expect(await ada.inspect()).toEqual([]);
    expect(ada.complaints).toEqual([]);
  });
}
