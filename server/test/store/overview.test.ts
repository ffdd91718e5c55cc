// The overview on both engines: figures over time, the time range before, and no other account.
import { describe, expect, test } from 'bun:test';
import { type OverviewSpan, overviewSpans } from '@trivium/contract';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { foldUsage, writeRequests } from '../../src/requests/write-requests.ts';
import type { RequestRow } from '../../src/requests/core/request-row.ts';
import { expiredHours } from '../../src/requests/store/usage.ts';
import { readOverview } from '../../src/reporting/reports.ts';
import { readProviderHours } from '../../src/requests/overview.ts';
import type { Database } from '../../src/store/database.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';

/** A Tuesday, when a quarter of the day is over. */
const now = Date.parse('2026-11-17T06:00:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe.each(engines)('on $name', (engine) => {
  test('every range adds up its requests, and those of the comparable range before', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await fill(database);
    const sums = async (span: OverviewSpan) => {
      const { total, previous, points } = await read(database, span);
      const drawn = points.reduce((all, point) => all + point.requests, 0);
      expect(drawn).toBe(total.requests);
      return [total.requests, previous.requests];
    };
    expect(await sums('24h')).toEqual([2, 1]);
    // Of the four requests on the last day before, a quarter counts.
    expect(await sums('7d')).toEqual([3, 1]);
    expect(await sums('30d')).toEqual([9, 0]);
    expect(await sums('90d')).toEqual([9, 0]);
    // Old hours become days, and nothing changes.
    const before = await Promise.all(overviewSpans.map((span) => read(database, span)));
    await foldUsage(database, now / hourMs - 48, 1000);
    expect(await Promise.all(overviewSpans.map((span) => read(database, span)))).toEqual(before);
  });

  test('an account with many keys is added up in full', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertAccount(database, { id: 'mine', name: 'M' }, 0);
    const [keys, hours] = [2500, 24];
    await database.run(
      `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${keys * hours - 1})
       insert into usage_recent (account_id, hour, key_id, tool, provider, requests, failures, cost)
       select 'mine', ${now / hourMs} - i / ${keys}, 'key_' || (i % ${keys}), 'search', 'engine_a', 1, 0, 1000 from n`,
    );
    const overview = await read(database, '24h');
    const sum = (values: readonly number[]) =>
      Math.round(values.reduce((all, value) => all + value, 0));
    const costs = (parts: readonly { cost_usd: number }[]) =>
      sum(parts.map(({ cost_usd: cost }) => cost));
    expect(overview.by_key).toHaveLength(keys);
    expect([
      overview.total.cost_usd,
      ...[overview.points, overview.by_key, overview.by_provider].map(costs),
      ...[overview.cost_by_key, overview.cost_by_provider].map((series) =>
        sum(series.flatMap(({ cost_usd: points }) => points)),
      ),
    ]).toEqual(Array(6).fill(60));
  });

  test('cost and latency are reported by provider and by point', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await fill(database);
    const { points, ...overview } = await read(database, '7d');
    expect(points).toHaveLength(7);
    expect(points.at(-1)).toMatchObject({
      at: '2026-11-17T00:00:00.000Z',
      until: '2026-11-18T00:00:00.000Z',
      requests: 2,
      failures: 1,
    });
    expect(overview.cost_by_provider).toEqual([
      { group: 'engine_a', cost_usd: [0, 0, 0, 0, 0, 0.002, 0.005] },
    ]);
    expect(overview.latency_over_time).toEqual([
      {
        id: 'engine_a',
        p50_ms: [null, null, null, null, null, 900, 100],
        p95_ms: [null, null, null, null, null, 900, 100],
      },
    ]);
  });

  test('days are those of the zone, as far back as the log reaches', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await fill(database);
    await log(database, { id: 'late', cost: 3000, latency_ms: 5 }, 7 * hourMs);
    await log(database, { id: 'week before' }, 7 * dayMs + hourMs);
    const { zone, points, total, previous } = await read(database, '7d', 'America/New_York');
    // Up to the same minute of its last day in the zone.
    expect(previous.requests).toBe(1);
    expect([zone, points.length, total.requests]).toEqual(['America/New_York', 7, 4]);
    // Six o'clock UTC is one o'clock in one zone, and eleven o'clock the night before in the other.
    expect(points.slice(-2).map(({ at, requests }) => [at, requests])).toEqual([
      ['2026-11-16T05:00:00.000Z', 2],
      ['2026-11-17T05:00:00.000Z', 2],
    ]);
    expect(points.map(({ cost_usd }) => cost_usd).slice(-2)).toEqual([0.005, 0.005]);
    expect((await read(database, '90d', 'America/New_York')).zone).toBe('UTC');
    // A log that is too long to count is not read for it.
    await database.run(`update usage_recent set requests = 50001 where account_id = 'mine'`);
    const asked: string[] = [];
    const run: Database['run'] = (text, values) => {
      asked.push(text);
      return database.reader.run(text, values);
    };
    const watched = { ...database, reader: { ...database.reader, run } };
    expect((await read(watched, '7d', 'America/New_York')).zone).toBe('UTC');
    expect(asked.filter((text) => text.includes('limit 50001'))).toEqual([]);
  });

  test('the largest keys have a series each, and all others have one', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertAccount(database, { id: 'mine', name: 'Mine' }, 0);
    for (let key = 1; key <= 9; key += 1) {
      await log(database, { id: `of ${key}`, key_id: `key_${key}`, cost: key * 1000 });
    }
    const { cost_by_key, by_key } = await read(database, '24h');
    expect(by_key).toHaveLength(9);
    expect(cost_by_key.map(({ group, cost_usd }) => [group, cost_usd.at(-1)])).toEqual([
      ['key_9', 0.009],
      ['key_8', 0.008],
      ['key_7', 0.007],
      ['key_6', 0.006],
      ['key_5', 0.005],
      ['key_4', 0.004],
      [null, 0.006],
    ]);
  });

  test('a provider is reported by the hour, before and after its hours are folded', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    for (const id of ['mine', 'other']) await insertAccount(database, { id, name: id }, 0);
    const settled = { paid_by: 'settle', latency_ms: 100 } as const;
    const threeDays = 3 * dayMs;
    await log(database, { id: 'fast', ...settled }, threeDays);
    await log(
      database,
      { id: 'slow', ...settled, latency_ms: 301, account_id: 'other' },
      threeDays,
    );
    await log(database, { id: 'cached', paid_by: 'cache', latency_ms: 1 }, threeDays);
    await log(database, { id: 'broken', status: 502, error_type: 'provider_error' }, threeDays);
    await log(database, { id: 'poor', status: 402, error_type: 'insufficient_balance' }, threeDays);
    await log(database, { id: 'not chosen', status: 400, provider: null }, threeDays);
    await log(database, { id: 'of another', ...settled, provider: 'engine_b' }, threeDays);
    await log(database, { id: 'job', paid_by: 'job:1', tool: 'transcription' }, 2 * hourMs);
    await log(database, { id: 'only refused', status: 429, error_type: 'rate_limited' }, 4 * dayMs);
    await log(database, { id: 'old', ...settled }, 30 * dayMs);
    const clock = { ...systemClock, now: () => new Date(now) };
    const hours = async () => (await readProviderHours({ database, clock }, 'engine_a')).hours;
    const expected = [
      { at: '2026-11-14T06:00:00.000Z', served: 3, failed: 1, mean_ms: 201 },
      { at: '2026-11-17T04:00:00.000Z', served: 1, failed: 0, mean_ms: null },
    ];
    expect(await hours()).toEqual(expected);
    await foldUsage(database, now / hourMs - 48, 1000);
    expect(await hours()).toEqual(expected);
    // A request that is booked late is added to its hour.
    await log(database, { id: 'late', ...settled, latency_ms: 999 }, threeDays);
    await foldUsage(database, now / hourMs - 48, 1000);
    expect((await hours())[0]).toMatchObject({ served: 4, failed: 1, mean_ms: 467 });
    const kept = await database.run('select provider, hour from provider_hours');
    expect(kept).toHaveLength(3);
    await expiredHours.step(database, { now: now + 25 * hourMs, keptMs: 0 }, 100);
    expect(await database.run('select provider, hour from provider_hours')).toHaveLength(2);
    const unknown = readProviderHours({ database, clock }, 'constructor');
    expect(await unknown.catch(String)).toContain('There is no provider constructor.');
  });
});

