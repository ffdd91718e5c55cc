// Money in the browser: what each charge was for, the running balance, and a warning in time.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Fixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';

export function moneyTests({ gateway, operator }: Fixture): void {
  test('the ledger shows what a charge was for and the balance after it, and warns in time', async () => {
    await using ada = await operator();
    const { page } = ada;
    const asked = { query: 'geothermal wells', provider: 'engine_a' };
    const tags = { 'x-trivium-tags': 'team=wells' };
    expect((await gateway().post('/v1/search', asked, tags)).status).toBe(200);
    await page.goto(`${gateway().url}/billing?kind=settle`);
    const row = page.getByRole('row', { name: 'geothermal wells' });
    await row.getByText('Search, Exa').waitFor();
    const { balance_usd } = (await gateway().get('/v1/balance')).body as { balance_usd: number };
    const cells = await row.locator('td').allTextContents();
    expect(cells[4]).toMatch(/^\$[\d.,]+$/);
    expect(Number(cells[4]?.slice(1))).toBe(balance_usd);
    // The costliest value of a tag is one click away.
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByText(/^Stored: .* of 10,240 MiB \(uploads .*, tags <0\.1 MiB\)\.$/).waitFor();
    const usage = page.getByRole('region', { name: 'Usage', exact: true });
    await usage.getByRole('row', { name: 'wells' }).getByText('new').waitFor();
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await usage.getByRole('row', { name: 'Bootstrap' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV', exact: true }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8')).toStartWith('key,key_name,requests,served,');
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await usage.getByRole('columnheader', { name: 'Account' }).waitFor();
    await page.getByLabel('Time', { exact: true }).selectOption('last-month');
    await page.getByText('No requests were made, so nothing was spent.').waitFor();
    await page.goBack();
    await page.goto(`${gateway().url}/billing`);
    expect(await page.locator('.note.warn').count()).toBe(0);
    // Almost all money is withdrawn: less than the threshold, and less than three days of
    // spending.
    await page.getByRole('button', { name: 'Adjust' }).click();
    await page.getByLabel('Amount in USD').fill(String(-(balance_usd - 0.001).toFixed(6)));
    await page.getByLabel('Reason').fill('a test');
    await page.locator('dialog').getByRole('button', { name: 'Adjust' }).click();
    await page.getByText('is below the account’s threshold').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    const incidents = page.getByRole('region', { name: 'Open incidents' });
    const low = incidents.getByRole('link', { name: 'The balance is below' });
    await incidents.getByRole('button', { name: /^Mute: The balance is below/ }).click();
    await low.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Show 1 muted' }).click();
    await incidents.getByRole('button', { name: /^Unmute: The balance is below/ }).click();
    await page.getByRole('button', { name: 'Show 1 muted' }).waitFor({ state: 'detached' });
    await low.click();
    await page.getByText('is below the account’s threshold').waitFor();
    await page.getByRole('button', { name: 'Low balance' }).click();
    await page.getByLabel('Threshold in USD').fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/At the rate of the last 7 days, .* will last/).waitFor();
    expect(await ada.inspect()).toEqual([]);
    expect(ada.complaints).toEqual([]);
  });
}
