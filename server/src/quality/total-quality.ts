// Makes the totals of weeks in which something was observed, apart from requests: each week once,
// and again after changes, such as late feedback. Several gateways share the work.
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../store/index.ts';
import { claimChangedWeek, clearChange } from './store/quality-changes.ts';
import { listWeekTotals, putTotals, votesBy } from './store/quality-totals.ts';

interface TotalContext {
  database: Database;
  clock: Clock;
}

/** No gateway makes the totals of a week more often than that. */
const claimMs = 30_000;
/** Of one round; more are due only after an upgrade. */
const maxWeeks = 20;

/** Returns how many weeks changed. */
export async function totalQuality({ database, clock }: TotalContext): Promise<number> {
  const now = clock.now().getTime();
  for (let done = 0; done < maxWeeks; done += 1) {
    const changed = await claimChangedWeek(database, now, now - claimMs);
    if (!changed) return done;
    for (const by of votesBy) {
      const began = clock.ticks();
      await putTotals(database, await listWeekTotals(database.reader, changed.week, by));
      // A busy store gets more rest.
      await clock.sleep(clock.ticks() - began);
    }
    await clearChange(database, changed);
  }
  return maxWeeks;
}
