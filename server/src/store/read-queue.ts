// The queue in front of the connections for reports and lists. Few reads run at a time, and each is
// followed by a pause as long as the read itself, so that payments always get most of the machine.
import { type GatewayError, tryLater } from '@trivium/contract';
import { systemClock } from '../platform/clock.ts';
import { makeConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Row, Runner, Value } from './database.ts';

/** A read above these limits is refused. */
const maxWaiting = 512;
const maxWaitMs = 30_000;
/** The maximum pause, for reads that took longer. */
const maxPauseMs = 100;
/** Reads of a row or two need no pause. */
const shortMs = 1;

/** `read` runs one statement on a separate connection. */
export function makeReadQueue(
  maxRunning: number,
  read: <T>(text: string, values: readonly Value[]) => Promise<T[]>,
): Runner['run'] {
  const limiter = makeConcurrencyLimiter(
    { name: 'store_reads', maxRunning, maxWaiting, maxWaitMs },
    systemClock,
  );
  return async <T = Row>(text: string, values: readonly Value[] = []) => {
    if (!(await limiter.enter())) throw tooManyReads();
    const began = systemClock.ticks();
    try {
      return await read<T>(text, values);
    } finally {
      const took = systemClock.ticks() - began;
      if (took < shortMs) limiter.leave();
      else void systemClock.sleep(Math.min(took, maxPauseMs)).then(() => limiter.leave());
    }
  };
}

function tooManyReads(): GatewayError {
  const message = 'Too many reports and lists are being read at the moment. Try again shortly.';
  return tryLater('provider_not_available', message, 5);
}

export function readTooSlow(cause: unknown): GatewayError {
  const message = 'This report takes too long. Choose a shorter range, or one account.';
  return tryLater('provider_not_available', message, 5, cause);
}
