// The clock, passed as a dependency so that tests can set the time.
import { setImmediate, setTimeout } from 'node:timers/promises';

export interface Clock {
  now: () => Date;
  /** Monotonic milliseconds, for measuring durations. */
  ticks: () => number;
  /** Rejects when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  ticks: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
};

/** Yields to the event loop, so that other requests are served in between. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}
