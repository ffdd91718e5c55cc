// Sums of what was observed of engines over a range of days, in which every account has one vote
// on quality: its observations count by the share that they are of its own. Few rows leave the
// store, however many accounts, classes and searches there are.
import type { Row, Runner } from '../../store/index.ts';
import type { QualitySource } from '../core/quality-day.ts';
import type { ScorecardPart } from '../core/scorecard.ts';
import type { SearchClass } from '../core/search-class.ts';
import type { Tally } from '../core/tally.ts';

/** Both days are included. */
interface DayRange {
  from: number;
  to: number;
}

const columns = {
  provider: "''",
  language: 'language',
  category: 'category',
  freshness: 'freshness',
} as const;
type ScorecardGroup = keyof typeof columns;

/** The groups with the most observations are listed. */
const maxGroups = 20;
/** An account with fewer observations of an engine has no vote on it. */
const leastOfAccount = 5;
/** 1970-01-05 was a Monday. */
const firstMonday = 4;

interface PartQuery extends DayRange {
  by: ScorecardGroup;
  /** All of them unless given. */
  account_id?: string | undefined;
}

/** By day where there is one group, by week where there are several. */
export async function listScorecardParts(
  on: Runner,
  query: PartQuery,
): Promise<ScorecardPart<string>[]> {
  const { by, from, to, account_id } = query;
  const column = columns[by];
  const step = by === 'provider' ? 1 : 7;
  const range = `day >= $1 and day <= $2${account_id === undefined ? '' : ' and account_id = $3'}`;
  const most =
    by === 'provider'
      ? ''
      : `and ${column} in (select ${column} from quality_days where ${range}
           group by ${column} order by sum(observations) desc, ${column} limit ${maxGroups})`;
  const rows = await on.run(
    `with days as (
       select account_id, source, engine, ${column} as part, day, observations, quality, squares,
         calls, failures, cost, latency_ms, useful
       from quality_days where ${range} ${most}
     ), votes as (
       select source, engine, part, account_id, cast(sum(observations) as double precision) as n
       from days group by source, engine, part, account_id
       having sum(observations) >= ${account_id === undefined ? leastOfAccount : 1}
     ), scales as (
       select source, engine, part, count(*) / sum(1 / n) as scale
       from votes group by source, engine, part
     )
     select days.source, days.engine, days.part,
       days.day - (days.day - ${firstMonday}) % ${step} as first_day, ${weighted},
       sum(calls) as calls, sum(failures) as failures, sum(cost) as cost,
       sum(latency_ms) as latency_ms, sum(useful) as useful
     from days
     left join votes on votes.source = days.source and votes.engine = days.engine
       and votes.part = days.part and votes.account_id = days.account_id
     left join scales on scales.source = days.source and scales.engine = days.engine
       and scales.part = days.part
     group by days.source, days.engine, days.part, first_day
     order by days.engine, days.part, first_day`,
    account_id === undefined ? [from, to] : [from, to, account_id],
  );
  return rows.map((row) => ({
    source: row['source'] as QualitySource,
    engine: String(row['engine']),
    group: String(row['part']),
    day: Number(row['first_day']),
    tally: readTally(row),
    calls: Number(row['calls']),
    failures: Number(row['failures']),
    cost: Number(row['cost']),
    latency_ms: Number(row['latency_ms']),
    useful: Number(row['useful']),
  }));
}

/** The accounts' own sums add up to what their equal votes are worth together. */
const weighted = ['observations', 'quality', 'squares']
  .map((name) => `sum(days.${name} * scales.scale / votes.n) as ${name}`)
  .join(', ');

/** One engine and class of searches on one day. */
export interface ClassDay {
  source: QualitySource;
  engine: string;
  class: SearchClass;
  day: number;
  tally: Tally;
}

/** Of one read; the oldest days are left out beyond it. */
const maxClassDays = 20_000;

/** Of all accounts together, by agreement: what one of them says counts for itself alone. */
export async function listClassDays(on: Runner, range: DayRange): Promise<ClassDay[]> {
  const rows = await on.run(
    `with days as (
       select account_id, source, engine, tool, language, category, freshness, day, observations,
         quality, squares
       from quality_days where day >= $1 and day <= $2 and source = 'agreement'
     ), votes as (
       select source, engine, account_id, cast(sum(observations) as double precision) as n
       from days group by source, engine, account_id having sum(observations) >= ${leastOfAccount}
     ), scales as (
       select source, engine, count(*) / sum(1 / n) as scale from votes group by source, engine
     )
     select days.source, days.engine, tool, language, category, freshness, day, ${weighted}
     from days
     join votes on votes.source = days.source and votes.engine = days.engine
       and votes.account_id = days.account_id
     join scales on scales.source = days.source and scales.engine = days.engine
     group by days.source, days.engine, tool, language, category, freshness, day
     order by day desc limit ${maxClassDays}`,
    [range.from, range.to],
  );
  return rows.map(readClassDay);
}

export async function listClassDaysOf(
  on: Runner,
  accountId: string,
  range: DayRange,
): Promise<ClassDay[]> {
  const rows = await on.run(
    `select source, engine, tool, language, category, freshness, day, observations, quality, squares
     from quality_days where account_id = $1 and day >= $2 and day <= $3 and observations > 0
     order by day desc limit ${maxClassDays}`,
    [accountId, range.from, range.to],
  );
  return rows.map(readClassDay);
}

function readClassDay(row: Row): ClassDay {
  return {
    source: row['source'] as QualitySource,
    engine: String(row['engine']),
    class: {
      tool: String(row['tool']),
      language: String(row['language']),
      category: String(row['category']),
      freshness: String(row['freshness']),
    },
    day: Number(row['day']),
    tally: readTally(row),
  };
}

const millionths = 1_000_000;

function readTally(row: Row): Tally {
  return {
    n: Number(row['observations']),
    sum: Number(row['quality']) / millionths,
    squares: Number(row['squares']) / millionths,
  };
}
