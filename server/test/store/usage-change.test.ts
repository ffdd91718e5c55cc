// Why usage changed, on both engines: the difference to the range before, and what accounts for it.
import { describe, expect, test } from 'bun:test';
import { UsageChangeQuery } from '@trivium/contract';
import { readUsage } from '../../src/requests/usage.ts';
import { readUsageChange } from '../../src/requests/usage-change.ts';
import { maxLogRows } from '../../src/requests/store/usage-sums.ts';
import { usageHours } from '../../src/requests/store/usage.ts';
import { writeRequests } from '../../src/requests/write-requests.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/store/database.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';

const now = new Date('2026-11-16T12:00:00Z');
const clock = { ...systemClock, now: () => now };
const settings = { request_log_days: 90 };

interface Spent {
  day: string;
  key?: string;
  provider?: string;
  tags?: string;
  cost: number;
  times?: number;
  status?: number;
}

/** Each cost is in cents. */
async function spend(database: Database, spent: readonly Spent[]): Promise<void> {
  const postings = spent.flatMap(
    ({ day, key = 'website', provider = 'engine_a', ...more }, place) =>
      Array.from({ length: more.times ?? 1 }, (_, time) => {
        const at = day.includes('T') ? day : `${day}T06:00:00Z`;
        const { status = 200, tags = null } = more;
        const request = {
          ...{
            ...requestRow('mine'),
            id: `req_${place}_${time}`,
            key_id: key,
            provider,
            tags,
            status,
          },
          ...{ created_at: Date.parse(at), error_type: status < 400 ? null : 'provider_error' },
        };
        return { request, outcome: { kind: 'settled', cost: more.cost * 10_000, again: false } };
      }),
  );
  await database.transaction((tx) => writeRequests(tx, postings, false));
}

const reindex = 'team=search,run=reindex';
const days: readonly Spent[] = [
  { day: '2026-11-14', cost: 100, tags: 'team=search' },
  { day: '2026-11-14', key: 'research', cost: 40, tags: 'team=search' },
  { day: '2026-11-15', cost: 110, tags: 'team=search' },
  { day: '2026-11-15', key: 'research', provider: 'fusion', cost: 350, times: 4, tags: reindex },
  { day: '2026-11-15', key: 'research', provider: 'engine_b', cost: 60, tags: 'team=search' },
];

