// What was observed of each engine for all accounts together: one row for each engine, class of
// searches and day, in which every account has one vote in each week. Made from the rows of the
// accounts, so that reading a scorecard does not read those.
import { query, reader, type Row, type Runner, table, textOf, whole } from '../../store/index.ts';
import type { QualitySource, QualitySums } from '../core/quality-day.ts';
import type { SearchClass } from '../core/search-class.ts';
import { daysInWeek } from '../../requests/core/index.ts';
import { observationsOfVote, type Votes } from '../core/votes.ts';
import { counts, place, expiringDays } from './quality-days.ts';

/** An account has its vote among all searches, or among those of one language and so on. */
export const votesBy = ['class', 'language', 'category', 'freshness'] as const;
export type VotesBy = (typeof votesBy)[number];

/** `class` has only the language where votes are by language, and so on. */
interface QualityTotal extends Omit<QualitySums, 'quality' | 'squares'>, Votes {
  day: number;
  source: QualitySource;
  engine: string;
  votes_by: VotesBy;
  class: SearchClass;
}

/** The rows keep whole numbers. */
const [billionths, trillionths, millionths] = [1e9, 1e12, 1e6];

/** The totals of a week, from the rows of its accounts. */
export async function listWeekTotals(
  on: Runner,
  week: number,
  by: VotesBy,
): Promise<QualityTotal[]> {
  const part = by === 'class' ? "''" : by;
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
         observations, quality, squares, calls, failures, cost, latency_ms, useful
       from quality_days where day >= $1 and day < $2
     )
     select day, days.source, days.engine, tool, language, category, freshness,
       sum(observations) as observations, sum(observations / size) as weight,
       sum(observations / size / size) as weight_squares, sum(quality / size) as quality,
       sum(squares / size) as squares, sum(calls) as calls, sum(failures) as failures,
       sum(cost) as cost, sum(latency_ms) as latency_ms, sum(useful) as useful
     from days join votes on votes.account_id = days.account_id
       and votes.source = days.source and votes.engine = days.engine and votes.part = days.part
     group by day, days.source, days.engine, tool, language, category, freshness`,
    [week, week + daysInWeek],
  );
  return rows.map((row) => {
    const { weight, weight_squares, quality, squares } = readSums(row);
    return {
      ...readPlace(row),
      ...readCounts(row),
      votes_by: by,
      weight,
      weight_squares,
      sum: quality / millionths,
      squares: squares / millionths,
    };
  });
}

const key = 'day, source, engine, votes_by, tool, language, category, freshness';

const votes = { weight: whole, weight_squares: whole, quality: whole, squares: whole };
const totals = table('quality_totals', {
  ...place,
  votes_by: textOf<VotesBy>(),
  ...counts,
  ...votes,
});

const putRows = totals.insert({
  end: `order by ${key} on conflict (${key}) do update set
    observations = excluded.observations, weight = excluded.weight,
    weight_squares = excluded.weight_squares, quality = excluded.quality,
    squares = excluded.squares, calls = excluded.calls, failures = excluded.failures,
    cost = excluded.cost, latency_ms = excluded.latency_ms, useful = excluded.useful`,
});

/** A statement of this size takes a few milliseconds, and payments are made in between. */
const maxRows = 256;

/** Replaces the rows of these places; a place never disappears from its week. */
export async function putTotals(on: Runner, made: readonly QualityTotal[]): Promise<void> {
  for (let from = 0; from < made.length; from += maxRows) {
    await putRows(
      on,
      made.slice(from, from + maxRows).map(({ class: searches, sum, ...one }) => ({
        ...one,
        ...searches,
        weight: Math.round(one.weight * billionths),
        weight_squares: Math.round(one.weight_squares * trillionths),
        quality: Math.round(sum * billionths),
        squares: Math.round(one.squares * billionths),
      })),
    );
  }
}

const readSums = reader(votes);
const readCounts = reader(counts);
const readColumns = reader(place);

/** Of a row or of a sum of rows. */
export function readVotes(row: Row): Votes {
  const { weight, weight_squares, quality, squares } = readSums(row);
  return {
    weight: weight / billionths,
    weight_squares: weight_squares / trillionths,
    sum: quality / billionths,
    squares: squares / billionths,
  };
}

export function readPlace(row: Row) {
  const { day, source, engine, ...searches } = readColumns(row);
  return { day, source, engine, class: searches };
}

export function hasTotals(on: Runner): Promise<boolean> {
  return query.exists(on, 'select 1 from quality_totals limit 1');
}

export const expiredTotals = expiringDays('quality_totals', key);
