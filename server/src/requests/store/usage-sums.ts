// Usage sums: whole days from the daily sums, which are kept indefinitely, and parts of days from
// the request log.
import { GatewayError } from '@trivium/contract';
import { foldedDay, type UsageSums } from '../core/request-row.ts';
import { readSums, usageByDay } from './usage.ts';
import { hasTag } from './requests.ts';
import { countLog } from './samples.ts';
import {
  equal,
  type Filter,
  reader,
  type Row,
  type Runner,
  text,
  timeFilters,
  whereAll,
  whole,
} from '../../store/index.ts';

export interface UsageScope {
  account_id?: string | undefined;
  key_id?: string | undefined;
  /** Totals by tag do not know the provider and the tool. */
  provider?: string | undefined;
  tool?: string | undefined;
}

export interface UsageFilter extends UsageScope {
  /** Days since 1970, both inclusive. */
  from_day?: number | undefined;
  to_day?: number | undefined;
}

export interface UsageSum extends UsageSums {
  group: string | number;
  /** Set if the sums of each day are requested. */
  day?: number;
}

const usageColumns = {
  day: 'day',
  provider: 'provider',
  key: 'key_id',
  tool: 'tool',
  account: 'account_id',
} as const;

export type UsageColumn = keyof typeof usageColumns;

/** One more group than a report may have, so that the caller can tell that there are more. */
export const maxGroups = 10_000;

/** The maximum number of daily sums that one report adds up. */
const maxSums = 1_000_000;

/** Reads at most one more than `maxSums`, which `checkLooked` detects. */
function boundedSums(bucket: string, from: string, daily: boolean): string {
  const day = daily ? ', day' : '';
  return `select bucket${day}, sum(requests) as requests, sum(refusals) as refusals,
       sum(failures) as failures, sum(cost) as cost, sum(count(*)) over () as looked
     from (select ${bucket} as bucket${daily ? ', day as day' : ''}, requests, refusals, failures, cost from ${from}
       limit ${maxSums + 1}) as sums
     group by bucket${day} order by bucket${day} limit ${maxGroups + 1}`;
}

export async function sumUsage(
  on: Runner,
  filter: UsageFilter,
  by: UsageColumn,
  daily = false,
): Promise<UsageSum[]> {
  const sums = await sumBounded(on, usageColumns[by], usageByDay, daysOf(filter), daily);
  return by === 'day' ? sums.map((sum) => ({ ...sum, group: Number(sum.group) })) : sums;
}

const tagColumns = { tag: 'tag', value: 'value', 'tag=value': "tag || '=' || value" } as const;

/** Usage of one tag, or of all tags, for the days whose tags are kept. */
export function sumTagUsage(
  on: Runner,
  { tag, ...filter }: UsageFilter & { tag?: string },
  by: keyof typeof tagColumns,
  daily = false,
): Promise<UsageSum[]> {
  const kept = { text: 'day > ?', values: [foldedDay] };
  const filters = [...equal({ tag }), kept, ...daysOf(filter)];
  return sumBounded(on, tagColumns[by], 'usage_tags', filters, daily);
}

async function sumBounded(
  on: Runner,
  bucket: string,
  from: string,
  filters: readonly Filter[],
  daily: boolean,
): Promise<UsageSum[]> {
  const where = whereAll(filters);
  const rows = await on.run(boundedSums(bucket, from + where.text, daily), where.values);
  checkLooked(rows);
  return rows.map(readSum);
}

const logColumns = {
  day: 'created_at / 86400000',
  provider: "coalesce(provider, '')",
  key: 'key_id',
  tool: 'tool',
  account: 'account_id',
  tags: "coalesce(tags, '')",
} as const;

const bucket = { bucket: text };

/** The maximum number of log rows that one report reads. */
export const maxLogRows = 200_000;

/** Undefined if there are more rows than one report may read. Times are in milliseconds. */
export async function sumLog(
  on: Runner,
  { tag, ...scope }: UsageScope & { tag?: string | undefined },
  range: { from: number; before: number },
  by: keyof typeof logColumns,
): Promise<UsageSum[] | undefined> {
  const where = whereAll([...scopeOf(scope), hasTag(tag), ...timeFilters(range)]);
  const counts = await countLog(on, bucket, `${logColumns[by]} as bucket`, where, maxLogRows);
  return counts?.map(({ bucket: group, ...sums }) => ({ group, ...sums }));
}

const readLooked = reader({ looked: whole });

function checkLooked([first]: readonly Row[]): void {
  if (!first || readLooked(first).looked <= maxSums) return;
  throw new GatewayError(
    'invalid_request',
    'This report would add up too many days, keys and providers. ' +
      'Choose a shorter range, or one account.',
  );
}

function scopeOf({ account_id, key_id, provider, tool }: UsageScope): Filter[] {
  return equal({ account_id, key_id, provider, tool });
}

function daysOf({ from_day, to_day, ...scope }: UsageFilter): Filter[] {
  const first = { text: 'day >= ?', values: [from_day] };
  return [...scopeOf(scope), first, { text: 'day <= ?', values: [to_day] }];
}

const readBucket = reader(bucket);
const readDay = reader({ day: whole });

function readSum(row: Row): UsageSum {
  const day = 'day' in row ? readDay(row) : {};
  return { group: readBucket(row).bucket, ...day, ...readSums(row) };
}
