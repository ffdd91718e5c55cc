// Keeps a table within its limits: after enough was written, the rows that expire first are
// deleted, beginning with the account that has most.
import { nextTurn } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Runner } from './database.ts';

export interface TableSize {
  entries: number;
  bytes: number;
}

/** What one account has in a table. */
interface AccountSize extends TableSize {
  account_id: string;
}

interface Trimmed {
  database: Database;
  log: Log;
  /** The subject of the log message for a failure. */
  what: string;
  limits: { max_entries: number; max_bytes: number };
  measure: (on: Runner) => Promise<AccountSize[]>;
  /** Deletes this many rows of the account, and returns their size. */
  deleteFirst: (on: Runner, accountId: string, rows: number) => Promise<TableSize>;
}

/** The table is measured when this share of a limit was written since the last measurement. */
const measuredShare = 1 / 20;
/** A step of this size takes a few milliseconds. */
const stepRows = 100;

/** Returns a function that counts writes, and deletes in the background. */
export function makeTrim(trimmed: Trimmed): (entries: number, bytes: number) => void {
  const { limits, log, what } = trimmed;
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
  return (entries, bytes) => {
    unmeasured = { entries: unmeasured.entries + entries, bytes: unmeasured.bytes + bytes };
    trimIfDue();
  };
}

async function trim({ database, limits, measure, deleteFirst }: Trimmed): Promise<void> {
  const sizes = await measure(database.reader);
  const size = { entries: 0, bytes: 0 };
  for (const { entries, bytes } of sizes) addSize(size, entries, bytes);
  while (size.entries > limits.max_entries || size.bytes > limits.max_bytes) {
    const [first, ...others] = sizes;
    if (!first) return;
    const largest = others.reduce((most, one) => (one.bytes > most.bytes ? one : most), first);
    const excess = Math.max(size.entries - limits.max_entries, Math.ceil(size.entries / 20));
    const gone = await deleteFirst(database, largest.account_id, Math.min(stepRows, excess));
    // Another gateway deleted its rows.
    if (gone.entries === 0) sizes.splice(sizes.indexOf(largest), 1);
    addSize(largest, -gone.entries, -gone.bytes);
    addSize(size, -gone.entries, -gone.bytes);
    await nextTurn();
  }
}

function addSize(size: TableSize, entries: number, bytes: number): void {
  size.entries += entries;
  size.bytes += bytes;
}
