// Usage reports: for operators, and for a caller about its own account or key. Amounts are exactly
// what the ledger charged.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { dayOf } from './core/days.ts';
import { addUsage, noUsage, tagPairs, type UsageSums } from './core/request-row.ts';
import {
  GatewayError,
  type OwnUsage,
  type OwnUsageQuery,
  type UsageDay,
  type UsageLine,
  type UsageQuery,
  type UsageReport,
} from '@trivium/contract';
import { usd } from '../billing/core/index.ts';
import { sumOf, sumsForReport } from './core/series.ts';
import { sumCosts } from './store/samples.ts';
import {
  maxGroups,
  maxLogRows,
  sumLog,
  sumTagUsage,
  sumUsage,
  type UsageColumn,
  type UsageFilter,
  type UsageScope,
  type UsageSum,
} from './store/usage-sums.ts';
import { logKeptMs } from '../settings/index.ts';
import { iso, readDateRange, type Runner } from '../store/index.ts';
import type { Caller, KeptLog } from './context.ts';

/** For operators about any account, and for members about their own. */
export function readUsage(
  context: KeptLog,
  { account_id, key_id, ...query }: UsageQuery,
): Promise<UsageReport> {
  return readReport(context, { account_id, key_id }, query);
}

/** For a caller, about its account or its key. */
export function readOwnUsage(
  context: KeptLog,
  { account_id, key_id, own_use_only }: Caller,
  query: OwnUsageQuery,
): Promise<OwnUsage> {
  return readReport(context, { account_id, ...(own_use_only ? { key_id } : {}) }, query);
}

/** Whole days are always known, and parts of days for as long as the request log is kept. */
async function readReport(
  context: KeptLog,
  scope: UsageScope,
  { by, from, to, compare, interval }: OwnUsageQuery,
): Promise<UsageReport> {
  const range = readDateRange({ from, to });
  const before = compare && rangeBefore(range, context.clock.now().getTime());
  const daily = interval !== undefined;
  const [sums, all, earlier, allEarlier] = await Promise.all([
    sumRange(context, scope, range, by, daily),
    sumRange(context, scope, range, 'tool'),
    before ? sumRange(context, scope, before, by) : undefined,
    before ? sumRange(context, scope, before, 'tool') : undefined,
  ]);
  return {
    by,
    usage: linesOf(by, sums, daily, earlier),
    total: sumsForReport(sumOf(all)),
    ...(allEarlier ? { previous: sumsForReport(sumOf(allEarlier)) } : {}),
  };
}

type Range = ReturnType<typeof readDateRange>;

/** As long as the range, and directly before it. A range without an end ends today. */
function rangeBefore({ from = 0, before }: Range, now: number): Range {
  const end = before ?? (dayOf(now) + 1) * dayMs;
  return { from: Math.max(0, from - (end - from)), before: from };
}

export async function sumRange(
  context: KeptLog,
  scope: UsageScope,
  range: Range,
  by: string,
  daily = false,
): Promise<UsageSum[]> {
  const { days, edges } = daysAndEdges(range);
  const parts = await Promise.all([
    days ? sumDays(context.database.reader, { ...scope, ...days }, by, daily) : [],
    ...edges.map(async (edge) => {
      const sums = await sumLogged(context, scope, edge, by);
      return daily ? sums.map((sum) => ({ ...sum, day: dayOf(edge.from) })) : sums;
    }),
  ]);
  return parts.flat();
}

async function sumDays(
  on: Runner,
  filter: UsageFilter,
  by: string,
  daily: boolean,
): Promise<UsageSum[]> {
  if (by === 'tag' || by === 'tag=value') return sumTagUsage(on, filter, by, daily);
  const tag = tagOf(by);
  if (tag === undefined) return sumUsage(on, filter, by as UsageColumn, daily);
  const tagged = await sumTagUsage(on, { ...filter, tag }, 'value', daily);
  return [...withoutTag(await sumUsage(on, filter, 'day'), tagged, daily), ...tagged];
}

/** The usage of requests without the tag: the whole day less the requests with the tag. */
function withoutTag(
  all: readonly UsageSum[],
  tagged: readonly UsageSum[],
  daily: boolean,
): UsageSum[] {
  const days = daily ? all.map((sum) => Number(sum.group)) : [undefined];
  return days.flatMap((day) => {
    const whole = sumOf(all.filter(({ group }) => day === undefined || group === day));
    const some = sumOf(tagged.filter((sum) => day === undefined || sum.day === day));
    const others = addUsage(whole, some, -1);
    const place = { group: '', ...(day === undefined ? {} : { day }) };
    return others.requests > 0 || others.cost > 0 ? [{ ...place, ...others }] : [];
  });
}

