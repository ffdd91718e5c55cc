// The request log: found by id, text or tag, opened in a panel beside the list, and exported.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Fixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';

const query = 'tidal range power, off the beaten track';

export function logTests(fixture: Fixture): void {
  detailTest(fixture);
  againTest(fixture);
}

function detailTest({ gateway, operator }: Fixture): void {
  test('a request is found, shown in a panel, and exported with those like it', async () => {
    const id = await ask(gateway);
    await using seen = await operator();
    const { page } = seen;
    const panel = page.getByRole('complementary', { name: 'Request' });
    await page.goto(`${gateway().url}/requests`);
    const search = page.getByLabel('Search requests');
    await search.fill('OFF THE BEATEN');
    await search.press('Enter');
    const row = page.getByRole('row', { name: query });
    await row.getByText('1 warning').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await row.getByRole('button', { name: 'Open' }).focus();
    await page.keyboard.press('Enter');
    await panel.getByText(query).waitFor();
    await panel.getByRole('list', { name: 'Timeline' }).getByText('Answered').waitFor();
    await panel.getByText('safe_search', { exact: true }).waitFor();
    await panel
      .getByText(/^\$[\d.]+, (as reported by the provider|from the price list)$/)
      .waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Request');
    expect(await seen.inspect()).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(focused).toMatch(/^Open req_/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(query);
    await search.fill(id);
    await search.press('Enter');
    await row.waitFor();
    await search.fill('');
    expect(new URL(page.url()).search).toBe('');
    await search.fill('nothing was asked like this');
    await search.press('Enter');
    await page.getByText('No request matches these filters.').waitFor();
    expect(seen.complaints).toEqual([]);
  });
}

function againTest({ gateway, operator }: Fixture): void {
  test('a kind of error leads to its latest request, its neighbours, and the same request again', async () => {
    const words = 'estuary barrage';
    for (const strict of [true, false]) {
      const body = { query: words, provider: 'engine_a', offset: 10, max_results: 7, strict };
      await gateway().post('/v1/search', body, { 'x-trivium-tags': 'team=tides' });
    }
    await using seen = await operator();
    const { page } = seen;
    const panel = page.getByRole('complementary', { name: 'Request' });
    await page.goto(`${gateway().url}/requests?q=${encodeURIComponent(words)}&range=1h`);
    await page.getByRole('button', { name: 'Errors by kind' }).click();
    const kind = page.getByRole('region', { name: 'Errors by kind' }).getByRole('row').nth(1);
    await kind.getByText('Refused 400').waitFor();
    await kind.getByRole('button', { name: /^Open/ }).click();
    await page.getByRole('region', { name: 'Requests' }).getByText('Refused 400').waitFor();
    await page.getByRole('button', { name: 'Status: 400', exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('team=tides').first().click();
    await page.waitForFunction(() => location.search.includes('tag%3Ateam%3Dtides'));
    await page.locator('tbody tr').nth(1).waitFor();
    const failed = page.getByRole('row', { name: /Refused 400/ });
    await failed.getByText(words).click();
    await panel.getByText('"max_results": 7').waitFor();
    await page.keyboard.press('k');
    await panel.getByText('Served', { exact: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await panel.getByText('Refused by this gateway before a provider was called').waitFor();
    await page.keyboard.press('j');
    await panel.getByText('Refused by this gateway before a provider was called').waitFor();
    await panel.getByRole('link', { name: 'Open in playground' }).click();
    await page.getByText('More options (2 set)').waitFor();
    expect(await page.getByLabel('query (required)').inputValue()).toBe(words);
    expect(await page.getByLabel('strict').inputValue()).toBe('true');
    expect(await page.getByLabel('max_results').inputValue()).toBe('7');
    expect(await page.getByLabel('provider', { exact: true }).inputValue()).toBe('engine_a');
    await page.goBack();
    await panel.getByRole('button', { name: 'Send again' }).click();
    // It was refused for the same reason as before, without another click.
    await page
      .getByRole('region', { name: 'Response' })
      .getByText('Refused by this gateway.')
      .waitFor();
    expect(seen.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });
}

/** The id of the answer. */
async function ask(gateway: Fixture['gateway']): Promise<string> {
  const body = { query, provider: 'engine_a', safe_search: 'strict' };
  const answer = await gateway().post('/v1/search', body);
  expect(answer.status).toBe(200);
  return (answer.body as { id: string }).id;
}
