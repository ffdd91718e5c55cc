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
 * owner must be able to ignore it.
 */
export async function withTimeLimit<T>(
  work: Promise<T>,
  limitMs: number,
  late: () => Error,
): Promise<T> {
  const expired = Promise.withResolvers<never>();
  const timer = machine.setTimeout(() => expired.reject(late()), limitMs);
  try {
    return await Promise.race([work, expired.promise]);
  } finally {
    machine.clearTimeout(timer);
  }
}

/**
 * One signal for the time limit and the caller, because `AbortSignal.any` of two costs more per
 * call.
 */
export function startAbortLimit(limitMs: number, caller: AbortSignal | undefined) {
  const controller = new AbortController();
  let expiredMs: number | undefined;
  const expire = (ms: number) => {
    expiredMs = ms;
    controller.abort();
  };
  const abort = () => controller.abort();
  let namedMs = limitMs;
  let endsAt = machine.ticks() + limitMs;
  let leftMs = 0;
  let timer = machine.setTimeout(() => expire(limitMs), limitMs);
  caller?.addEventListener('abort', abort);
  if (caller?.aborted) abort();
  return {
    /** Aborted when the time is up, when the caller aborts, or by `abort`. */
    signal: controller.signal,
    /** Allows at most this much time from now on. Never extends the limit. */
    shorten: (ms: number) => {
      if (endsAt - machine.ticks() <= ms) return;
      machine.clearTimeout(timer);
      namedMs = ms;
      endsAt = machine.ticks() + ms;
      timer = machine.setTimeout(() => expire(ms), ms);
    },
    /** Stops the clock until `resume`. `abort` and the caller can still end it. */
    pause: () => {
      machine.clearTimeout(timer);
      leftMs = Math.max(1, endsAt - machine.ticks());
    },
    resume: () => {
      endsAt = machine.ticks() + leftMs;
      timer = machine.setTimeout(() => expire(namedMs), leftMs);
    },
    /** The limit that expired, if one did. */
    expiredMs: () => expiredMs,
    abort,
    /** Frees the timer and the listener. */
    end: () => {
      machine.clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
}