describe.each(engines)('on $name', (engine) => {
  const open = async (spent: readonly Spent[]) => {
    const store = await makeStore(engine);
    const { database } = store;
    await spend(database, spent);
    const context = { database, clock, settings };
    const change = (query: Partial<UsageChangeQuery>) =>
      readUsageChange(
        context,
        UsageChangeQuery.parse({ account_id: 'mine', from: '2026-11-15', ...query }),
      );
    const causes = async (query: Partial<UsageChangeQuery>) =>
      (await change(query)).causes.map(({ by, group, requests, cost_usd }) => [
        by,
        group,
        requests,
        cost_usd,
      ]);
    return {
      database,
      context,
      change,
      causes,
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  };

  test('the key, the provider and the tag that rose are named, and nothing else', async () => {
    await using mine = await open(days);
    const day = { from: '2026-11-15', to: '2026-11-15' };
    const found = await mine.change(day);
    expect(found).toMatchObject({
      ...{ previous_since: '2026-11-14T00:00:00.000Z', previous_until: '2026-11-15T00:00:00.000Z' },
      total: { requests: 6, cost_usd: 15.7 },
      previous: { requests: 2, cost_usd: 1.4 },
      not_compared: [],
    });
    expect(await mine.causes(day)).toEqual([
      ['key', 'research', 4, 14.2],
      ['provider', 'fusion', 4, 14],
      ['tag', 'run=reindex', 4, 14],
    ]);
    // The figures are those of the usage report.
    const { total } = await readUsage(mine.context, { account_id: 'mine', by: 'key', ...day });
    expect(total).toMatchObject(found.total);
    // Another account has none of it.
    expect((await mine.change({ ...day, account_id: 'other' })).total.requests).toBe(0);
  });

  test('with a filter only what it leaves is compared, also where totals do not have it', async () => {
    await using mine = await open(days);
    const day = { to: '2026-11-15' };
    expect(await mine.causes({ ...day, key_id: 'research' })).toEqual([
      ['provider', 'fusion', 4, 14],
      ['tag', 'run=reindex', 4, 14],
    ]);
    expect(await mine.causes({ ...day, provider: 'fusion' })).toEqual([
      ['key', 'research', 4, 14],
      ['tag', 'run=reindex', 4, 14],
      ['tag', 'team=search', 4, 14],
    ]);
    const tagged = await mine.change({ ...day, tag: 'run=reindex' });
    expect([tagged.total.cost_usd, tagged.previous.cost_usd]).toEqual([14, 0]);
    expect(await mine.causes({ ...day, tag: 'run=reindex' })).toEqual([
      ['key', 'research', 4, 14],
      ['provider', 'fusion', 4, 14],
      ['tag', 'team=search', 4, 14],
    ]);
    expect((await mine.change({ ...day, tag: 'run' })).total.requests).toBe(4);
    expect((await mine.change({ ...day, tool: 'extract' })).total.requests).toBe(0);
  });

  test('a fall is negative, and is named by what fell', async () => {
    await using mine = await open(
      days.map((one) => ({ ...one, day: one.day.endsWith('15') ? '2026-11-14' : '2026-11-15' })),
    );
    expect(await mine.causes({ to: '2026-11-15' })).toEqual([
      ['key', 'research', -4, -14.2],
      ['provider', 'fusion', -4, -14],
      ['tag', 'run=reindex', -4, -14],
    ]);
  });

  test('of a day that is not over, its part is compared with the same part of the day before', async () => {
    const at = (hour: string, key: string) => ({ day: hour, key, cost: 100 });
    await using mine = await open([
      at('2026-11-15T03:00:00Z', 'early'),
      at('2026-11-15T20:00:00Z', 'late'),
      at('2026-11-16T03:00:00Z', 'early'),
      at('2026-11-16T11:00:00Z', 'fresh'),
    ]);
    const found = await mine.change({ from: '2026-11-16', to: '2026-11-16' });
    expect(found).toMatchObject({
      ...{ until: now.toISOString(), previous_until: '2026-11-15T12:00:00.000Z' },
      ...{ total: { requests: 2 }, previous: { requests: 1 } },
      causes: [{ by: 'key', group: 'fresh' }],
    });
  });

  test('of failed requests the number is compared', async () => {
    const failing = { day: '2026-11-15', status: 502, cost: 0, provider: 'engine_b', times: 3 };
    await using mine = await open([...days, failing]);
    const found = await mine.change({ to: '2026-11-15', outcome: 'failed', measure: 'requests' });
    expect(found).toMatchObject({
      ...{ total: { requests: 3, cost_usd: 0 }, previous: { requests: 0 } },
      causes: [
        { by: 'key', group: 'website', requests: 3 },
        { by: 'provider', group: 'engine_b' },
      ],
    });
  });

  test('what cannot be compared is said: tags before the log, and requests that are too many', async () => {
    await using mine = await open(days);
    const year = await mine.change({ from: '2026-08-01', to: '2026-11-15' });
    expect([year.not_compared, year.total.requests]).toEqual([['tag'], 8]);
    const many = {
      requests: maxLogRows,
      refusals: 0,
      failures: 0,
      cost: 1,
      answers: 0,
      answer_ms: 0,
    };
    const hour = Math.floor(Date.parse('2026-11-15T06:00:00Z') / 3_600_000);
    const use = { account_id: 'mine', hour, key_id: 'bulk', tool: 'search', provider: 'fusion' };
    await mine.database.transaction((tx) => usageHours.add(tx, [{ ...use, ...many }]));
    const fused = await mine.change({ to: '2026-11-15', provider: 'fusion' });
    expect([fused.not_compared, fused.total.requests]).toEqual([['tag'], maxLogRows + 4]);
    const tagged = mine.change({ to: '2026-11-15', tag: 'run=reindex' });
    expect(await tagged.catch(String)).toContain('more than 200000 requests');
  });

  test('a range of any length is compared, but not one that has not begun', async () => {
    await using mine = await open(days);
    const refused = await mine.change({ from: '2026-11-17' }).catch(String);
    expect(refused).toContain('Must be in the past');
    const ever = await mine.change({ from: '1970-01-01', to: '9999-12-31' });
    expect([ever.total.requests, ever.previous.requests]).toEqual([8, 0]);
    expect((await mine.change({ from: '2026-11-15T06:00:00.001Z' })).total.requests).toBe(0);
  });
});

test('a query without a start, with an end before it, or with anything unknown is refused', () => {
  const isValid = (query: object) => UsageChangeQuery.safeParse(query).success;
  expect(isValid({ from: '2026-11-15' })).toBe(true);
  for (const more of [
    { from: undefined },
    { to: '2026-11-14' },
    { measure: 'constructor' },
    { tag: 'a b' },
    { tool: ['search', 'extract'] },
    { compare: 'previous' },
  ]) {
    expect([more, isValid({ from: '2026-11-15', ...more })]).toEqual([more, false]);
  }
});
