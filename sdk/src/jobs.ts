// Reads a job, and waits until it ends, with growing pauses.
import { contentSignalsHeader } from '@trivium/contract/content-signals';
import type { ContentMode, Job, Transcript, Warning } from '@trivium/contract';
import { ConnectionError, JobFailedError, TimedOutError } from './errors.ts';
import { pause, reasonOf } from './pause.ts';

export interface WaitOptions {
  /** Called after every read, including the last. */
  onProgress?: ((job: Job) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** How long to wait at most; the job itself keeps running. */
  timeoutMs?: number | undefined;
  /** The first pause between two reads; pauses grow to ten times this. */
  pollMs?: number | undefined;
  /** Checks the transcript; a blocked transcript is an error. */
  contentMode?: ContentMode | undefined;
}

export type CompletedJob = Job & { status: 'completed'; result: Transcript };

/** Resolves with the completed job; throws a JobFailedError if it failed. */
export async function waitForJob(
  read: (signal: AbortSignal) => Promise<Job>,
  options: WaitOptions = {},
): Promise<CompletedJob> {
  const { onProgress, signal, timeoutMs = waitLimitMs, pollMs = firstPauseMs } = options;
  const expiry = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? expiry : AbortSignal.any([signal, expiry]);
  let pauseMs = pollMs;
  let lost = 0;
  try {
    for (;;) {
      const job = await read(stop).catch((error: unknown) => {
        lost += 1;
        if (!(error instanceof ConnectionError) || lost > maxLostReads) throw error;
        return undefined;
      });
      if (job !== undefined) {
        lost = 0;
        onProgress?.(job);
        if (isCompleted(job)) return job;
        if (job.status === 'failed' && job.error) throw new JobFailedError(job, job.error);
      }
      await pause(pauseMs, stop);
      pauseMs = Math.min(pauseMs * pauseGrowth, pollMs * 10);
    }
  } catch (error) {
    if (signal?.aborted === true) throw reasonOf(signal);
    if (!expiry.aborted) throw error;
    throw new TimedOutError(`The job did not end within ${timeoutMs} ms; it keeps running.`);
  }
}

/** A little more than the two hours after which the gateway fails a job. */
const waitLimitMs = 130 * 60_000;
const firstPauseMs = 500;
const pauseGrowth = 1.5;
/** A restarting gateway is unreachable for a moment; that must not end a long wait. */
const maxLostReads = 10;

/**
 * What the gateway found in a transcript, from the headers of the answer: jobs have no warnings.
 */
export function warningsOfJob(headers: Headers): Warning[] {
  const found = headers.get(contentSignalsHeader);
  if (found === null || found === 'none') return [];
  return [{ code: 'content_flagged', param: 'text', message: found }];
}

function isCompleted(job: Job): job is CompletedJob {
  return job.status === 'completed' && job.result !== null;
}
