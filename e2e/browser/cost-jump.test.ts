// A jump of the cost, from the chart to one request in two clicks: the requests of the part of a bar,
// the costliest first, under a sentence that names what rose.
import { join } from 'node:path';
import { beforeAll, expect } from 'bun:test';
import type { Account, NewKey } from '@trivium/contract';
import { storeThread } from '../../server/src/app/store-thread-url.ts';
import type { RequestRow } from '../../server/src/requests/core/request-row.ts';
import { writeRequests } from '../../server/src/requests/write-requests.ts';
import { openSqlite } from '../../server/src/store/sqlite/sqlite.ts';
import { countClicks } from './click-tests.ts';
import { browserFixture, passwordsOnly } from './fixture.ts';
import { setUpOperator } from './operator-api.ts';
import type { Operator } from './operator-api.ts';
import { browserTest as test, hasBrowser } from './visit.ts';
import type { Visit } from './visit.ts';

const dayMs = 86_400_000;
const account = 'acct_default';
const today = Math.floor(Date.now() / dayMs);
const fixture = browserFixture(passwordsOnly);
const { gateway, operator } = fixture;
const keys = { research: '', website: '' };
let program: Operator;

beforeAll(async () => {
  if (!hasBrowser) return;
  program = await setUpOperator(gateway());
  await fixture.signedIn(program.cookies);
  for (const name of ['research', 'website'] as const) {
    const path = `/admin/v1/accounts/${account}/keys`;
    keys[name] = (await program.call<NewKey>('POST', path, { name: `${name}-agent` })).id;
  }
  await gateway().stop();
  await addHistory(join(gateway().store_dir, 'trivium.sqlite'));
  await gateway().restart();
});

/** Three days before today cost $1.40, two days before $15.70, and yesterday $1.40 again. */
async function addHistory(file: string): Promise<void> {
  const database = await openSqlite(file, storeThread);
  const usual = (day: number) => [
    rowAt(day, { cost: 1_000_000, tags: 'team=search' }),
    rowAt(day, { cost: 400_000, tags: 'team=search', key_id: keys.research }),
  ];
  const research = { key_id: keys.research, provider: 'fusion', tags: 'team=search,run=reindex' };
  const failed = { status: 502, error_type: 'provider_error', provider: 'engine_b', cost: 0 };
  const rows = [
    ...usual(today - 3),
    ...[2, 3, 4, 5].map((price) => rowAt(today - 2, { ...research, cost: price * 1_000_000 })),
    rowAt(today - 2, { cost: 1_100_000, tags: 'team=search' }),
    rowAt(today - 2, { cost: 600_000, tags: 'team=search', key_id: keys.research }),
    ...Array.from({ length: 3 }, () => rowAt(today - 2, failed)),
    ...usual(today - 1),
  ].map((row, place) => ({ ...row, id: `req_${place}` }));
  const logged = rows.map((request) => ({
    request,
    outcome: { kind: 'settled', cost: request.cost, again: false },
  }));
  await database.transaction(async (tx) => {
    await writeRequests(tx, logged, false);
    await tx.run('update accounts set created_at = $1 where id = $2', [0, account]);
  });
  await database.close();
}

function rowAt(day: number, more: Partial<RequestRow>): Omit<RequestRow, 'id'> {
  return {
    ...{ account_id: account, key_id: keys.website, tool: 'search', provider: 'engine_a' },
    ...{ status: 200, error_type: null, warnings: 0, reported_cost: null, latency_ms: 300 },
    ...{ cost: 0, created_at: day * dayMs + dayMs / 2, ...more },
  };
}

const nameOf = (day: number) =>
  new Date(day * dayMs).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** The column of a day in a chart. */
function columnOf({ page }: Visit, chart: string, day: string) {
  const region = page.getByRole('region', { name: chart, exact: true });
  return region.locator(`.plot-column:has(> a[aria-label^="${day}"])`);
}

const sentence = ({ page }: Visit) => page.getByRole('region', { name: 'What changed' });
const costs = async ({ page }: Visit) =>
  (await page.locator('tbody .money').allTextContents()).map((text) => Number(text.slice(1)));

