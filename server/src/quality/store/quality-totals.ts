// What was observed of each engine over a range of days, for an account or for all of them together.
// For all accounts there are totals, one row for each engine, class of searches and day, in which
// every account has one vote in each week. Few rows leave the store, however many there are.
import type { ScorecardQuery } from '@trivium/contract';
import { daysInWeek, mondaySql } from '../../requests/core/index.ts';
import {
  type Expiring,
  query,
  reader,
  type Row,
  type Runner,
  table,
  text,
  textOf,
  whole,
} from '../../store/index.ts';
import type { EvidenceRow } from '../core/choose.ts';
import type { QualitySource } from '../core/quality-day.ts';
import type { ScorecardPart } from '../core/scorecard.ts';
import {
  emptyTally,
  observationsOfVote,
  reduceVotes,
  scaleVotes,
  shareOfWeek,
  type Tally,
  type Votes,
} from '../core/tally.ts';
import { expiredFeedback } from './feedback.ts';
import { counts, expiredDays, expiringDays, numbers, place } from './quality-days.ts';

/** An account has its vote among all searches, or among those of one language and so on. */
export const votesBy = ['class', 'language', 'category', 'freshness'] as const;
type VotesBy = (typeof votesBy)[number];

/** The rows keep whole numbers. */
const [billionths, trillionths, millionths] = [1e9, 1e12, 1e6];

const votes = { weight: whole, weight_squares: whole, quality: whole, squares: whole };
const totals = table('quality_totals', {
  ...place,
  votes_by: textOf<VotesBy>(),
  ...counts,
  ...votes,
});
const ofWeek = totals.omit('votes_by');

const places = Object.keys(place).join(', ');
const key = `${places}, votes_by`;

function sumsOf(columns: readonly string[]): string {
  return columns.map((name) => `sum(${name}) as ${name}`).join(', ');
}

/** The totals of a week, from the rows of its accounts. */
export async function listWeekTotals(
  on: Runner,
  week: number,
  by: VotesBy,
): Promise<ReturnType<typeof totals.read>[]> {
  const part = by === 'class' ? "''" : by;
  // The class has only the language where votes are by language, and so on.
  const columns = ['language', 'category', 'freshness'].map((column) =>
    by === 'class' || by === column ? column : `'' as ${column}`,
  );
  const rows = await on.run(
    `with votes as (
       select account_id, source, engine, ${part} as part, cast(
         case when sum(observations) < ${observationsOfVote} then ${observationsOfVote}
         else sum(observations) end as double precision) as size
       from quality_days where day >= $1 and day < $2 group by 1, 2, 3, 4
     ), days as (
       select account_id, day, source, engine, ${part} as part, tool, ${columns.join(', ')},
         ${numbers.join(', ')}
       from quality_days where day >= $1 and day < $2
     )
     select ${places}, ${sumsOf(Object.keys(counts))},
       sum(observations / size) as weight, sum(observations / size / size) as weight_squares,
       sum(quality / size) as quality, sum(squares / size) as squares
     from days join votes using (account_id, source, engine, part)
     group by ${places}`,
    [week, week + daysInWeek],
  );
  return rows.map((row) => {
    const total = ofWeek.read(row);
    return {
      ...total,
      votes_by: by,
      weight: Math.round(total.weight * billionths),
      weight_squares: Math.round(total.weight_squares * trillionths),
      quality: Math.round((total.quality / millionths) * billionths),
      squares: Math.round((total.squares / millionths) * billionths),
    };
  });
}

const replaced = Object.keys({ ...counts, ...votes }).map((name) => `${name} = excluded.${name}`);
const putRows = totals.insert({
  end: `order by ${key} on conflict (${key}) do update set ${replaced.join(', ')}`,
});

/** A statement of this size takes a few milliseconds, and payments are made in between. */
const maxRows = 256;

/** Replaces the rows of these places; a place never disappears from its week. */
export async function putTotals(
  on: Runner,
  made: Awaited<ReturnType<typeof listWeekTotals>>,
): Promise<void> {
  for (let from = 0; from < made.length; from += maxRows) {
    await putRows(on, made.slice(from, from + maxRows));
  }
}

