// The clock, passed as a dependency so that tests can set the time. Also time limits: one for a
// promise, and one for a fetch, which has to be aborted as well.
import { machine } from './machine.ts';

export interface Clock {
  now: () => Date;
  /** Monotonic milliseconds, for measuring durations. */
  ticks: () => number;
  /** Rejects when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(machine.now()),
  ticks: () => machine.ticks(),
  sleep: (ms, signal) => machine.sleep(ms, signal && { signal }),
};

/**
 * Rejects with `late()` if `work` takes longer than `limitMs`. The work itself continues, so its
 * owner must be able to ignore it. What arrived while this process was busy is not late.
 */
export function withTimeLimit<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const expire = () => void machine.nextTurn().then(() => reject(late()));
  const timer = machine.setTimeout(expire, limitMs);
  const end = <V>(settle: (value: V) => void, value: V) => {
    machine.clearTimeout(timer);
    settle(value);
  };
  work.then(
    (value) => end(resolve, value),
    (error: unknown) => end(reject, error),
  );
  return promise;
}

/** One signal for the time limit and the caller: `AbortSignal.any` of two costs more per call. */
export interface AbortLimit {
  controller: AbortController;
  caller: AbortSignal | undefined;
  /** Aborts when the caller does. */
  follow: () => void;
  timer: Timer | undefined;
  /** When the timer ends, and the limit, which may be later. */
  wakesAt: number;
  endsAt: number;
  /** The limit, for messages. */
  ms: number;
  /** The limit that expired, if one did. */
  expiredMs: number | undefined;
}

/** `shortestMs`: what it may be shortened to, which then needs no other timer. */
export function startAbortLimit(ms: number, caller?: AbortSignal, shortestMs = ms): AbortLimit {
  const controller = new AbortController();
  const follow = () => controller.abort();
  const endsAt = machine.ticks() + ms;
  const ended = { timer: undefined, wakesAt: endsAt, expiredMs: undefined };
  const limit: AbortLimit = { controller, caller, follow, endsAt, ms, ...ended };
  wakeIn(limit, Math.min(ms, shortestMs));
  caller?.addEventListener('abort', follow);
  if (caller?.aborted) follow();
  return limit;
}

function wakeIn(limit: AbortLimit, ms: number): void {
  machine.clearTimeout(limit.timer);
  limit.wakesAt = machine.ticks() + ms;
  limit.timer = machine.setTimeout(() => {
    const leftMs = limit.endsAt - machine.ticks();
    if (leftMs > 0) return wakeIn(limit, leftMs);
    limit.expiredMs = limit.ms;
    limit.controller.abort();
  }, ms);
}

/** Allows at most this much time from now on. Never extends the limit. */
export function shortenLimit(limit: AbortLimit, ms: number): void {
  const endsAt = machine.ticks() + ms;
  if (limit.endsAt <= endsAt) return;
  limit.ms = ms;
  limit.endsAt = endsAt;
  if (limit.wakesAt > endsAt) wakeIn(limit, ms);
}

/** Stops the clock until the result is called. The caller can still end the call. */
export function pauseLimit(limit: AbortLimit): () => void {
  machine.clearTimeout(limit.timer);
  const leftMs = Math.max(1, limit.endsAt - machine.ticks());
  return () => {
    limit.endsAt = machine.ticks() + leftMs;
    wakeIn(limit, leftMs);
  };
}

/** Frees the timer and the listener. */
export function endLimit({ timer, caller, follow }: AbortLimit): void {
  machine.clearTimeout(timer);
  caller?.removeEventListener('abort', follow);
}
