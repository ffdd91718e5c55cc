// Tables that PostgreSQL partitions by time. Partitions are created ahead of time and dropped
// whole, so that a long table costs no more than a short one. No step waits for a lock that
// payments hold.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { systemClock } from '../../platform/clock.ts';
import type { Database, Runner } from '../database.ts';
import { deleteSteps } from '../expiring.ts';
import { query } from '../table.ts';
import type { MigrationPart } from '../migrations/migration-steps.ts';

/** Times in milliseconds. Rows outside every range are in the default partition. */
export interface Partition {
  name: string;
  /** `-Infinity` for rows from before the table was partitioned. */
  from: number;
  before: number;
  isDefault: boolean;
}

/** Gateways of older versions create no partitions, and may continue to write for a while. */
const ahead = 3;
/**
 * Attaching a partition reads the default partition, and gateways that write to it wait until that
 * is done.
 */
const maxDefaultBytes = 64 * 1024 * 1024;

/**
 * Makes a table the first partition of a new one with its name. No row is moved: rows written until
 * `before` stay where they are. The table is read once, while others write.
 */
export function partitionParts(table: string, before: number, isNew: boolean): MigrationPart[] {
  const bound = `${table}_bound`;
  const swap = [
    `alter table ${table} rename to ${table}_before`,
    `create table ${table} (like ${table}_before including defaults) partition by range (created_at)`,
    `alter table ${table} attach partition ${table}_before for values from (minvalue) to (${before})`,
    `alter table ${table}_before drop constraint if exists ${bound}`,
    `create table ${table}_rest (like ${table}_before including all)`,
    `alter table ${table} attach partition ${table}_rest default`,
  ];
  if (isNew) return [{ statements: swap }];
  return [
    // A row dated far in the future was written with a wrong clock.
    {
      statements: [
        `update ${table} set created_at = ${before} - 1 where created_at >= ${before}`,
        `alter table ${table} add constraint ${bound} check (created_at < ${before}) not valid`,
      ],
    },
    { statements: [`alter table ${table} validate constraint ${bound}`] },
    { statements: swap },
  ];
}

/** Oldest first, the default partition last. Empty if the table is not partitioned. */
export async function listPartitions(on: Runner, table: string): Promise<Partition[]> {
  const rows = await on.run<{ name: string; bounds: string }>(
    `select part.relname as name, pg_get_expr(part.relpartbound, part.oid) as bounds
     from pg_inherits join pg_class as part on part.oid = inhrelid
     where inhparent = to_regclass($1)`,
    [table],
  );
  return rows
    .map(({ name, bounds }) => {
      if (bounds === 'DEFAULT') {
        return { name, from: -Infinity, before: Infinity, isDefault: true };
      }
      const from = Number(/FROM \('(-?\d{1,16})'\)/.exec(bounds)?.[1] ?? -Infinity);
      const before = Number(/TO \('(-?\d{1,16})'\)/.exec(bounds)?.[1] ?? Number.NaN);
      return { name, from, before, isDefault: false };
    })
    .toSorted((one, other) => one.before - other.before);
}

/** Now, and how long rows are kept. */
interface Retention {
  now: number;
  keptMs: number;
}

/** A table that has partitions on PostgreSQL. On SQLite, old rows are deleted in small steps. */
export function partitioned(table: string) {
  return {
    /** Runs before the gateway serves, and then periodically. */
    make: async (database: Database, retention: Retention): Promise<void> => {
      if (database.engine === 'postgres') await makePartitions(database, table, retention);
    },
    /** The size of the default partition, if it is too large to create more. */
    tooLargeRest: async (database: Database, maxBytes?: number): Promise<number | undefined> =>
      database.engine === 'postgres' ? tooLargeRest(database, table, maxBytes) : undefined,
    /** Returns how many rows it deleted one by one. */
    deleteOld: (database: Database, retention: Retention, limit: number): Promise<number> =>
      deleteOld(database, table, retention, limit),
  };
}

/**
 * Creates the current partition and the next ones. Rows that were written while there was none are
 * in the default partition, and stay there.
 */
async function makePartitions(
  database: Database,
  table: string,
  { now, keptMs }: Retention,
): Promise<void> {
  const lengthMs = partitionLengthMs(keptMs);
  let partitions = await listPartitions(database, table);
  const rest = partitions.find(({ isDefault }) => isDefault);
  if (!rest) return;
  partitions = await withoutTooLong(database, { table, partitions, now, lengthMs });
  const made = partitions.filter(({ isDefault }) => !isDefault);
  let from = startOf(now, lengthMs);
  while (from < now + ahead * lengthMs) {
    const start = from;
    const known = made.find((one) => one.from <= start && start < one.before);
    if (known) {
      from = known.before;
      continue;
    }
    // Ends at the next partition: an earlier attempt may have skipped this range while it was
    // locked.
    const later = made.flatMap((one) => (one.from > start ? [one.from] : []));
    const before = Math.min(startOf(from, lengthMs) + lengthMs, ...later);
    if (from <= now && (await hasRows(database, rest.name, from, before))) {
      // Its rows are in the past, so the next hour is free.
      from = startOf(now, hourMs) + hourMs;
      continue;
    }
    if (!(await hasRows(database, rest.name, from, before))) {
      await makePartition(database, { table, rest: rest.name, from, before });
    }
    from = before;
  }
}