const readVoteSums = reader(votes);

/** Reads a row, or a sum of rows. */
function readVotes(row: Row): Votes {
  const { weight, weight_squares, quality, squares } = readVoteSums(row);
  return {
    weight: weight / billionths,
    weight_squares: weight_squares / trillionths,
    sum: quality / billionths,
    squares: squares / billionths,
  };
}

const readColumns = reader(place);

function readPlace(row: Row) {
  const { day, source, engine, ...searches } = readColumns(row);
  return { day, source, engine, class: searches };
}

export function hasTotals(on: Runner): Promise<boolean> {
  return query.exists(on, 'select 1 from quality_totals limit 1');
}

export const qualityExpiry: readonly Expiring[] = [
  expiredFeedback,
  expiredDays,
  expiringDays('quality_totals', key),
];

/** Both days are included; the last one is today. */
interface DayRange {
  from: number;
  to: number;
}

interface PartQuery extends DayRange {
  by: ScorecardQuery['by'];
  /** All of them unless given. */
  account_id?: string | undefined;
}

/** The groups with the most observations are listed. */
const maxGroups = 20;

export async function listScorecardParts(
  on: Runner,
  { by, from, to, account_id }: PartQuery,
): Promise<ScorecardPart<string>[]> {
  const isWhole = by === 'provider';
  // By day where there is one group, by week where there are several.
  const [column, day] = isWhole ? ["''", 'day'] : [by, mondaySql('day')];
  const isAll = account_id === undefined;
  const table = isAll ? 'quality_totals' : 'quality_days';
  const range = `day >= $1 and day <= $2 and ${isAll ? 'votes_by' : 'account_id'} = $3`;
  const largest = isWhole
    ? ''
    : `and ${by} in (select ${by} from ${table} where ${range}
           group by ${by} order by sum(observations) desc, ${by} limit ${maxGroups})`;
  const rows = await on.run(
    `select source, engine, ${column} as part, ${day} as first_day,
       ${sumsOf(isAll ? Object.keys({ ...counts, ...votes }) : numbers)}
     from ${table} where ${range} ${largest}
     group by source, engine, part, first_day order by engine, part, first_day`,
    [from, to, account_id ?? (isWhole ? 'class' : by)],
  );
  if (!isAll) return rows.map((row) => ({ ...readPart(row), tally: readTally(row) }));
  const parts = rows.map((row) => ({ ...readPart(row), votes: readVotes(row) }));
  const lines = Map.groupBy(parts, (one) => JSON.stringify([one.source, one.engine, one.group]));
  return [...lines.values()].flatMap((line) => withTallies(line, to));
}

const { observations, ...shown } = counts;
const { source, engine } = place;
const readPartColumns = reader({ source, engine, part: text, first_day: whole, ...shown });

function readPart(row: Row) {
  const { part: group, first_day: day, ...part } = readPartColumns(row);
  return { ...part, group, day };
}

/** Puts the votes of an engine's days on one scale. */
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
    tally: scaled[at] ?? emptyTally,
  }));
}

/** One engine and class of searches on one day. */
export interface ClassDay extends EvidenceRow {
  source: QualitySource;
}

/** Per read. The oldest days beyond it are left out. */
const maxClassDays = 20_000;

/** For all accounts together, by agreement: the feedback of an account counts only for itself. */
export async function listClassDays(on: Runner, { from, to }: DayRange): Promise<ClassDay[]> {
  const rows = await on.run(
    `select ${places}, ${Object.keys(votes).join(', ')} from quality_totals
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
    `select ${places}, observations, quality, squares
     from quality_days where account_id = $1 and day >= $2 and day <= $3 and observations > 0
     order by day desc limit ${maxClassDays}`,
    [accountId, from, to],
  );
  return rows.map((row) => ({ ...readPlace(row), tally: readTally(row) }));
}

const readSums = reader({ observations, quality: whole, squares: whole });

function readTally(row: Row): Tally {
  const { observations: n, quality, squares } = readSums(row);
  return { n, sum: quality / millionths, squares: squares / millionths };
}
