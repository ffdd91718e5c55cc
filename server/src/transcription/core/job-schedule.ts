// Decides when a worker looks at a job again: exponential backoff with jitter, never shorter than
// the provider asks for.
import { backoff } from '../../platform/backoff.ts';

export interface PollSchedule {
  /** Seconds between requests, in order; the last value repeats. */
  poll_after_s: readonly number[];
  lookup_after_s: readonly number[];
  /** This long after the submission, no callback can arrive any more. */
  callback_bound_s?: number;
  /** Set for an attempt without a callback: when its call was lost, no answer arrives after this. */
  answer_bound_s?: number;
}

/** How long a refused submission waits. */
export const pauseBeforeRetry = backoff(1000, 2, 60_000, { shorter: 0, longer: 0.25 });

export function afterTries(waitsS: readonly number[], tries: number): number {
  return (waitsS[Math.min(tries, waitsS.length - 1)] ?? 0) * 1000;
}

/** One account leaves some of a provider's concurrency to the others, if there are others. */
export function maxOfOneAccount(concurrency: number, isAlone: boolean): number {
  return isAlone ? concurrency : concurrency - Math.floor(concurrency / 8);
}
