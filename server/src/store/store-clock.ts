// The clock of the store. Gateways that share a store use its time for leases, holds and keys, so
// that a gateway with a wrong clock does not end the holds of another.
import type { Clock } from '../platform/clock.ts';
import { every } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from './database.ts';

const everyMs = 10_000;
/** A smaller difference may be the time that a statement takes. */
const ignoredMs = 50;
/** From this difference on, the operator is warned. */
const warnedMs = 2000;

/** `ended` resolves after a stop, once the store is no longer read. */
export async function followStoreClock(
  database: Pick<Database, 'engine' | 'run'>,
  local: Clock,
  log: Log,
) {
  if (database.engine === 'sqlite') {
    return { clock: local, offsetMs: () => 0, stop: () => undefined };
  }
  let offsetMs = 0;
  const measure = async () => {
    const before = local.now().getTime();
    const [row] = await database.run(
      'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now',
    );
    const middle = (before + local.now().getTime()) / 2;
    const measured = Math.round(Number(row?.['now']) - middle);
    const usedMs = Math.abs(measured) < ignoredMs ? 0 : measured;
    const isNews = Math.abs(usedMs - offsetMs) >= warnedMs;
    offsetMs = usedMs;
    if (isNews && Math.abs(usedMs) >= warnedMs) {
      log.warn(
        { clock_offset_s: usedMs / 1000 },
        "this machine's clock differs from the store's, which is used; synchronise it",
      );
    }
  };
  await measure();
  const { stop, ended } = every(everyMs, {
    name: 'store_clock',
    work: measure,
    onError: (error) => log.warn({ err: error }, "the store's clock is unknown"),
  });
  return {
    clock: { ...local, now: () => new Date(local.now().getTime() + offsetMs) },
    /** How far the store's clock is ahead of this machine's. */
    offsetMs: () => offsetMs,
    stop,
    ended,
  };
}
