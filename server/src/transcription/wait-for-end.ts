// Waits until jobs have ended. Any gateway may run them, so the store is polled: one query for all
// waiting callers, at growing intervals.
import type { JobContext } from './job-context.ts';
import { listOpen } from './store/job-counts.ts';

const firstPauseMs = 100;
const longestPauseMs = 2000;
/**
 * The maximum in one statement. If there are more jobs, the first ones are polled until they end.
 */
const maxAsked = 5000;

/** False if the signal aborts first. The job continues. */
export type WaitForEnd = (id: string, signal: AbortSignal) => Promise<boolean>;

export function makeWaitForEnd({
  database,
  clock,
  log,
}: Pick<JobContext, 'database' | 'clock' | 'log'>): WaitForEnd {
  const waiting = new Map<string, Set<(hasEnded: boolean) => void>>();
  let pauseMs = firstPauseMs;
  let isLooping = false;
  const look = async () => {
    const asked = [...waiting.keys()].slice(0, maxAsked);
    const open = new Set(await listOpen(database, asked));
    for (const id of asked.filter((one) => !open.has(one))) {
      for (const resolve of waiting.get(id) ?? []) resolve(true);
      waiting.delete(id);
    }
  };
  const loop = async () => {
    isLooping = true;
    while (waiting.size > 0) {
      await look().catch((error: unknown) => {
        log.warn({ err: error }, 'the store could not be asked which jobs have ended');
      });
      await clock.sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
    }
    isLooping = false;
  };
  return (id, signal) => {
    if (signal.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiters = waiting.get(id) ?? new Set();
    waiting.set(id, waiters.add(resolve));
    const leave = () => {
      waiters.delete(resolve);
      if (waiters.size === 0 && waiting.get(id) === waiters) waiting.delete(id);
      resolve(false);
    };
    signal.addEventListener('abort', leave, { once: true });
    pauseMs = firstPauseMs;
    if (!isLooping) void loop();
    return promise.finally(() => signal.removeEventListener('abort', leave));
  };
}
