// The clock, passed down so that everything below it can be tested at any moment.

export interface Clock {
  now: () => Date;
  /** Milliseconds that only ever grow, for measuring. */
  ticks: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const system_clock: Clock = {
  now: () => new Date(),
  ticks: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((done, stopped) => {
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        stopped(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      });
    }),
};

/** Lets everything else that is ready run once. */
export function nextTurn(): Promise<void> {
  return new Promise((done) => void setImmediate(done));
}
