// Readiness: whether this gateway can serve a paid request now, which requires a write to the
// store.
import { type GatewayError, tryLater } from '@trivium/contract';
import { type Clock, withTimeLimit } from '../platform/clock.ts';
import type { Runner } from '../store/index.ts';
import { writeProbe } from '../store/opening.ts';

/** The answer may take a second, and this leaves time to send it. */
const limitMs = 800;
/** However often readiness is checked, the store is probed only once in this time. */
const cachedMs = 1000;
/** On a busy machine a healthy store can take seconds. One that takes longer counts as hanging. */
const hangingMs = 4000;
const notedOffsetMs = 2000;

export type Readiness = ReturnType<typeof makeReadiness>;

export function makeReadiness(
  database: Runner,
  clock: Pick<Clock, 'now' | 'ticks'>,
  clockOffsetMs: () => number = () => 0,
  refusal: () => string | undefined = () => undefined,
) {
  let ended: string | undefined;
  let last: { at: number; outcome: Promise<void> } | undefined;
  let running: { since: number; finished: Promise<void> } | undefined;
  // At start, the gateway has written to the store successfully.
  let failure: { error: unknown } | undefined;
  const start = async () => {
    try {
      await writeProbe(database, clock.now().getTime());
      failure = undefined;
    } catch (error) {
      failure = { error };
    } finally {
      running = undefined;
    }
  };
  const probe = async () => {
    // Probes must not accumulate while the store hangs.
    const current = (running ??= { since: clock.ticks(), finished: start() });
    const late = () => new Error('the store did not answer in time');
    await withTimeLimit(current.finished, limitMs, late).catch((timeout: unknown) => {
      if (clock.ticks() - current.since > hangingMs) throw timeout;
    });
    // While a probe is slow, the outcome of the previous one still counts.
    if (failure) throw failure.error;
  };
  return {
    /** Throws if the gateway is not ready. Anyone may call it as often as they like. */
    check: async () => {
      const reason = ended ?? refusal();
      if (reason !== undefined) throw notReady(reason);
      if (last === undefined || clock.ticks() - last.at > cachedMs) {
        last = { at: clock.ticks(), outcome: probe() };
      }
      await last.outcome.catch((error: unknown) => {
        throw notReady('The store does not accept writes.', error);
      });
      // How far the store's clock is ahead of this machine's, if the difference is too large.
      const offsetMs = clockOffsetMs();
      return Math.abs(offsetMs) < notedOffsetMs ? {} : { clock_offset_s: offsetMs / 1000 };
    },
    /** From now on the gateway is not ready, for this reason. */
    end: (reason: string) => {
      ended = reason;
    },
  };
}

function notReady(reason: string, cause?: unknown): GatewayError {
  const message = `${reason} This gateway serves no requests until that changes.`;
  return tryLater('provider_not_available', message, 1, cause);
}
