// Migration 16 on both engines: the hours that versions before 10 counted in `usage_hours` stay in
// every report, once, and a gateway of the previous version works on the new schema.
import { describe, expect, test } from 'bun:test';
import type { Database } from '../../src/store/database.ts';
import { foldUsage } from '../../src/requests/write-requests.ts';
import { listParts } from '../../src/requests/store/samples.ts';
import { sumUsage } from '../../src/requests/store/usage-sums.ts';
import { migrate } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { engines } from './engines.ts';
import type { Engine } from './engines.ts';

const now = new Date('2026-11-16T12:00:00Z');
const day = 20_773;
const [morning, noon] = [day * 24 + 6, day * 24 + 12];
const moving = 16;

/** The statements by which the previous version reads and sweeps the table. */
const previousHours = `select hour, requests, failures, cost from (
  select account_id, hour, key_id, tool, provider, requests, failures, cost from usage_recent
  union all
  select account_id, hour, key_id, tool, provider, requests, failures, cost
  from usage_hours) as usage where account_id = $1 and hour >= $2 limit 50000`;
const previousSweep = 'delete from usage_hours where hour < $1';

const hours = [
  { hour: morning, requests: 3, failures: 1, cost: 21_000 },
  { hour: noon, requests: 7, failures: 0, cost: 42_000 },
];

describe.each(engines)('on $name', (engine) => {
  test('the hours are in every report as before, and count once', async () => {
    await using store = await openPrevious(engine);
    const { database } = store;
    const before = [{ group: day, requests: 15, refusals: 0, failures: 2, cost: 68_000 }];
    expect(await migrate(database, now)).toBeGreaterThan(0);
    expect(await sumUsage(database, {}, 'day')).toEqual(before);
    expect(await sumUsage(database, { account_id: 'other' }, 'day')).toEqual([]);
    expect(await hoursOf(database)).toEqual(hours);
    await foldUsage(database, noon + 1, 100);
    expect(await sumUsage(database, {}, 'day')).toEqual(before);
    expect(await hoursOf(database)).toEqual([]);
  });

  test('an hour that two versions counted becomes one row', async () => {
    await using store = await openPrevious(engine);
    const { database } = store;
    await database.run(usage('usage_recent', 'hour', noon, 1, 1, 1000));
    const before = [{ group: day, requests: 16, refusals: 0, failures: 3, cost: 69_000 }];
    await migrate(database, now);
    expect(await sumUsage(database, {}, 'day')).toEqual(before);
    expect(await hoursOf(database)).toEqual([
      ...hours.slice(0, 1),
      { hour: noon, requests: 8, failures: 1, cost: 43_000 },
    ]);
  });

  test('a day without hourly counts keeps its sums', async () => {
    await using store = await openPrevious(engine);
    const { database } = store;
    await database.run(usage('usage_days', 'day', day - 40, 5, 5, 5));
    await migrate(database, now);
    const [older] = await sumUsage(database, { to_day: day - 1 }, 'day');
    expect(older).toEqual({ group: day - 40, requests: 5, refusals: 0, failures: 5, cost: 5 });
  });

  test('the previous version reads what this one counts, each hour once', async () => {
    await using store = await openPrevious(engine);
    const previous = await store.another();
    const read = async () => {
      const rows = await previous.run<Record<string, unknown>>(previousHours, ['a', morning]);
      return rows.map(readHour).toSorted((one, other) => one.hour - other.hour);
    };
    expect(await read()).toEqual(hours);
    await migrate(store.database, now);
    expect(await read()).toEqual(hours);
    await previous.close();
  });
});

test('the previous version sweeps on PostgreSQL, where it may run beside this one', async () => {
  const engine = engines.find(({ name }) => name === 'PostgreSQL');
  if (!engine) throw new Error('There is no PostgreSQL to test on.');
  await using store = await openPrevious(engine);
  const previous = await store.another();
  await previous.run(previousSweep, [1]);
  await migrate(store.database, now);
  await previous.run(previousSweep, [Number.MAX_SAFE_INTEGER]);
  expect(await hoursOf(store.database)).toEqual(hours);
  await previous.close();
});

/** A store of the previous version that was upgraded today from one that counted hours apart. */
async function openPrevious(engine: Engine) {
  const store = await engine.open();
  const before = migrations.filter(({ version }) => version < moving);
  await migrate(store.database, now, before);
  const { run } = store.database;
  for (const { hour, requests, failures, cost } of hours) {
    await run(usage('usage_hours', 'hour', hour, requests, failures, cost));
  }
  // The day has these hours, and one that was swept since.
  await run(usage('usage_days', 'day', day, 15, 2, 68_000));
  return { ...store, [Symbol.asyncDispose]: store.discard };
}

function usage(table: string, slot: string, at: number, ...sums: number[]): string {
  return `insert into ${table}
      (account_id, ${slot}, key_id, tool, provider, requests, failures, cost)
    values ('a', ${at}, 'k', 'search', 'engine_a', ${sums.join(', ')})`;
}

async function hoursOf(database: Database) {
  const parts = await listParts(database, { unit: 'hour', account_id: 'a', from: morning });
  const hours = parts.map(({ unit, ...part }) => ({ hour: unit, ...part }));
  return hours.map(readHour).toSorted((one, other) => one.hour - other.hour);
}

function readHour(row: object) {
  const { hour, requests, failures, cost } = row as Record<string, unknown>;
  return {
    hour: Number(hour),
    requests: Number(requests),
    failures: Number(failures),
    cost: Number(cost),
  };
}
