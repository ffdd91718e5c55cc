// When to look at a job again: waits that grow, spread by chance, and never shorter than a
// provider asks for.

export interface Pace {
  /** Seconds between questions: the first ones, then the last for ever. */
  poll_after_s: readonly number[];
  lookup_after_s: readonly number[];
  /** So long after it was sent, nothing can arrive by callback any more. */
  callback_bound_s?: number;
}

const first_pause_ms = 1000;
const longest_pause_ms = 60_000;

/** How long a refused submission waits: doubling, with up to a quarter of spread. */
export function pauseBeforeRetry(tries: number, chance: number, retry_after_ms = 0): number {
  const doubled = Math.min(first_pause_ms * 2 ** Math.min(tries, 6), longest_pause_ms);
  return Math.round(Math.max(doubled, retry_after_ms) * (1 + chance / 4));
}

export function afterTries(waits_s: readonly number[], tries: number): number {
  return (waits_s[Math.min(tries, waits_s.length - 1)] ?? 0) * 1000;
}
