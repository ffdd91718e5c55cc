// How lists use the screen: many rows, columns that are chosen and sorted, one line of filters, a
// detail beside the list, and rows of two lines on a phone.
import { expect } from 'bun:test';
import type { Account, NewKey } from '@trivium/contract';
import type { Page } from 'playwright-core';
import type { Fixture } from './fixture.ts';
import { findLayoutFaults } from './layout-faults.ts';
import type { Operator } from './operator-api.ts';
import { browserTest as test } from './visit.ts';

const height = 900;
/** Of a page of the list. */
const pageRows = 50;
const maxPhoneHeight = 5000;
const words = 'offshore wind turbine maintenance schedules in the North Sea and what they cost';
const tags = 'team=search,project=a-project-with-a-long-name,run=reindex,env=production,of=acme';
const engines = ['engine_a', 'fusion', 'engine_b', 'engine_d'];

export function spaceTests(fixture: Fixture, program: () => Operator): void {
  const { operator } = fixture;
  let made: Promise<string> | undefined;
  const open = async (page: Page, width: number, query = '') => {
    await page.setViewportSize({ width, height });
    made ??= makeRequests(fixture, program());
    await page.goto(`${fixture.gateway().url}/requests?account=${await made}${query}`);
    await page.locator('tbody tr').first().waitFor();
    // The names of keys and providers are loaded apart, and decide how many columns fit.
    await page.waitForLoadState('networkidle');
  };

  test('requests fill the screen: the query is wide, rows are many, and nothing is cut', async () => {
    await using seen = await operator();
    const { page } = seen;
    await open(page, 1280);
    const faults: string[] = [];
    for (const [width, minRows] of [
      [720, 12],
      [768, 12],
      [1024, 22],
      [1280, 22],
      [1440, 22],
      [1920, 22],
    ] as const) {
      await page.setViewportSize({ width, height });
      faults.push(
        ...(await page.evaluate(findLayoutFaults, 'light')).map((one) => `${width}: ${one}`),
      );
      const { first, rows, asked, list, gap } = await page.evaluate(measureList);
      expect([width, first < 240, rows >= minRows, asked >= 220]).toEqual([
        width,
        true,
        true,
        true,
      ]);
      expect([width, gap >= 8]).toEqual([width, true]);
      if (width === 1920) expect(list).toBeGreaterThan(1550);
    }
    expect(faults).toEqual([]);
    expect(seen.complaints).toEqual([]);
  });

  test('requests are sorted page by page, filtered by chips, and show the columns that were chosen', async () => {
    await using seen = await operator();
    const { page } = seen;
    await open(page, 1440);
    const costs = () =>
      page
        .locator('td[data-title=Cost]')
        .allTextContents()
        .then((all) => all.map((text) => Number(text.slice(1))));
    const title = (name: string) => page.getByRole('columnheader', { name, exact: true });
    await title('Cost').getByRole('button').click();
    await page.locator('th[aria-sort=descending]', { hasText: 'Cost' }).waitFor();
    await page.waitForFunction(() => location.search.includes('sort=cost'));
    await page.waitForLoadState('networkidle');
    const first = await costs();
    expect(new Set(first).size).toBeGreaterThan(2);
    expect(first).toEqual(first.toSorted((one, other) => other - one));
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForFunction(
      (rows) => document.querySelectorAll('tbody tr').length < rows,
      pageRows,
    );
    for (const cost of await costs()) expect(cost).toBeLessThanOrEqual(first.at(-1) ?? 0);
    // A reload and Back keep the order; the title of the time ends it.
    await page.goBack();
    await page
      .locator('tbody tr')
      .nth(pageRows - 1)
      .waitFor();
    expect(await costs()).toEqual(first);
    await title('Time').getByRole('button').click();
    await page.waitForFunction(() => !location.search.includes('sort='));

    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Key', { exact: true }).uncheck();
    await page.getByLabel('Calls').check();
    expect(await seen.inspect()).toEqual([]);
    await page.reload();
    await title('Calls').waitFor();
    expect(await title('Key').count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Key', { exact: true }).check();
    await title('Key').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Provider').selectOption('engine_b');
    await page.getByLabel('Outcome').selectOption('served');
    expect(await seen.inspect()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Provider: Parallel (engine_b)' }).waitFor();
    await page.waitForFunction(
      (rows) => document.querySelectorAll('tbody tr').length < rows,
      pageRows,
    );
    await page.getByRole('button', { name: 'Remove: Provider' }).click();
    await page.waitForFunction(() => !location.search.includes('provider='));
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('served');
    expect(seen.complaints).toEqual([]);
  });

  test('a detail is docked beside the list, and a sheet over it on a small screen', async () => {
    await using seen = await operator();
    const { page } = seen;
    await open(page, 1280);
    const list = page.getByRole('region', { name: 'Requests' });
    const panel = page.getByRole('complementary', { name: 'Request' });
    const row = page.locator('tbody tr').nth(20);
    await row.locator('.asked-text').click();
    await panel.getByText('Served', { exact: true }).waitFor();
    for (const width of [1024, 1280, 1920]) {
      await page.setViewportSize({ width, height });
      for (const name of ['Asked', 'Outcome', 'Cost', 'Key']) {
        await row.locator(`td[data-title=${name}]`).waitFor();
      }
      const [beside, shown] = [await panel.boundingBox(), await list.boundingBox()];
      expect((shown?.x ?? 0) + (shown?.width ?? Infinity)).toBeLessThanOrEqual(beside?.x ?? 0);
      // The row stays in sight, although others have another height.
      const { y = -1 } = (await row.boundingBox()) ?? {};
      expect(y).toBeWithin(56, height - 20);
      expect(await page.evaluate(findLayoutFaults, 'light')).toEqual([]);
    }
    await page.setViewportSize({ width: 768, height });
    const [over, under] = [await panel.boundingBox(), await list.boundingBox()];
    expect(over?.x ?? 0).toBeLessThan((under?.x ?? 0) + (under?.width ?? 0));
    expect(seen.complaints).toEqual([]);
  });

  test('on a phone a page of requests is short, and one button has its filters and its order', async () => {
    await using seen = await operator();
    const { page } = seen;
    for (const width of [360, 414]) {
      await open(page, width);
      expect(await page.locator('tbody tr').count()).toBe(pageRows);
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(tall).toBeLessThan(maxPhoneHeight);
      expect(await page.evaluate(findLayoutFaults, 'light')).toEqual([]);
    }
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Sort by').selectOption('cost');
    await page.getByLabel('Provider').selectOption('fusion');
    await page.getByLabel('Outcome').selectOption('served');
    expect(await seen.inspect('both')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filters 2' }).click();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('cost');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForFunction(() => !location.search.includes('provider='));
    expect(seen.complaints).toEqual([]);
  });
}

/** More than a page of requests of an account of its own, with long names and five tags. */
async function makeRequests({ gateway }: Fixture, { call }: Operator): Promise<string> {
  const { id } = await call<Account>('POST', '/admin/v1/accounts', { name: 'Space' });
  const path = `/admin/v1/accounts/${id}`;
  const { key } = await call<NewKey>('POST', `${path}/keys`, {
    name: `research agent of ${words}`,
  });
  await call('POST', `${path}/topups`, { amount_usd: 50, reason: 'for the rows' });
  const headers = { authorization: `Bearer ${key}`, 'x-trivium-tags': tags };
  const send = (at: number) => {
    const body = { query: `${words} ${at}`, provider: engines[at % 4], safe_search: 'strict' };
    return gateway().post('/v1/search', body, headers);
  };
  for (let at = 0; at < pageRows + 10; at += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, more) => send(at + more)));
  }
  return id;
}

/** Runs in the page. */
function measureList() {
  const rows = [...document.querySelectorAll('tbody tr')];
  const range = document.createRange();
  const [row] = rows;
  const texts = [...(row?.querySelectorAll('[data-title]') ?? [])].map((cell) => {
    range.selectNodeContents(cell);
    const { left, right, top } = range.getBoundingClientRect();
    return { left, right: Math.min(right, cell.getBoundingClientRect().right), top };
  });
  const gaps = texts.flatMap(({ right, top }) =>
    texts.flatMap((next) =>
      next.left >= right && Math.abs(next.top - top) < 8 ? [next.left - right] : [],
    ),
  );
  return {
    first: row?.getBoundingClientRect().top ?? Infinity,
    rows: rows.filter((one) => one.getBoundingClientRect().bottom <= innerHeight).length,
    asked: row?.querySelector('[data-title=Asked]')?.clientWidth ?? 0,
    list: document.querySelector('.table-box')?.clientWidth ?? 0,
    gap: Math.min(...gaps),
  };
}
