// Lets a bounded number of calls through at once; a bounded number may wait a short while.
import type { Clock } from '../platform/clock.ts';

export interface TurnstileLimits {
  most_running: number;
  most_waiting: number;
  longest_wait_ms: number;
}

export interface Turnstile {
  /** False when there is no room and none came free in time. `leave` must follow every true. */
  enter: (signal?: AbortSignal) => boolean | Promise<boolean>;
  leave: () => void;
  running: () => number;
  waiting: () => number;
}

export function makeTurnstile(limits: TurnstileLimits, clock: Clock): Turnstile {
  // A set keeps the order of arrival and forgets one who gave up without a search.
  const queue = new Set<() => void>();
  let running = 0;
  return {
    enter: (signal) => {
      if (running < limits.most_running) {
        running += 1;
        return true;
      }
      if (queue.size >= limits.most_waiting) return false;
      return waitForTurn(queue, limits.longest_wait_ms, clock, signal);
    },
    leave: () => {
      const [next] = queue;
      // The place is handed on, so that nobody slips in between.
      if (next) next();
      else running -= 1;
    },
    running: () => running,
    waiting: () => queue.size,
  };
}

function waitForTurn(
  queue: Set<() => void>,
  longest_wait_ms: number,
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
  clock.sleep(longest_wait_ms, stop).then(giveUp, giveUp);
  return turn.promise;
}