/** `tag=value` groups by the tags with their values; a request with two tags is in two groups. */
export async function sumLogged(
  { database, clock, settings }: KeptLog,
  scope: UsageScope & { tag?: string | undefined },
  { from, before, path }: TimeSpan,
  by: string,
): Promise<UsageSum[]> {
  const keptMs = logKeptMs(settings);
  if (from < clock.now().getTime() - keptMs) {
    const known = keptMs % dayMs === 0 ? `${keptMs / dayMs} days` : `${keptMs / hourMs} hours`;
    throw invalidRange(path, `Exact times are available for ${known}; use a date instead.`);
  }
  const tag = tagOf(by);
  const isByTag = tag !== undefined || by === 'tag' || by === 'tag=value';
  const column = isByTag ? 'tags' : (by as 'day' | 'provider' | 'key' | 'tool' | 'account');
  const sums = await sumLog(database.reader, scope, { from, before }, column);
  if (!sums) throw tooManyRequests(path);
  if (!isByTag) return sums;
  return sums.flatMap((sum) => {
    const pairs = tagPairs(String(sum.group));
    if (by === 'tag=value') return pairs.map((pair) => ({ ...sum, group: pair.join('=') }));
    if (tag === undefined) return pairs.map(([name]) => ({ ...sum, group: name }));
    return [{ ...sum, group: pairs.find(([name]) => name === tag)?.[1] ?? '' }];
  });
}

function tagOf(by: string): string | undefined {
  return by.startsWith('tag:') ? by.slice('tag:'.length) : undefined;
}

/** Groups that were used only in the previous range have a line too. */
function linesOf(
  by: string,
  sums: readonly UsageSum[],
  daily: boolean,
  earlier: readonly UsageSum[] | undefined,
): UsageLine[] {
  if (Math.max(sums.length, earlier?.length ?? 0) > maxGroups) {
    const what = daily ? 'groups and days' : 'groups';
    throw invalidRange('from', `There are more than ${maxGroups} ${what}; choose a shorter range.`);
  }
  const before = new Map(addUp(earlier ?? []).map((sum) => [sum.group, sum]));
  const unused = [...before.keys()].map((group) => ({ group, ...noUsage }));
  const days = Map.groupBy(sums, ({ group }) => String(group));
  return addUp([...sums, ...(by === 'day' ? [] : unused)]).map(({ group, ...sum }) => ({
    group: by === 'day' ? dayText(group) : group,
    ...sumsForReport(sum),
    ...(earlier && by !== 'day' ? { previous: sumsForReport(before.get(group) ?? noUsage) } : {}),
    ...(daily ? { days: daysOf(days.get(group) ?? []) } : {}),
  }));
}

function daysOf(sums: readonly UsageSum[]): UsageDay[] {
  const byDay = addUp(sums.map((sum) => ({ ...sum, group: sum.day ?? 0 })));
  return byDay.map(({ group, ...sum }) => ({ day: dayText(group), ...sumsForReport(sum) }));
}

function dayText(day: string): string {
  return iso(Number(day) * dayMs).slice(0, 10);
}

export function tooManyRequests(path: string): GatewayError {
  const message = `That range has more than ${maxLogRows} requests; use dates instead.`;
  return invalidRange(path, message);
}

export function invalidRange(path: string, message: string): GatewayError {
  const issues = [{ path, code: 'invalid_range', message }];
  return new GatewayError('invalid_request', `The request is not valid. ${path}: ${message}`, {
    issues,
  });
}

const newest = 1000;

export async function readAverageCost(
  { database }: Pick<KeptLog, 'database'>,
  of: { account_id: string; tool: string; provider: string },
): Promise<{ average_cost_usd: number | null; average_of: number }> {
  const { requests, cost } = await sumCosts(database.reader, { ...of, newest });
  const average = requests === 0 ? null : usd(Math.round(cost / requests));
  return { average_cost_usd: average, average_of: requests };
}

/** Later than any time a request can have. */
const farFuture = 8_640_000_000_000_000;

interface TimeSpan {
  /** In milliseconds. `before` is exclusive. */
  from: number;
  before: number;
  /** The parameter that is not a whole day. */
  path: 'from' | 'to';
}

/** `days` is undefined if the range contains no whole day. Both of its ends are inclusive. */
function daysAndEdges(range: { from: number | undefined; before: number | undefined }): {
  days: { from_day?: number; to_day?: number } | undefined;
  edges: TimeSpan[];
} {
  const { from = 0, before = farFuture } = range;
  const firstDay = Math.ceil(from / dayMs);
  const endDay = Math.floor(before / dayMs);
  if (firstDay > endDay) return { days: undefined, edges: [{ from, before, path: 'from' }] };
  const edges: TimeSpan[] = [
    { from, before: firstDay * dayMs, path: 'from' },
    { from: endDay * dayMs, before, path: 'to' },
  ];
  const days = {
    ...(range.from === undefined ? {} : { from_day: firstDay }),
    ...(range.before === undefined ? {} : { to_day: endDay - 1 }),
  };
  return {
    days: firstDay < endDay ? days : undefined,
    edges: edges.filter((edge) => edge.from < edge.before && edge.before !== farFuture),
  };
}

/** One sum for each group, in the order of the groups. */
export function addUp(parts: readonly (UsageSums & { group: string | number })[]) {
  const sums = new Map<string, UsageSums & { group: string }>();
  for (const part of parts) {
    const group = String(part.group);
    sums.set(group, { group, ...addUsage(sums.get(group) ?? noUsage, part) });
  }
  const order = new Intl.Collator('en', { numeric: true });
  return [...sums.values()].sort((one, other) => order.compare(one.group, other.group));
}
