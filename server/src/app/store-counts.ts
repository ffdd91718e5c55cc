// What the metrics report about the store. It is counted in the background, so that a scrape reads
// no table.
import { countPending, type PendingCount } from '../events/index.ts';
import { every } from '../platform/every.ts';
import type { Repeated } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import type { ReadableDatabase, Runner } from '../store/index.ts';
import { countOpenJobs, type JobCount } from '../transcription/index.ts';

export interface StoreCounts {
  /** Empty until they are counted, and while they cannot be. */
  jobs: readonly JobCount[];
  deliveries: readonly PendingCount[];
}

const pauseMs = 5000;

/** The counts are updated in place. */
export function startCounting({ database, log }: CountContext): Repeated & {
  counts: StoreCounts;
} {
  const counts: StoreCounts = { jobs: [], deliveries: [] };
  const count = async () => {
    counts.jobs = await orNone(countOpenJobs, database, ({ length }) => length === 0);
    counts.deliveries = [await orNone(countPending, database, ({ count }) => count === 0)];
  };
  const onError = (error: unknown) => {
    counts.jobs = counts.deliveries = [];
    log.warn({ err: error }, 'jobs and deliveries could not be counted');
  };
  const task = { name: 'store_counts', work: count, onError, startsNow: true };
  return { ...every(pauseMs, task), counts };
}

/**
 * The reader of the embedded store is a thread that takes 5 MB. A gateway without jobs and events
 * need not start it, because checking for a single row is cheap.
 */
async function orNone<T>(
  count: (on: Runner, max?: number) => Promise<T>,
  database: ReadableDatabase & Runner,
  isNone: (counted: T) => boolean,
): Promise<T> {
  const first = await count(database, 1);
  return isNone(first) ? first : count(database.reader);
}

interface CountContext {
  database: ReadableDatabase & Runner;
  log: Log;
}
