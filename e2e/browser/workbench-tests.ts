// The playground as a place to work: the cost before, history, addresses to share, files.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { toSrt, toVtt } from '@trivium/sdk';
import type { Word } from '@trivium/sdk';
import { limitMs } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test, phone } from './visit.ts';

const submit = 'form button[type=submit]';

export function workbenchTests(fixture: Fixture): void {
  costTest(fixture);
  fusionTest(fixture);
  transcriptFilesTest(fixture);
}

function costTest({ gateway, operator, newBrowser }: Fixture): void {
  test(
    'the cost is known before, the history brings a request back, and an address shares it',
    async () => {
      await using ada = await operator();
      const { page } = ada;
      await page.goto(`${gateway().url}/playground`);
      expect(await page.locator('.field .tag').count()).toBe(0);
      await page.getByLabel('query').fill('tidal power & "storage"');
      await page.getByLabel('provider', { exact: true }).selectOption('engine_a');
      await page.getByText(/^Costs at most \$0\.\d+/).waitFor();
      await page.getByText('More options').click();
      await page.getByLabel('max_results').fill('3');
      await page.getByLabel('safe_search').selectOption('strict');
      // Only what is set has a badge.
      await page.waitForFunction(() => document.querySelectorAll('.field .tag').length === 3);
      await page.locator(submit).click();
      await page.locator('.result').first().waitFor();
      await page.getByText(/On average \$0\.\d+, by the last (\d+ )?requests?/).waitFor();
      await page.getByText('The same request as code').click();
      await page.getByRole('button', { name: 'Python' }).click();
      const code = await page.getByLabel('The request as python').textContent();
      expect(code).toContain('trivium.search(');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy a link' }).click();
      const address = await page.evaluate(() => navigator.clipboard.readText());
      expect(address).toContain('safe_search=strict');

      await page.getByLabel('query').fill('something else');
      await page.getByText('History (1)').click();
      expect(await ada.inspect()).toEqual([]);
      await page.getByRole('button', { name: /^tidal power/ }).click();
      expect(await page.getByLabel('query').inputValue()).toBe('tidal power & "storage"');
      expect(ada.complaints).toEqual([]);

      // A tab that has kept nothing.
      const other = await page.context().newPage();
      await other.goto(address);
      await other.getByLabel('query').waitFor();
      await other.waitForFunction(() => !location.search.includes('query='));
      expect(await other.getByLabel('query').inputValue()).toBe('tidal power & "storage"');
      expect(await other.getByLabel('provider', { exact: true }).inputValue()).toBe('engine_a');
      await other.getByText('More options (1 set)').waitFor();
      await other.close();

      // Another person in the same browser sees no history of hers.
      const context = await newBrowser();
      const blank = await context.newPage();
      await blank.goto(address);
      await blank.getByRole('heading', { name: 'Sign in' }).waitFor();
      await context.close();
    },
    limitMs,
  );

  test(
    'an address that may contain a secret stays out of the link',
    async () => {
      await using ada = await operator();
      const { page } = ada;
      await page.goto(`${gateway().url}/playground?tool=transcription`);
      const signed = 'https://recordings.example/interview.wav?X-Amz-Signature=abc';
      await page.getByLabel('audio_url').fill(signed);
      await page.getByText('Not in the link, because it may contain a secret: audio_url').waitFor();
      await page.getByText(/^Costs \$0\.\d+ for an hour of audio/).waitFor();
      await page.setViewportSize(phone);
      expect(await ada.overflow()).toBe(0);
      expect(ada.complaints).toEqual([]);
    },
    limitMs,
  );
}

function fusionTest({ gateway, operator }: Fixture): void {
  test(
    'a fusion says what every mark means, and its ranks add up to the evidence',
    async () => {
      await using ada = await operator();
      const { page } = ada;
      await page.goto(`${gateway().url}/playground?way=fusion&query=solar+energy+storage`);
      await page.getByText(/^Costs at most \$0\.\d+/).waitFor();
      await page.locator(submit).click();
      await page.locator('table.fusion').waitFor();
      expect(await page.getByLabel('Legend').textContent()).toContain('0.75 for rank 2');
      const rows = await page.locator('table.fusion tbody tr').evaluateAll((lines) =>
        lines.map((line) => ({
          parts: [...line.querySelectorAll('.rank-evidence')].map((one) => Number(one.textContent)),
          whole: Number(line.querySelector('td:last-child')?.textContent),
        })),
      );
      expect(rows.length).toBeGreaterThan(3);
      for (const { parts, whole } of rows) {
        const sum = parts.reduce((total, part) => total + part, 0);
        expect(Math.abs(sum - whole)).toBeLessThan(0.03);
      }
      expect(ada.complaints).toEqual([]);
    },
    limitMs,
  );
}

function transcriptFilesTest({ gateway, operator }: Fixture): void {
  test(
    'a transcript tells the time of each turn, and is saved as text, SRT and VTT',
    async () => {
      await using ada = await operator();
      const { page } = ada;
      const audio = 'https://recordings.example/interview.wav';
      await page.goto(
        `${gateway().url}/playground?tool=transcription&diarize=true&audio_url=${audio}`,
      );
      await page.getByLabel('audio_url').waitFor();
      await page.locator(submit).click();
      await page.locator('.words').waitFor();
      const heads = await page.locator('.turn-head').allTextContents();
      expect(heads.length).toBeGreaterThan(1);
      for (const head of heads) expect(head).toMatch(/^Speaker \d\d?:\d\d – \d+:\d\d$/);
      expect(await page.locator('.word[class*=voice]').count()).toBe(0);
      await page.getByText('Raw response').click();
      const raw = (await page.getByLabel('Raw response').textContent()) ?? '';
      const { words } = (JSON.parse(raw) as { result: { words: Word[] } }).result;
      const save = async (name: string) => {
        const saving = page.waitForEvent('download');
        await page.getByRole('button', { name, exact: true }).click();
        const download = await saving;
        return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
      };
      expect(await save('SRT')).toEqual(['transcript.srt', toSrt(words)]);
      expect(await save('VTT')).toEqual(['transcript.vtt', toVtt(words)]);
      const [name, text] = await save('Text');
      expect([name, text?.startsWith('Speaker 1 (0:0')]).toEqual(['transcript.txt', true]);
      expect(ada.complaints).toEqual([]);
    },
    limitMs,
  );
}
