// Stops a gateway in order: it announces the end, answers what has begun, and closes its store.
import type { Authenticator } from '../accounts/authenticate.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Clock } from '../platform/clock.ts';
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
    await running.listeners.drain();
    await waitUntilIdle(running.limiter, clock);
    await running.jobs.stop();
    await authenticator.noteUses().catch(() => undefined);
    await running.ledger.close();
    for (const close of running.closing) await close();
  };
}

const idleTimeoutMs = 30_000;
const idlePollMs = 20;

/** A request goes on after its caller has disconnected, until the provider's answer is paid. */
async function waitUntilIdle(limiter: ConcurrencyLimiter, clock: Clock): Promise<void> {
  const giveUpAt = clock.ticks() + idleTimeoutMs;
  while (limiter.running() > 0 && clock.ticks() < giveUpAt) await clock.sleep(idlePollMs);
}
