// Decides when a worker looks at a job again: exponential backoff with jitter, never shorter than
// the provider asks for.

export interface PollSchedule {
  /** Seconds between requests, in order; the last value repeats. */
  poll_after_s: readonly number[];
  lookup_after_s: readonly number[];
  /** This long after the submission, no callback can arrive any more. */
  callback_bound_s?: number;
  /** Set for an attempt without a callback: when its call was lost, no answer arrives after this. */
  answer_bound_s?: number;
}

const firstPauseMs = 1000;
const maxPauseMs = 60_000;

/** How long a refused submission waits: doubling each time, plus up to a quarter of jitter. */
export function pauseBeforeRetry(tries: number, random: number, retryAfterMs = 0): number {
  const doubled = Math.min(firstPauseMs * 2 ** Math.min(tries, 6), maxPauseMs);
  return Math.round(Math.max(doubled, retryAfterMs) * (1 + random / 4));
}

export function afterTries(waitsS: readonly number[], tries: number): number {
  return (waitsS[Math.min(tries, waitsS.length - 1)] ?? 0) * 1000;
}

/** One account leaves some of a provider's concurrency to the others, if there are others. */
export function maxOfOneAccount(concurrency: number, isAlone: boolean): number {
  return isAlone ? concurrency : concurrency - Math.floor(concurrency / 8);
}
