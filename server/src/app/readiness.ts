// Readiness: whether this gateway can serve a paid request now, which takes a write to the store.
import { GatewayError } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import { withTimeLimit } from '../platform/time-limit.ts';
import type { Runner } from '../store/database.ts';
import { writeProbe } from '../store/probe.ts';

interface ReadyNotes {
  /** How far the store's clock is ahead of this machine's, if that is more than it should be. */
  clock_offset_s?: number;
}

export interface Readiness {
  /** Throws when the gateway is not ready. Anyone may call it as often as they like. */
  check: () => Promise<ReadyNotes>;
  /** From now on the gateway is not ready, for this reason. */
  end: (reason: string) => void;
}

/** The answer may take a second, and this leaves time to send it. */
const limitMs = 800;
/** However often it is asked, the store is probed once in this time. */
const cachedMs = 1000;
const notedOffsetMs = 2000;

export function makeReadiness(
  database: Runner,
  clock: Pick<Clock, 'now' | 'ticks'>,
  clockOffsetMs: () => number = () => 0,
): Readiness {
  let ended: string | undefined;
  let last: { at: number; outcome: Promise<void> } | undefined;
  let running: Promise<void> | undefined;
  const probe = async () => {
    // A store that hangs must not collect probes.
    running ??= writeProbe(database, clock.now().getTime()).finally(() => {
      running = undefined;
    });
    await withTimeLimit(running, limitMs, () => new Error('the store did not answer in time'));
  };
  return {
    check: async () => {
      if (ended !== undefined) throw notReady(ended);
      if (last === undefined || clock.ticks() - last.at > cachedMs) {
        last = { at: clock.ticks(), outcome: probe() };
      }
      await last.outcome.catch((error: unknown) => {
        throw notReady('The store does not take writes.', error);
      });
      const offsetMs = clockOffsetMs();
      return Math.abs(offsetMs) < notedOffsetMs ? {} : { clock_offset_s: offsetMs / 1000 };
    },
    end: (reason) => {
      ended = reason;
    },
  };
}

function notReady(reason: string, cause?: unknown): GatewayError {
  return new GatewayError(
    'provider_not_available',
    `${reason} This gateway serves no requests until that has changed.`,
    undefined,
    { status: 503, headers: { 'retry-after': '1' }, cause },
  );
}
