// Waits until a job has ended. Any gateway may run it, so the store is asked, less often with time.
import { findJob } from './store/jobs.ts';
import type { JobContext } from './job-context.ts';

const firstPauseMs = 100;
const longestPauseMs = 2000;

/** False when the signal aborts first. The job goes on. */
export async function waitForEnd(
  { database, clock }: Pick<JobContext, 'database' | 'clock'>,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (let pauseMs = firstPauseMs; !signal.aborted;) {
    const job = await findJob(database, id);
    if (job?.finished_at !== null) return true;
    await clock.sleep(pauseMs, signal).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
  }
  return false;
}
