// GET /admin/v1/scorecard: how good, how dear and how fast each search engine was, for an account
// or for the deployment.
import { searchEngineIds } from '@trivium/contract';
import type { Scorecard, ScorecardQuery, SearchEngineId } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import { dayOf, daysInWeek } from '../requests/core/index.ts';
import type { ReadableDatabase } from '../store/index.ts';
import { dateOf, scorecardLines } from './core/scorecard.ts';
import { listScorecardParts } from './store/weighted-days.ts';

interface ScorecardContext {
  database: ReadableDatabase;
  clock: Clock;
}

export async function readScorecard(
  { database, clock }: ScorecardContext,
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
