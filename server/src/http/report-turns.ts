// Reports, lists and descriptions take turns while callers are served: each costs milliseconds of
// the main thread, and several programs that read in a loop would leave little of it to payments.
import type { Clock } from '../platform/clock.ts';
import { overloaded } from './admit.ts';
import type { Limiters } from './admit.ts';

/** Much longer than a report keeps the main thread busy, and too short for a person to notice. */
const betweenMs = 10;
const maxWaitMs = 10_000;

/** Wait for the result before a report begins. Throws if too many wait. */
export type ReportTurn = () => Promise<void> | undefined;

export function makeReportTurns(
  clock: Pick<Clock, 'ticks' | 'sleep'>,
  { all }: Pick<Limiters, 'all'>,
): ReportTurn {
  let next = -Infinity;
  return () => {
    const now = clock.ticks();
    const waitMs = all.running() === 0 ? 0 : Math.max(0, next - now);
    if (waitMs > maxWaitMs) throw overloaded();
    next = now + waitMs + betweenMs;
    return waitMs === 0 ? undefined : clock.sleep(waitMs);
  };
}
