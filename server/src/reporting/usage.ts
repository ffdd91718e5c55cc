// Usage reports: for operators, and for a caller about its own account or key. Money is exactly
// what the ledger charged.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { dayOf, tagPairs } from '../requests/core/index.ts';
import type {
  OwnUsage,
  OwnUsageQuery,
  UsageLine,
  UsageQuery,
  UsageReport,
} from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { usd } from '../billing/core/index.ts';
import { sumOf } from './core/series.ts';
import { sumsForReport } from './core/sums-for-report.ts';
import {
  type Caller,
  maxGroups,
  maxLogRows,
  sumAll,
  sumLog,
  sumTagUsage,
  sumUsage,
  type UsageColumn,
  type UsageFilter,
  type UsageScope,
  type UsageSum,
  sumCosts,
} from '../requests/index.ts';
import type { Clock } from '../platform/clock.ts';
import { logKeptMs, type Settings } from '../settings/index.ts';
import { iso, type ReadableDatabase, readDateRange, type Runner } from '../store/index.ts';
import { addUp, daysAndEdges } from './core/usage-range.ts';
import type { TimeSpan } from './core/usage-range.ts';

export async function readUsage(
  { database }: { database: ReadableDatabase },
  { account_id, key_id, by, from, to }: UsageQuery,
): Promise<UsageReport> {
  const days = {
    from_day: from === undefined ? undefined : dayOf(Date.parse(from)),
    to_day: to === undefined ? undefined : dayOf(Date.parse(to)),
  };
  const sums = await sumDays(database.reader, { account_id, key_id, ...days }, by);
  return { by, usage: linesOf(sums, by) };
}

interface OwnContext {
  database: ReadableDatabase;
  clock: Clock;
  settings: Pick<Settings, 'request_log_days' | 'request_log_hours'>;
}

/** Whole days are always known; parts of days as long as the request log is kept. */
export async function readOwnUsage(
  context: OwnContext,
  { account_id, key_id, own_use_only }: Caller,
  { by, from, to }: OwnUsageQuery,
): Promise<OwnUsage> {
  const { database } = context;
  const scope = { account_id, ...(own_use_only ? { key_id } : {}) };
  const { days, edges } = daysAndEdges(readDateRange({ from, to }));
  const parts = [
    ...(days ? [await sumDays(database.reader, { ...scope, ...days }, by)] : []),
    ...(await Promise.all(edges.map((edge) => sumEdge(context, scope, edge, by)))),
  ];
  const sums = addUp(parts.flat());
  return { by, usage: linesOf(sums, by), total: sumsForReport(sumOf(sums)) };
}

async function sumDays(on: Runner, filter: UsageFilter, by: string): Promise<UsageSum[]> {
  if (by === 'tag') return sumTagUsage(on, filter, undefined);
  const tag = tagOf(by);
  if (tag === undefined) return sumUsage(on, filter, by as UsageColumn);
  const [tagged, all] = [await sumTagUsage(on, filter, tag), await sumAll(on, filter)];
  const some = sumOf(tagged);
  const others = {
    group: '',
    requests: all.requests - some.requests,
    refusals: all.refusals - some.refusals,
    failures: all.failures - some.failures,
    cost: all.cost - some.cost,
  };
  return others.requests > 0 || others.cost > 0 ? [others, ...tagged] : tagged;
}

async function sumEdge(
  { database, clock, settings }: OwnContext,
  scope: UsageScope,
  { from, before, path }: TimeSpan,
  by: string,
): Promise<UsageSum[]> {
  const keptMs = logKeptMs(settings);
  if (from < clock.now().getTime() - keptMs) {
    const known = keptMs % dayMs === 0 ? `${keptMs / dayMs} days` : `${keptMs / hourMs} hours`;
    throw invalidRange(path, `Times of day are known for ${known}; give a date instead.`);
  }
  const tag = tagOf(by);
  const column = tag === undefined ? (by as 'day' | 'provider' | 'key' | 'tool') : 'tags';
  const sums = await sumLog(database.reader, scope, { from, before }, column);
  if (!sums) {
    const message = `That part of a day has more than ${maxLogRows} requests; give a date instead.`;
    throw invalidRange(path, message);
  }
  if (tag === undefined) return sums;
  return sums.map((sum) => {
    const value = tagPairs(String(sum.group)).find(([name]) => name === tag)?.[1];
    return { ...sum, group: value ?? '' };
  });
}

function tagOf(by: string): string | undefined {
  return by.startsWith('tag:') ? by.slice('tag:'.length) : undefined;
}

function linesOf(sums: readonly UsageSum[], by: string): UsageLine[] {
  if (sums.length > maxGroups) {
    const message = `There are more than ${maxGroups} groups; choose a shorter range.`;
    throw invalidRange('from', message);
  }
  return sums.map(({ group, ...sum }) => ({
    group: by === 'day' ? iso(Number(group) * dayMs).slice(0, 10) : String(group),
    ...sumsForReport(sum),
  }));
}

function invalidRange(path: string, message: string): GatewayError {
  const issues = [{ path, code: 'invalid_range', message }];
  return new GatewayError('invalid_request', `The request is not valid. ${path}: ${message}`, {
    issues,
  });
}

const newest = 1000;

export async function readAverageCost(
  { database }: { database: ReadableDatabase },
  of: { account_id: string; tool: string; provider: string },
): Promise<{ average_cost_usd: number | null; average_of: number }> {
  const { requests, cost } = await sumCosts(database.reader, { ...of, newest });
  const average = requests === 0 ? null : usd(Math.round(cost / requests));
  return { average_cost_usd: average, average_of: requests };
}
