// Keeps a table within its limits: after enough was written, the rows that expire first are
// deleted.
import { nextTurn } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Runner } from './database.ts';

export interface TableSize {
  entries: number;
  bytes: number;
}

interface Trimmed {
  database: Database;
  log: Log;
  /** The subject of the log message for a failure. */
  what: string;
  limits: { max_entries: number; max_bytes: number };
  measure: (on: Runner) => Promise<TableSize>;
  /** Deletes this many rows, and returns their size. */
  deleteFirst: (on: Runner, rows: number) => Promise<TableSize>;
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
  const size = await measure(database.reader);
  while (size.entries > limits.max_entries || size.bytes > limits.max_bytes) {
    const excess = Math.max(size.entries - limits.max_entries, Math.ceil(size.entries / 20));
    const gone = await deleteFirst(database, Math.min(stepRows, excess));
    if (gone.entries === 0) return;
    size.entries -= gone.entries;
    size.bytes -= gone.bytes;
    await nextTurn();
  }
}
