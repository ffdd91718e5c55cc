// Concurrency limit: a bounded number of calls run, a bounded number wait for a bounded time.
import type { Clock } from './clock.ts';

export interface ConcurrencyLimits {
  maxRunning: number;
  maxWaiting: number;
  maxWaitMs: number;
}

export interface ConcurrencyLimiter {
  /** False when the limit is reached and stays so. `leave` must follow every true. */
  enter: (signal?: AbortSignal) => boolean | Promise<boolean>;
  leave: () => void;
  running: () => number;
  waiting: () => number;
}

export function makeConcurrencyLimiter(
  limits: ConcurrencyLimits,
  clock: Clock,
): ConcurrencyLimiter {
  // A set keeps the order of arrival and removes an entry without a search.
  const queue = new Set<() => void>();
  let running = 0;
  return {
    enter: (signal) => {
      if (running < limits.maxRunning) {
        running += 1;
        return true;
      }
      if (queue.size >= limits.maxWaiting) return false;
      return waitForTurn(queue, limits.maxWaitMs, clock, signal);
    },
    leave: () => {
      const [next] = queue;
      // The slot passes to the next in the queue, so that no new call can overtake it.
      if (next) next();
      else running -= 1;
    },
    running: () => running,
    waiting: () => queue.size,
  };
}

function waitForTurn(
  queue: Set<() => void>,
  maxWaitMs: number,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const turn = Promise.withResolvers<boolean>();
  const admitted = new AbortController();
  const admit = () => {
    queue.delete(admit);
    turn.resolve(true);
    admitted.abort();
  };
  const giveUp = () => {
    if (queue.delete(admit)) turn.resolve(false);
  };
  queue.add(admit);
  const stop = signal ? AbortSignal.any([admitted.signal, signal]) : admitted.signal;
  clock.sleep(maxWaitMs, stop).then(giveUp, giveUp);
  return turn.promise;
}
