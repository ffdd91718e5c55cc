// Stops a gateway in order: it announces the end, answers what has begun, and closes its store.
import type { Authenticator } from '../accounts/authenticate.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { withTimeLimit } from '../platform/time-limit.ts';
import { commitLimitMs } from '../platform/time-limits.ts';
import type { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Readiness } from './readiness.ts';

export interface StopOptions {
  /**
   * How long the gateway goes on accepting requests after it has announced its end, so that load
   * balancers and clients move to another gateway before a connection is refused.
   */
  announceMs?: number;
  /** Ends the announcement early. */
  hurry?: AbortSignal;
}

interface Running {
  clock: Clock;
  readiness: Readiness;
  /** Headers of every response. */
  headers: Record<string, string>;
  /** Timers and watchers that start work. */
  background: readonly ({ stop: () => void } | undefined)[];
  listeners: { drain: () => Promise<void> };
  limiter: ConcurrencyLimiter;
  jobs: { stop: () => Promise<void> };
  authenticator: Pick<Authenticator, 'noteUses'>;
  ledger: Pick<Ledger, 'close'>;
  log: Log;
  /** How long requests in progress are waited for. */
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
    await waitUntilIdle(running.limiter, clock, giveUpAt);
    await running.jobs.stop();
    await authenticator.noteUses().catch(() => undefined);
    await closeLedger(running);
    for (const close of running.closing) await close();
  };
}

const idlePollMs = 20;

/** A request goes on after its caller has disconnected, until the provider's answer is paid. */
async function waitUntilIdle(
  limiter: ConcurrencyLimiter,
  clock: Clock,
  giveUpAt: number,
): Promise<void> {
  while (limiter.running() > 0 && clock.ticks() < giveUpAt) await clock.sleep(idlePollMs);
}

/** Settlements wait for a store that does not answer, but not for ever. */
async function closeLedger({ ledger, log }: Pick<Running, 'ledger' | 'log'>): Promise<void> {
  const late = () => new Error('the store did not answer in time');
  await withTimeLimit(ledger.close(), commitLimitMs, late).catch((error: unknown) => {
    log.error({ err: error }, 'the ledger could not be closed');
  });
}
