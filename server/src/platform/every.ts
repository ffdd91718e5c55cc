// Repeats a task until it is stopped. The pause begins when a round has ended, so rounds never
// overlap, however slow the store is.
import type { Clock } from './clock.ts';

export interface Repeated {
  /** No round begins after this; one that has begun ends by itself. */
  stop: () => void;
}

/** An error ends its round only. */
export function every(
  clock: Pick<Clock, 'sleep'>,
  pauseMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Repeated {
  const stopped = new AbortController();
  const run = async () => {
    for (;;) {
      await clock.sleep(pauseMs, stopped.signal).catch(() => undefined);
      if (stopped.signal.aborted) return;
      await task().catch(onError);
    }
  };
  void run();
  return { stop: () => stopped.abort() };
}
