// How many clicks the daily jobs take, counted by the browser. Typing and keys do not count.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { Fixture } from './fixture.ts';
import { runJob } from '../jobs.ts';
import { browserTest as test } from './visit.ts';

export function clickTests(fixture: Fixture): void {
  keyEngineMonthTest(fixture);
  failedJobTest(fixture);
}

function failedJobTest({ gateway, operator }: Fixture): void {
  test('the reason of a failed job takes 1 click', async () => {
    const { error } = await runJob(gateway(), {
      audio_url: 'https://recordings.example/missing.wav',
    });
    await using seen = await operator();
    const { page } = seen;
    const clicks = await countClicks(page);
    await page.goto(gateway().url);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    const row = page.getByRole('row', { name: 'failed' }).first();
    await row.getByText(error?.message ?? 'none').waitFor();
    expect(clicks.taken()).toBe(1);
    expect(seen.complaints).toEqual([]);
  });
}

function keyEngineMonthTest({ gateway, operator }: Fixture): void {
  test('a key with a cap takes 6 clicks, the same request on another engine 2, and the file of a month 2', async () => {
    await gateway().post('/v1/search', { query: 'turbines', provider: 'engine_a' });
    await using seen = await operator();
    const { page } = seen;
    const clicks = await countClicks(page);
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto(gateway().url);

    await link('Keys').click();
    await button('Create a key').click();
    // The first field has the focus.
    await page.keyboard.type('capped');
    await page.getByLabel('Daily cap in USD').click();
    await page.keyboard.type('2');
    await button('Create').click();
    await button('Copy the key').click();
    await button('I have it').click();
    await page.getByRole('row', { name: 'capped' }).getByText('of $2').waitFor();
    expect(clicks.taken()).toBe(6);

    await page.goto(`${gateway().url}/requests`);
    await page.getByRole('row', { name: 'turbines' }).locator('td').first().click();
    await button('Parallel').click();
    const response = page.getByRole('region', { name: 'Response' });
    await response.getByText('Parallel').first().waitFor();
    expect(await page.getByLabel('query (required)').inputValue()).toBe('turbines');
    expect(clicks.taken()).toBe(2);

    await page.goto(gateway().url);
    await link('Usage').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^[A-Z][a-z]+ CSV$/ }).click(),
    ]);
    const month = new Date(new Date().setUTCDate(0)).toISOString().slice(0, 7);
    expect(download.suggestedFilename()).toBe(`usage-${month}.csv`);
    expect(readFileSync(await download.path(), 'utf8')).toContain('cost_usd');
    expect(clicks.taken()).toBe(2);
    expect(seen.complaints).toEqual([]);
  });
}

interface Clicks {
  /** Since this was last asked. */
  taken: () => number;
}

export async function countClicks(page: Page): Promise<Clicks> {
  let count = 0;
  await page.exposeFunction('countClick', () => (count += 1));
  await page.addInitScript(() => {
    const counted = window as unknown as { countClick: () => void };
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && counted.countClick(), true);
  });
  return {
    taken: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
