// Stops a gateway in order: it announces that it is stopping, finishes requests in progress, and
// closes its store.
import type { Authenticator } from '../accounts/index.ts';
import type { Ledger } from '../billing/index.ts';
import { type Clock, withTimeLimit } from '../platform/clock.ts';
import { poll, type Repeated } from '../platform/every.ts';
import { commitLimitMs } from '../platform/time-limits.ts';
import { StartError } from '../platform/start-error.ts';
import type { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Readiness } from './readiness.ts';

export interface StopOptions {
  /**
   * How long the gateway still accepts requests after the announcement, so that load balancers and
   * clients move to another gateway before a connection is refused.
   */
  announceMs?: number;
  /** Ends the announcement and the wait for synchronous transcriptions early. */
  hurry?: AbortSignal;
}

interface Running {
  clock: Clock;
  readiness: Readiness;
  /** Headers of every response. */
  headers: Record<string, string>;
  /** Timers and watchers that start work, and promises for the end of that work. */
  background: readonly ((Pick<Repeated, 'stop'> & Partial<Repeated>) | undefined)[];
  listeners: { drain: () => Promise<void> };
  limiter: ConcurrencyLimiter;
  jobs: {
    /** Waits for transcriptions whose transcript arrives as the answer to a request in progress. */
    drain: (giveUpAt: number, hurry?: AbortSignal) => Promise<void>;
    stop: () => Promise<void>;
  };
  authenticator: Pick<Authenticator, 'noteUses'>;
  ledger: Pick<Ledger, 'close'>;
  /** How long to wait for requests in progress. */
  limitMs: number;
  /** Closed last, in this order. */
  closing: readonly (() => Promise<void> | undefined)[];
}

export function makeStop(running: Running): (options?: StopOptions) => Promise<void> {
  const { clock, authenticator } = running;
  return async ({ announceMs = 0, hurry } = {}) => {
    running.readiness.end('The gateway is stopping.');
    running.headers['connection'] = 'close';
    if (announceMs > 0) await clock.sleep(announceMs, hurry).catch(() => undefined);
    for (const one of running.background) one?.stop();
    const giveUpAt = clock.ticks() + running.limitMs;
    await running.listeners.drain();
    // A request continues after its caller has disconnected, until the provider's answer is paid.
    await poll(() => running.limiter.running() === 0, clock, giveUpAt);
    await running.jobs.drain(giveUpAt, hurry);
    await closeWithin(commitLimitMs, clock, [
      running.jobs.stop,
      () => authenticator.noteUses().catch(() => undefined),
      running.ledger.close,
      () => roundsEnded(running.background),
      ...running.closing,
    ]);
  };
}

/** The stop does not wait for a sweep of a slow bucket. */
const roundLimitMs = 1000;

/** A running round may need the store, and would report that it is closed. */
async function roundsEnded(background: Running['background']): Promise<void> {
  const all = Promise.all(background.map((one) => one?.ended ?? Promise.resolve()));
  const late = () => new Error('a background task takes too long');
  await withTimeLimit(all, roundLimitMs, late).catch(() => undefined);
}

/** The time left for a step if the ones before it have used up the limit. */
const minStepMs = 100;

/**
 * Everything that waits for the store: a store that hangs must not prevent the exit. Runs every
 * step, even after one that failed or took too long, and then throws the first error.
 */
async function closeWithin(
  limitMs: number,
  clock: Clock,
  steps: readonly (() => Promise<unknown> | undefined)[],
): Promise<void> {
  const giveUpAt = clock.ticks() + limitMs;
  const late = () =>
    new StartError(
      `The store did not answer within ${limitMs / 1000} s, so the gateway ends without ` +
        'waiting for it. No acknowledged payment is lost: the next start or another gateway ' +
        'books what is in the journal.',
    );
  let failure: { error: unknown } | undefined;
  for (const step of steps) {
    const leftMs = Math.max(minStepMs, giveUpAt - clock.ticks());
    try {
      await withTimeLimit(Promise.resolve(step()), leftMs, late);
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
}
