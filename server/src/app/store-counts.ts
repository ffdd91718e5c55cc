// What the metrics say about the store: counted in the background, so that a scrape reads no table.
import { countPending, type PendingCount } from '../events/index.ts';
import { every } from '../platform/every.ts';
import type { Repeated } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import type { ReadableDatabase } from '../store/index.ts';
import { countOpenJobs, type JobCount } from '../transcription/index.ts';

export interface StoreCounts {
  /** Empty until they are counted, and while they cannot be. */
  jobs: readonly JobCount[];
  deliveries: readonly PendingCount[];
}

const pauseMs = 5000;

/** The counts change in place. */
export function startCounting({ database, log }: CountContext): Repeated & {
  counts: StoreCounts;
} {
  const counts: StoreCounts = { jobs: [], deliveries: [] };
  const count = async () => {
    counts.jobs = await countOpenJobs(database.reader);
    counts.deliveries = [await countPending(database.reader)];
  };
  const onError = (error: unknown) => {
    counts.jobs = counts.deliveries = [];
    log.warn({ err: error }, 'jobs and deliveries could not be counted');
  };
  const task = { name: 'store_counts', work: count, onError, startsNow: true };
  return { ...every(pauseMs, task), counts };
}

interface CountContext {
  database: ReadableDatabase;
  log: Log;
}
