// The request log on PostgreSQL: partitions that are created in advance and dropped as a whole, and
// the upgrade of a log that was one table.
import { expect, test } from 'bun:test';
import { deleteExpired, makePartitions } from '../../src/app/retention.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { listPartitions, type Partition } from '../../src/store/postgres/partitions.ts';
import { postgresEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.parse('2026-11-18T09:30:00Z');

/** A gateway that keeps its log for this long, at this time. */
function gatewayAt(database: Database, at: number, kept: { days?: number; hours?: number }) {
  const { days = 90, hours } = kept;
  return {
    database,
    clock: { ...systemClock, now: () => new Date(at) },
    log: makeLog('silent'),
    settings: {
      ...{ request_log_days: days, audit_log_days: 365, cache_keep_hours: 1, webhook_log_days: 30 },
      ...(hours === undefined ? {} : { request_log_hours: hours }),
    },
  };
}

/** As gateways of every version insert a row. */
async function insert(database: Database, id: string, at: number): Promise<void> {
  await database.run(
    `insert into requests
       (id, account_id, key_id, tool, status, warnings, cost, latency_ms, created_at)
     values ($1, 'a', 'k', 'search', 200, 0, 0, 1, $2)`,
    [id, at],
  );
}

async function idsIn(database: Database, table: string): Promise<unknown[]> {
  return (await database.run(`select id from ${table} order by id`)).map(({ id }) => id);
}

async function rangesOf(database: Database): Promise<string[]> {
  const show = (at: number) => (Number.isFinite(at) ? new Date(at).toISOString() : 'any');
  const shown = ({ from, before, isDefault }: Partition) =>
    isDefault ? 'default' : `${show(from).slice(0, 13)} to ${show(before).slice(0, 13)}`;
  return (await listPartitions(database, 'requests')).map(shown);
}

/** Counts the rows that are deleted one by one. */
function countingDeletes(database: Database): { counting: Database; deleted: () => number } {
  let deleted = 0;
  const run: Database['run'] = async (text, values) => {
    const rows = await database.run(text, values);
    if (text.startsWith('delete from requests')) deleted += rows.length;
    return rows as never;
  };
  return { counting: { ...database, run }, deleted: () => deleted };
}

test('each row is in the partition of its time, and old partitions are dropped as a whole', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  await makePartitions(gatewayAt(database, now, { days: 7 }));
  expect(await rangesOf(database)).toEqual([
    'any to 1970-01-01T00',
    '2026-11-18T00 to 2026-11-19T00',
    '2026-11-19T00 to 2026-11-20T00',
    '2026-11-20T00 to 2026-11-21T00',
    '2026-11-21T00 to 2026-11-22T00',
    'default',
  ]);
  await insert(database, 'today', now);
  await insert(database, 'tomorrow', now + dayMs);
  expect(await idsIn(database, 'requests_2026111800')).toEqual(['today']);
  expect(await idsIn(database, 'requests_rest')).toEqual([]);

  const { counting, deleted } = countingDeletes(database);
  // The last moment of the oldest partition is still kept.
  await deleteExpired(gatewayAt(counting, now + 7 * dayMs, { days: 7 }));
  expect(await idsIn(database, 'requests')).toEqual(['today', 'tomorrow']);
  await deleteExpired(gatewayAt(counting, now + 8 * dayMs, { days: 7 }));
  expect(await idsIn(database, 'requests')).toEqual(['tomorrow']);
  expect(deleted()).toBe(0);
  expect((await rangesOf(database))[0]).toBe('2026-11-19T00 to 2026-11-20T00');
});

test('rows written while there is no partition are kept, found and deleted in time', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  await makePartitions(gatewayAt(database, now, { days: 7 }));
  const later = now + 10 * dayMs;
  await insert(database, 'late_1', later - 2 * dayMs);
  await insert(database, 'late_2', later);
  // A clock that is wrong by years must not stop the log.
  await insert(database, 'ahead', later + 4000 * dayMs);
  await insert(database, 'behind', now - 4000 * dayMs);
  const other = await store.another();
  await Promise.all(
    [database, other].map((one) => makePartitions(gatewayAt(one, later, { days: 7 }))),
  );
  await other.close();
  await makePartitions(gatewayAt(database, later, { days: 7 }));
  const ranges = await rangesOf(database);
  expect(ranges).toContain('2026-11-28T10 to 2026-11-29T00');
  expect(ranges).toContain('2026-11-29T00 to 2026-11-30T00');
  await insert(database, 'next', later + hourMs);
  expect(await idsIn(database, 'requests_2026112810')).toEqual(['next']);
  await deleteExpired(gatewayAt(database, later + 6 * dayMs, { days: 7 }));
  expect(await idsIn(database, 'requests')).toEqual(['ahead', 'late_2', 'next']);
  expect(await idsIn(database, 'requests_rest')).toEqual(['ahead', 'late_2']);
});

test('a gap between partitions is closed, up to the next one', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  const gateway = gatewayAt(database, now, { days: 7 });
  await makePartitions(gateway);
  const whole = await rangesOf(database);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
  for (const ahead of [[0], [1], [1, 2], [3], [0, 2]]) {
    for (const days of ahead)
      await database.run(`drop table requests_${day(now + days * dayMs)}00`);
    await makePartitions(gateway);
    expect(await rangesOf(database)).toEqual(whole);
  }
  // A gap with a row is left open: the row is in the default partition.
  await database.run(`drop table requests_${day(now + 2 * dayMs)}00`);
  await insert(database, 'ahead', now + 2 * dayMs);
  await makePartitions(gateway);
  expect(await rangesOf(database)).toEqual(whole.toSpliced(3, 1));
  await database.run(`delete from requests`);
  await makePartitions(gateway);
  // What is left of a day ends where the next partition begins.
  await database.run(`drop table requests_${day(now + dayMs)}00`);
  const noon = Date.parse('2026-11-19T12:00:00Z');
  await database.run(
    `create table requests_noon partition of requests for values from (${noon}) to (${noon + dayMs / 2})`,
  );
  await makePartitions(gateway);
  expect(await rangesOf(database)).toContain('2026-11-19T00 to 2026-11-19T12');
});

