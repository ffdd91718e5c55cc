// What was observed of engines over a range of days, for an account or for all of them. Few rows
// leave the store, however many accounts, classes and searches there are.
import { mondaySql } from '../../requests/core/index.ts';
import { reader, type Row, type Runner, text, whole } from '../../store/index.ts';
import type { ScorecardPart } from '../core/scorecard.ts';
import type { EvidenceRow } from '../core/search-class.ts';
import type { QualitySource } from '../core/quality-day.ts';
import type { Tally } from '../core/tally.ts';
import { reduceVotes, scaleVotes, shareOfWeek, type Votes } from '../core/votes.ts';
import { counts, place } from './quality-days.ts';
import { readPlace, readVotes, type VotesBy } from './quality-totals.ts';

/** Both days are included; the last one is today. */
interface DayRange {
  from: number;
  to: number;
}

/** What a scorecard is grouped by, and among which searches accounts have their votes then. */
const groupings = {
  provider: { column: "''", votes: 'class', day: 'day' },
  language: { column: 'language', votes: 'language', day: mondaySql('day') },
  category: { column: 'category', votes: 'category', day: mondaySql('day') },
  freshness: { column: 'freshness', votes: 'freshness', day: mondaySql('day') },
} as const satisfies Record<string, { column: string; votes: VotesBy; day: string }>;

interface PartQuery extends DayRange {
  by: keyof typeof groupings;
  /** All of them unless given. */
  account_id?: string | undefined;
}

/** The groups with the most observations are listed. */
const maxGroups = 20;

/** By day where there is one group, by week where there are several. */
export async function listScorecardParts(
  on: Runner,
  { by, from, to, account_id }: PartQuery,
): Promise<ScorecardPart<string>[]> {
  const { column, votes, day } = groupings[by];
  const isAll = account_id === undefined;
  const table = isAll ? 'quality_totals' : 'quality_days';
  const range = `day >= $1 and day <= $2 and ${isAll ? 'votes_by' : 'account_id'} = $3`;
  const most =
    by === 'provider'
      ? ''
      : `and ${column} in (select ${column} from ${table} where ${range}
           group by ${column} order by sum(observations) desc, ${column} limit ${maxGroups})`;
  const weights = isAll ? 'sum(weight) as weight, sum(weight_squares) as weight_squares,' : '';
  const rows = await on.run(
    `select source, engine, ${column} as part, ${day} as first_day,
       sum(observations) as observations, ${weights} sum(quality) as quality,
       sum(squares) as squares, sum(calls) as calls, sum(failures) as failures,
       sum(cost) as cost, sum(latency_ms) as latency_ms, sum(useful) as useful
     from ${table} where ${range} ${most}
     group by source, engine, part, first_day order by engine, part, first_day`,
    [from, to, isAll ? votes : account_id],
  );
  if (!isAll) return rows.map((row) => ({ ...readPart(row), tally: readTally(row) }));
  const parts = rows.map((row) => ({ ...readPart(row), votes: readVotes(row) }));
  const lines = Map.groupBy(parts, (one) => JSON.stringify([one.source, one.engine, one.group]));
  return [...lines.values()].flatMap((line) => withTallies(line, to));
}

const { observations, ...shown } = counts;
const { source, engine } = place;
const readColumns = reader({ source, engine, part: text, first_day: whole, ...shown });

function readPart(row: Row) {
  const { part: group, first_day: day, ...part } = readColumns(row);
  return { ...part, group, day };
}

/** Of one engine: the votes of its days on one scale. */
function withTallies<T extends { day: number; votes: Votes }>(
  days: readonly T[],
  today: number,
): (Omit<T, 'votes'> & { votes: number; tally: Tally })[] {
  const scaled = scaleVotes(
    days.map(({ day, votes }) => reduceVotes(votes, shareOfWeek(day, today))),
  );
  return days.map(({ votes, ...one }, at) => ({
    ...one,
    votes: votes.weight,
    tally: scaled[at] ?? { n: 0, sum: 0, squares: 0 },
  }));
}

/** One engine and class of searches on one day. */
export interface ClassDay extends EvidenceRow {
  source: QualitySource;
}

/** Of one read; the oldest days are left out beyond it. */
const maxClassDays = 20_000;

/** Of all accounts together, by agreement: what one of them says counts for itself alone. */
export async function listClassDays(on: Runner, { from, to }: DayRange): Promise<ClassDay[]> {
  const rows = await on.run(
    `select source, engine, tool, language, category, freshness, day, weight, weight_squares,
       quality, squares
     from quality_totals
     where day >= $1 and day <= $2 and votes_by = 'class' and source = 'agreement' and weight > 0
     order by day desc limit ${maxClassDays}`,
    [from, to],
  );
  const days = rows.map((row) => ({ ...readPlace(row), votes: readVotes(row) }));
  return [...Map.groupBy(days, ({ engine }) => engine).values()].flatMap((ofEngine) =>
    withTallies(ofEngine, to),
  );
}

export async function listClassDaysOf(
  on: Runner,
  accountId: string,
  { from, to }: DayRange,
): Promise<ClassDay[]> {
  const rows = await on.run(
    `select source, engine, tool, language, category, freshness, day, observations, quality, squares
     from quality_days where account_id = $1 and day >= $2 and day <= $3 and observations > 0
     order by day desc limit ${maxClassDays}`,
    [accountId, from, to],
  );
  return rows.map((row) => ({ ...readPlace(row), tally: readTally(row) }));
}

const millionths = 1_000_000;

const readSums = reader({ observations, quality: whole, squares: whole });

function readTally(row: Row): Tally {
  const { observations: n, quality, squares } = readSums(row);
  return { n, sum: quality / millionths, squares: squares / millionths };
}
