// GET /admin/v1/scorecard: how good, how expensive and how fast each search engine was, for an account
// or for the deployment. The totals of the deployment are computed in the background, once for each
// week and again after changes, such as late feedback.
import { searchEngineIds } from '@trivium/contract';
import type { Scorecard, ScorecardQuery, SearchEngineId } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import { dayOf, daysInWeek } from '../requests/core/index.ts';
import type { Database } from '../store/index.ts';
import { dateOf, scorecardLines } from './core/scorecard.ts';
import { claimChangedWeek, clearChange } from './store/quality-days.ts';
import { listScorecardParts, listWeekTotals, putTotals, votesBy } from './store/quality-totals.ts';

export interface QualityContext {
  database: Database;
  clock: Clock;
}

export async function readScorecard(
  { database, clock }: QualityContext,
  { account_id, by, weeks }: Omit<ScorecardQuery, 'format'>,
): Promise<Scorecard> {
  const to = dayOf(clock.now().getTime());
  const from = to - weeks * daysInWeek + 1;
  const parts = await listScorecardParts(database.reader, { from, to, by, account_id });
  const known = parts.flatMap((part) =>
    isEngine(part.engine) ? [{ ...part, engine: part.engine }] : [],
  );
  return {
    account_id: account_id ?? null,
    by,
    first_day: dateOf(from),
    last_day: dateOf(to),
    lines: scorecardLines(known),
  };
}

/** A newer version may have written others. */
function isEngine(id: string): id is SearchEngineId {
  return (searchEngineIds as readonly string[]).includes(id);
}

/** No gateway computes the totals of a week more often than this. */
const claimMs = 30_000;
/** Weeks per round. More are due only after an upgrade. */
const maxWeeks = 20;

/** Returns how many weeks changed. Several gateways share the work. */
export async function totalQuality({ database, clock }: QualityContext): Promise<number> {
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
