// Keeps the cache within its limits: when enough was written, the oldest entries are deleted.
import { nextTurn } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../store/index.ts';
import { deleteOldestEntries, measureEntries } from './store/entries.ts';

interface TrimContext {
  database: Database;
  log: Log;
  limits: { max_entries: number; max_bytes: number };
}

/** The cache is measured when this share of a limit was written since the last time. */
const measuredShare = 1 / 20;
/** A step of this size takes a few milliseconds. */
const stepRows = 100;

/** Returns a function that counts what was written, and deletes in the background. */
export function makeTrim(context: TrimContext): (entries: number, bytes: number) => void {
  const { limits, log } = context;
  let unmeasured = { entries: Infinity, bytes: Infinity };
  let trimming = false;
  return (entries, bytes) => {
    unmeasured = { entries: unmeasured.entries + entries, bytes: unmeasured.bytes + bytes };
    const isDue =
      unmeasured.entries > limits.max_entries * measuredShare ||
      unmeasured.bytes > limits.max_bytes * measuredShare;
    if (!isDue || trimming) return;
    trimming = true;
    unmeasured = { entries: 0, bytes: 0 };
    trim(context)
      .catch((error: unknown) => log.warn({ err: error }, 'the cache could not be trimmed'))
      .finally(() => {
        trimming = false;
      });
  };
}

async function trim({ database, limits }: TrimContext): Promise<void> {
  const size = await measureEntries(database.reader);
  while (size.entries > limits.max_entries || size.bytes > limits.max_bytes) {
    const excess = Math.max(size.entries - limits.max_entries, Math.ceil(size.entries / 20));
    const gone = await deleteOldestEntries(database, Math.min(stepRows, excess));
    if (gone.entries === 0) return;
    size.entries -= gone.entries;
    size.bytes -= gone.bytes;
    await nextTurn();
  }
}
