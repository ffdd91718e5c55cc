// Rows that leave a table: those that expire, and those above the limits of a table, of which the
// ones that expire first are deleted, beginning with the account that has most.
import { machine } from '../platform/machine.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../settings/index.ts';
import type { Database, Runner } from './database.ts';
import { query, reader, text, whole } from './table.ts';

type KeptSettings = Pick<
  Settings,
  | 'request_log_days'
  | 'request_log_hours'
  | 'audit_log_days'
  | 'cache_keep_hours'
  | 'webhook_log_days'
>;

/** Rows of one kind that expire. `app/retention.ts` runs the steps. */
export interface Expiring {
  /** The name in the log and in the metrics. */
  kind: string;
  /** How long a row is kept, or the shortest time if each has its own expiry. */
  keptMs: number | ((settings: KeptSettings) => number);
  /** Deletes or folds at most `limit` rows, and returns how many it found. */
  step: (database: Database, at: { now: number; keptMs: number }, limit: number) => Promise<number>;
  /** The limit of a step. */
  rows?: number;
}

interface ExpiringRows extends Omit<Expiring, 'kind' | 'step'> {
  table: string;
  /** The name of the table if absent. */
  kind?: string;
  /** The columns of the table's key. */
  key: string;
  /** Deletes rows whose expiry in this column is not later than `at`, by default now. */
  expires?: string;
  /** Deletes rows with a smaller value in this column than `at`, by default `keptMs` ago. */
  since?: string;
  at?: (now: number, keptMs: number) => number;
}

export function expiring({
  table,
  kind = table,
  key,
  expires,
  since = 'created_at',
  at = (now, keptMs) => (expires === undefined ? now - keptMs : now),
  ...retention
}: ExpiringRows): Expiring {
  const due = expires === undefined ? `${since} < $1` : `${expires} <= $1`;
  const deleteDue = deleteSteps({ table, key, due, order: expires ?? since });
  return {
    kind,
    ...retention,
    step: (database, { now, keptMs }, limit) => deleteDue(database, at(now, keptMs), limit),
  };
}

/** Deletes at most `limit` due rows, in order, and returns how many. */
export function deleteSteps({
  table,
  key,
  due,
  order,
}: Record<'table' | 'key' | 'due' | 'order', string>) {
  const text = `delete from ${table} where (${key}) in
    (select ${key} from ${table} where ${due} order by ${order} limit $2) returning 1`;
  return async (on: Runner, at: number, limit: number): Promise<number> =>
    (await on.run(text, [at, limit])).length;
}

interface TableSize {
  entries: number;
  bytes: number;
}

interface Trimmed {
  database: Database;
  log: Log;
  /** The subject of the log message for a failure. */
  what: string;
  limits: { max_entries: number; max_bytes: number };
  /** It has a column `bytes`. */
  table: string;
  key: string;
  /** The columns whose smallest values are deleted first. */
  order: string;
  /** Begins with the account that has most. Otherwise all rows are one list. */
  byAccount?: true;
}

/** The table is measured when this share of a limit was written since the last measurement. */
const measuredShare = 1 / 20;
/** A step of this size takes a few milliseconds. */
const stepRows = 100;

export function makeTrim(trimmed: Trimmed) {
  const { database, limits, log, what } = trimmed;
  let unmeasured = { entries: Infinity, bytes: Infinity };
  let trimming = false;
  const trimIfDue = () => {
    const isDue =
      unmeasured.entries > limits.max_entries * measuredShare ||
      unmeasured.bytes > limits.max_bytes * measuredShare;
    if (!isDue || trimming) return;
    trimming = true;
    unmeasured = { entries: 0, bytes: 0 };
    trim(trimmed)
      .catch((error: unknown) => log.warn({ err: error }, `${what} could not be trimmed`))
      .finally(() => {
        trimming = false;
        trimIfDue();
      });
  };
  return {
    /** Counts rows that were written. Deletes in the background. */
    add: (written: readonly Pick<TableSize, 'bytes'>[]) => {
      addSize(unmeasured, sizeOf(written));
      trimIfDue();
    },
    size: async () => sumOf(await measure(database.reader, trimmed)),
  };
}

async function trim(trimmed: Trimmed): Promise<void> {
  const { database, limits } = trimmed;
  const sizes = await measure(database.reader, trimmed);
  const size = sumOf(sizes);
  while (size.entries > limits.max_entries || size.bytes > limits.max_bytes) {
    const [first, ...others] = sizes;
    if (!first) return;
    const largest = others.reduce((max, one) => (one.bytes > max.bytes ? one : max), first);
    const excess = Math.max(size.entries - limits.max_entries, Math.ceil(size.entries / 20));
    const rows = Math.min(stepRows, excess);
    const gone = await deleteFirst(database, trimmed, largest.account_id, rows);
    // Another gateway deleted its rows.
    if (gone.entries === 0) sizes.splice(sizes.indexOf(largest), 1);
    addSize(largest, gone, -1);
    addSize(size, gone, -1);
    await machine.nextTurn();
  }
}

const readSize = reader({ account_id: text, entries: whole, bytes: whole });

/** Reads only an index. */
function measure(on: Runner, { table, byAccount }: Trimmed) {
  const [account, group] = byAccount ? ['account_id', ' group by account_id'] : ["''", ''];
  return query.rows(
    on,
    readSize,
    `select ${account} as account_id, count(*) as entries, coalesce(sum(bytes), 0) as bytes
     from ${table}${group}`,
  );
}

async function deleteFirst(
  on: Runner,
  { table, key, order, byAccount }: Trimmed,
  accountId: string,
  limit: number,
): Promise<TableSize> {
  const where = byAccount ? 'where account_id = $2 ' : '';
  const rows = await on.run(
    `delete from ${table} where ${key} in
       (select ${key} from ${table} ${where}order by ${order} limit $1) returning bytes`,
    byAccount ? [limit, accountId] : [limit],
  );
  return sizeOf(rows.map((row) => ({ bytes: Number(row['bytes']) })));
}

function sizeOf(rows: readonly Pick<TableSize, 'bytes'>[]): TableSize {
  return { entries: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function sumOf(sizes: readonly TableSize[]): TableSize {
  const sum = { entries: 0, bytes: 0 };
  for (const size of sizes) addSize(sum, size);
  return sum;
}

function addSize(size: TableSize, { entries, bytes }: TableSize, times = 1): void {
  size.entries += times * entries;
  size.bytes += times * bytes;
}