test('a log that is kept for an hour has partitions of an hour, also after a change', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  await makePartitions(gatewayAt(database, now, { days: 90 }));
  expect((await rangesOf(database)).slice(1, 3)).toEqual([
    '2026-11-12T00 to 2026-11-19T00',
    '2026-11-19T00 to 2026-11-26T00',
  ]);
  await insert(database, 'a_minute_ago', now - 60_000);
  await insert(database, 'three_hours_ago', now - 3 * hourMs);
  const hourly = (at: number) => gatewayAt(database, at, { hours: 1 });
  await makePartitions(hourly(now));
  // The partition of this week has rows; those of the next weeks had none.
  expect(await rangesOf(database)).toEqual([
    'any to 1970-01-01T00',
    '2026-11-12T00 to 2026-11-19T00',
    'default',
  ]);
  await deleteExpired(hourly(now));
  expect(await idsIn(database, 'requests')).toEqual(['a_minute_ago']);
  const evening = Date.parse('2026-11-18T22:30:00Z');
  await makePartitions(hourly(evening));
  expect(await rangesOf(database)).toContain('2026-11-19T00 to 2026-11-19T01');
});

test('a partition that is being read is dropped later, and requests are served in the meantime', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  await makePartitions(gatewayAt(database, now, { days: 7 }));
  await insert(database, 'old', now);
  const later = gatewayAt(database, now + 20 * dayMs, { days: 7 });
  const reader = await store.another();
  await reader.transaction(async (tx) => {
    await tx.run('select id from requests');
    await deleteExpired(later);
    await insert(database, 'new', now + 20 * dayMs);
    expect(await idsIn(database, 'requests')).toEqual(['new', 'old']);
  });
  await reader.close();
  await deleteExpired(later);
  expect(await idsIn(database, 'requests')).toEqual(['new']);
});

test('a log that was one table becomes the first partition, with all its rows', async () => {
  const store = await postgresEngine.open('empty');
  const { database } = store;
  try {
    const before = migrations.filter(({ version }) => version < 44);
    await migrate(database, new Date(now), before);
    await insert(database, 'old', now - 30 * dayMs);
    await insert(database, 'new', now);
    // Its clock was wrong; the upgrade must not fail because of it.
    await insert(database, 'wrong', now + 4000 * dayMs);
    const older = await store.another();
    await insert(older, 'prepared_1', now);
    expect(await migrate(database, new Date(now))).toBe(migrations.length - before.length);
    expect(await rangesOf(database)).toEqual(['any to 2026-11-26T00', 'default']);
    // An older gateway has prepared its statements for the table of before.
    await insert(older, 'prepared_2', now + 20 * dayMs);
    const all = ['new', 'old', 'prepared_1', 'prepared_2', 'wrong'];
    expect(await idsIn(older, 'requests')).toEqual(all);
    await older.close();

    const taken = insert(database, 'new', now).catch((error: unknown) => error);
    expect(await taken).toMatchObject({ errno: '23505' });
    const cost = database.run("update requests set cost = -1 where id = 'new'");
    expect(await cost.catch((error: unknown) => error)).toMatchObject({ errno: '23514' });
    const gateway = gatewayAt(database, now + 5 * dayMs, { days: 30 });
    await makePartitions(gateway);
    expect(await rangesOf(database)).toContain('2026-11-26T00 to 2026-11-27T00');
    await deleteExpired(gateway);
    expect(await idsIn(database, 'requests_before')).toEqual(['new', 'prepared_1', 'wrong']);
    await deleteExpired(gatewayAt(database, now + 60 * dayMs, { days: 30 }));
    expect(await idsIn(database, 'requests')).toEqual([]);
    expect(await rangesOf(database)).toEqual(['default']);
  } finally {
    await store.discard();
  }
});

test('a migration builds an index on every partition, and new ones have it too', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  await makePartitions(gatewayAt(database, now, { days: 7 }));
  const text = 'create index requests_by_cost on requests (cost) where cost > 0;\n';
  await migrate(database, new Date(now), [...migrations, { version: 9000, text }]);
  await makePartitions(gatewayAt(database, now + dayMs, { days: 7 }));
  const rows = await database.run(
    `select tablename from pg_indexes where indexdef like '%(cost) where (cost > 0)'
       or indexdef like '%(cost) WHERE (cost > 0)'`,
  );
  const partitions = await listPartitions(database, 'requests');
  expect(rows.map(({ tablename }) => tablename).toSorted()).toEqual(
    partitions.map(({ name }) => name).toSorted(),
  );
});

test('a default partition that is too large is reported', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  const warnings: unknown[] = [];
  const warn = (values: unknown) => warnings.push(values);
  const gateway = gatewayAt(database, now, { days: 7 });
  const log = Object.assign(makeLog('silent'), { warn });
  await makePartitions({ ...gateway, log }, 0);
  expect(warnings).toEqual([]);
  await insert(database, 'early', now - 2 * dayMs);
  await makePartitions({ ...gateway, log });
  expect(warnings).toEqual([]);
  await makePartitions({ ...gateway, log }, 0);
  expect(warnings).toEqual([{ megabytes: 0 }]);
});