async function fill(database: Database): Promise<void> {
  for (const id of ['mine', 'other']) await insertAccount(database, { id, name: id }, 0);
  await log(database, { id: 'served', cost: 5000, latency_ms: 100 });
  await log(database, { id: 'failed', status: 502, latency_ms: 7 });
  await log(database, { id: 'yesterday', cost: 2000, latency_ms: 900 }, dayMs + hourMs);
  for (const id of ['a', 'b', 'c', 'd']) await log(database, { id }, 7 * dayMs);
  for (const id of ['e', 'f']) await log(database, { id }, 20 * dayMs);
  await log(database, { id: 'foreign', account_id: 'other', cost: 9000 });
}

async function log(database: Database, row: Partial<RequestRow>, ageMs = 0): Promise<void> {
  const request = { ...requestRow('mine'), id: '', ...row, created_at: now - ageMs };
  const outcome = { kind: 'settled', cost: request.cost, again: false };
  await writeRequests(database, [{ request, outcome }], false);
}

function read(database: Database, span: OverviewSpan, zone = 'UTC') {
  const clock = { ...systemClock, now: () => new Date(now) };
  const settings = { request_log_days: 80 };
  const context = {
    database,
    clock,
    settings,
    ledger: { reserved: () => 0, bookJournal: () => Promise.resolve() },
  };
  return readOverview(context, { account_id: 'mine', span, zone });
}