test('two clicks lead from a jump of the cost to its costliest request, under the reason', async () => {
  await using seen = await operator();
  const { page } = seen;
  const clicks = await countClicks(page);
  await page.goto(`${gateway().url}/usage?by=provider&range=7d`);
  const column = columnOf(seen, 'Cost', nameOf(today - 2));
  await column.locator('.plot-bar a[href*="provider=fusion"]').click();
  await sentence(seen).getByText('+$14.00 against the day before').waitFor();
  const words = (await sentence(seen).textContent()) ?? '';
  expect(words).toContain(': key research-agent (+$14.00), tag run=reindex (+$14.00)');
  expect(words).toContain('from $0.00 to $14.00, and the number of requests from 0 to 4.');
  expect(await costs(seen)).toEqual([5, 4, 3, 2]);
  expect(await seen.inspect()).toEqual([]);
  const address = page.url();
  await page.locator('tbody td').first().click();
  const panel = page.getByRole('complementary', { name: 'Request' });
  await panel.getByText('$5.00', { exact: false }).first().waitFor();
  expect(clicks.taken()).toBe(2);
  // The address is all that is needed to see the same again.
  await page.goto('about:blank');
  await page.goto(address);
  await sentence(seen).getByText('+$14.00 against the day before').waitFor();
  expect(await costs(seen)).toEqual([5, 4, 3, 2]);
  await page.setViewportSize({ width: 360, height: 800 });
  // The list takes another form after it was measured.
  await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await seen.inspect()).toEqual([]);
  expect(seen.complaints).toEqual([]);
});

test('a whole day names all that rose, a fall is named as one, and a name in it is a filter', async () => {
  await using seen = await operator();
  const { page } = seen;
  await page.goto(`${gateway().url}/usage?by=tag:team&range=7d`);
  await columnOf(seen, 'Cost', nameOf(today - 2))
    .getByRole('link')
    .click({ position: { x: 3, y: 3 } });
  await sentence(seen).getByText('+$14.30 against the day before').waitFor();
  const rose = (await sentence(seen).textContent()) ?? '';
  expect(rose).toContain(
    ': key research-agent (+$14.20), Fusion (+$14.00), tag run=reindex (+$14.00)',
  );
  expect(rose).not.toContain('website');
  await sentence(seen)
    .getByRole('button', { name: 'tag run=reindex', includeHidden: true })
    .click();
  await page.waitForFunction(() => location.search.includes('tag%3Arun%3Dreindex'));
  await sentence(seen).getByText('+$14.00 against the day before').waitFor();
  await page.goBack();
  // The table of a chart has the same links, for the keyboard.
  await page.goto(`${gateway().url}/usage?by=key&range=7d`);
  const chart = page.getByRole('region', { name: 'Cost', exact: true });
  await chart.getByRole('button', { name: 'Table' }).click();
  await chart
    .getByRole('row', { name: nameOf(today - 1) })
    .getByRole('link')
    .nth(1)
    .focus();
  await page.keyboard.press('Enter');
  await sentence(seen).waitFor();
  const asked = new URL(page.url()).searchParams;
  expect(Object.values(keys)).toContain(asked.get('key_id') ?? '');
  expect([asked.get('sort'), asked.get('why')]).toEqual(['cost', 'cost']);
  await page.goto(`${gateway().url}/usage?by=key&range=7d`);
  await columnOf(seen, 'Cost', nameOf(today - 1))
    .locator(`.plot-bar a[href*="${keys.research}"]`)
    .click();
  await sentence(seen).getByText('−$14.20 against the day before').waitFor();
  expect(await sentence(seen).textContent()).toContain(
    ': Fusion (−$14.00), tag run=reindex (−$14.00)',
  );
  expect(seen.complaints).toEqual([]);
});

test('a bar of requests is explained by their number, and a new account has nothing before', async () => {
  await using seen = await operator();
  const { page } = seen;
  await page.goto(`${gateway().url}/?span=7d`);
  const region = page.getByRole('region', { name: 'Requests', exact: true });
  await region.locator('.plot-bar a[href*="outcome=failed"]').click();
  await sentence(seen).getByText('+3 failed requests against the day before').waitFor();
  expect(await sentence(seen).textContent()).toContain(
    ': key website-agent (+3 failed requests), Parallel (engine_b) (+3 failed requests)',
  );
  expect(await page.locator('tbody tr').count()).toBe(3);
  const { id } = await program.call<Account>('POST', '/admin/v1/accounts', { name: 'New' });
  const path = `/admin/v1/accounts/${id}`;
  await program.call('POST', `${path}/topups`, { amount_usd: 1, reason: 'a test' });
  const { key } = await program.call<NewKey>('POST', `${path}/keys`, { name: 'first' });
  const authorization = `Bearer ${key}`;
  await gateway().post('/v1/search', { query: 'wind', provider: 'engine_a' }, { authorization });
  await page.goto(`${gateway().url}/?span=7d&account=${id}`);
  const cost = page.getByRole('region', { name: 'Cost', exact: true });
  await cost.locator('.plot-bar a').last().click();
  await sentence(seen).getByText('which cannot be compared with the same part').waitFor();
  expect(await sentence(seen).textContent()).toMatch(
    /^\$0\.007, which .* of the day before: the account was created on .*: key first \(\+\$0\.007\)/,
  );
  expect(seen.complaints).toEqual([]);
});
