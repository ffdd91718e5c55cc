// Jobs: reading one, and waiting for its end with growing pauses.
import type { Job, Transcript } from '@trivium/contract';
import { ConnectionError, JobFailedError, TimedOutError } from './errors.ts';
import { pause, reasonOf } from './pause.ts';

export interface WaitOptions {
  /** Called after every read, the last one included. */
  on_progress?: ((job: Job) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** How long to wait at most; the job itself goes on. */
  timeout_ms?: number | undefined;
  /** The first pause between two reads; it grows up to ten times as long. */
  poll_ms?: number | undefined;
}

export type CompletedJob = Job & { status: 'completed'; result: Transcript };

/** Answers the completed job; a failed one is thrown as JobFailedError. */
export async function waitForJob(
  read: (signal: AbortSignal) => Promise<Job>,
  options: WaitOptions = {},
): Promise<CompletedJob> {
  const { on_progress, signal, timeout_ms = WAIT_LIMIT_MS, poll_ms = FIRST_PAUSE_MS } = options;
  const expiry = AbortSignal.timeout(timeout_ms);
  const stop = signal === undefined ? expiry : AbortSignal.any([signal, expiry]);
  let pause_ms = poll_ms;
  let lost = 0;
  try {
    for (;;) {
      const job = await read(stop).catch((error: unknown) => {
        lost += 1;
        if (!(error instanceof ConnectionError) || lost > MAX_LOST_READS) throw error;
        return undefined;
      });
      if (job !== undefined) {
        lost = 0;
        on_progress?.(job);
        if (isCompleted(job)) return job;
        if (job.error !== null) throw new JobFailedError(job, job.error);
      }
      await pause(pause_ms, stop);
      pause_ms = Math.min(pause_ms * PAUSE_GROWTH, poll_ms * 10);
    }
  } catch (error) {
    if (signal?.aborted === true) throw reasonOf(signal);
    if (!expiry.aborted) throw error;
    throw new TimedOutError(`The job had not ended after ${timeout_ms} ms; it goes on running.`);
  }
}

/** A little more than the two hours after which a job has failed by itself. */
const WAIT_LIMIT_MS = 130 * 60_000;
const FIRST_PAUSE_MS = 500;
const PAUSE_GROWTH = 1.5;
/** A gateway that restarts is away for a moment; that must not lose a long wait. */
const MAX_LOST_READS = 10;

function isCompleted(job: Job): job is CompletedJob {
  return job.status === 'completed' && job.result !== null;
}