/** After a change to shorter partitions, the future ones are empty and are created again. */
async function withoutTooLong(
  database: Database,
  { table, partitions, now, lengthMs }: Made & { now: number },
): Promise<Partition[]> {
  const isTooLong = ({ from, before, isDefault }: Partition) =>
    !isDefault && from > now && before - from > lengthMs;
  const left: Partition[] = [];
  for (const one of partitions.toReversed()) {
    const isDropped =
      isTooLong(one) &&
      !(await hasRows(database, one.name, one.from, one.before)) &&
      (await dropPartition(database, table, one.name));
    if (!isDropped) left.unshift(one);
  }
  return left;
}

interface Made {
  table: string;
  partitions: Partition[];
  lengthMs: number;
}

function hasRows(on: Runner, name: string, from: number, before: number): Promise<boolean> {
  const text = `select 1 from ${name} where created_at >= $1 and created_at < $2 limit 1`;
  return query.exists(on, text, [from, before]);
}

/** In megabytes. All new rows are then added to it, and each is deleted individually. */
async function tooLargeRest(
  on: Runner,
  table: string,
  maxBytes = maxDefaultBytes,
): Promise<number | undefined> {
  const bytes = await query.number(
    on,
    `select pg_relation_size(part.oid)
     from pg_inherits join pg_class as part on part.oid = inhrelid
     where inhparent = to_regclass($1) and pg_get_expr(part.relpartbound, part.oid) = 'DEFAULT'`,
    [table],
  );
  return bytes > maxBytes ? Math.round(bytes / 1024 / 1024) : undefined;
}

/** Does nothing while the default partition is in use or is large. The next round tries again. */
async function makePartition(
  database: Database,
  { table, rest, from, before }: { table: string; rest: string; from: number; before: number },
): Promise<void> {
  const name = `${table}_${new Date(from).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`;
  const making = database.transaction(async (tx) => {
    if (!(await lockPartitions(tx, table))) return;
    const [there] = await tx.run(
      'select to_regclass($1) is not null as made, pg_relation_size($2) as bytes',
      [name, rest],
    );
    if (there?.['made'] === true || Number(there?.['bytes']) > maxDefaultBytes) return;
    await tx.run(`lock table only ${rest} in access exclusive mode nowait`);
    await tx.run(`create table ${name} (like ${rest} including all)`);
    await tx.run(
      `alter table ${table} attach partition ${name} for values from (${from}) to (${before})`,
    );
  });
  await making.catch(orLocked);
}

const lockNotAvailable = '55P03';

function orLocked(error: unknown): false {
  if ((error as { errno?: unknown }).errno !== lockNotAvailable) throw error;
  return false;
}

/** Only one gateway works on the partitions at a time. The others need not wait. */
async function lockPartitions(tx: Runner, table: string): Promise<boolean> {
  const [row] = await tx.run('select pg_try_advisory_xact_lock(hashtext($1)) as is_mine', [
    `trivium partitions of ${table}`,
  ]);
  return row?.['is_mine'] === true;
}

/**
 * Deletes the rows of a partitioned table that are no longer kept: whole partitions, and at most
 * `limit` rows one by one where that takes too long. Returns how many of the latter.
 */
async function deleteOld(
  database: Database,
  table: string,
  { now, keptMs }: Retention,
  limit: number,
): Promise<number> {
  const oldest = now - keptMs;
  const isPartitioned = database.engine === 'postgres';
  if (isPartitioned) await dropPartitions(database, table, oldest);
  const partitions = isPartitioned ? await listPartitions(database, table) : [];
  // Dropping a long partition whole would take too long.
  const lengthMs = partitionLengthMs(keptMs);
  const long = partitions.filter((one) => one.isDefault || one.before - one.from > lengthMs);
  const names = partitions.length === 0 ? [table] : long.map(({ name }) => name);
  let deleted = 0;
  const due = { key: 'id', due: 'created_at < $1', order: 'created_at' };
  for (const name of names) {
    const step = deleteSteps({ table: name, ...due });
    if (deleted < limit) deleted += await step(database, oldest, limit - deleted);
  }
  return deleted;
}

/** Drops partitions that end before this time, oldest first. */
async function dropPartitions(database: Database, table: string, oldest: number): Promise<void> {
  for (const { name, before } of await listPartitions(database, table)) {
    if (before > oldest || !(await dropPartition(database, table, name))) return;
  }
}

const dropAttempts = 20;
const dropPauseMs = 25;
const lockTimeoutMs = 100;

/** False if the table was always in use, or if another gateway is working on its partitions. */
async function dropPartition(database: Database, table: string, name: string): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    // A lock request that fails at once delays no payment. Only the last attempt waits.
    const wait = attempt < dropAttempts ? ' nowait' : '';
    const dropping = database.transaction(async (tx) => {
      if (!(await lockPartitions(tx, table))) return false;
      const [found] = await tx.run('select to_regclass($1) is null as is_gone', [name]);
      if (found?.['is_gone'] === true) return true;
      await tx.run(`set local lock_timeout = ${lockTimeoutMs}`);
      await tx.run(`lock table only ${table} in access exclusive mode${wait}`);
      await tx.run(`lock table only ${name} in access exclusive mode${wait}`);
      await tx.run(`drop table ${name}`);
      return true;
    });
    const isDropped = await dropping.catch(orLocked);
    if (isDropped || attempt === dropAttempts) return isDropped;
    await systemClock.sleep(dropPauseMs);
  }
}

/**
 * About a tenth of the retention period, so that there are few partitions and little is kept for
 * too long.
 */
function partitionLengthMs(keptMs: number): number {
  if (keptMs <= 2 * dayMs) return hourMs;
  return keptMs <= 35 * dayMs ? dayMs : 7 * dayMs;
}

function startOf(at: number, lengthMs: number): number {
  return Math.floor(at / lengthMs) * lengthMs;
}
