// Why usage changed: a range, or as much of it as has passed, compared with the same part of the range
// before, and the keys, providers and tags that account for the difference.
import { GatewayError, type UsageComparison, type UsageChangeQuery } from '@trivium/contract';
import { usd } from '../billing/core/index.ts';
import { logKeptMs } from '../settings/index.ts';
import { iso, readDateRange } from '../store/index.ts';
import type { KeptLog } from './context.ts';
import { causesOf, type Change } from './core/causes.ts';
import { noUsage, type UsageSums } from './core/request-row.ts';
import { sumOf } from './core/series.ts';
import { maxGroups, maxLogRows, type UsageSum } from './store/usage-sums.ts';
import { addUp, invalidRange, sumLogged, sumRange, tooManyRequests } from './usage.ts';

/** What is named as a cause, the group of its sums, and the filter that leaves only one group. */
const groupings = [
  ['key', 'key', 'key_id'],
  ['provider', 'provider', 'provider'],
  ['tag', 'tag=value', 'tag'],
] as const;

type Scope = Pick<UsageChangeQuery, 'account_id' | 'key_id' | 'provider' | 'tool' | 'tag'>;
type Outcome = UsageChangeQuery['outcome'];

/** In milliseconds. `before` is exclusive. */
interface TimeRange {
  from: number;
  before: number;
}

export async function readUsageChange(
  context: KeptLog,
  { from, to, measure, outcome, ...scope }: UsageChangeQuery,
): Promise<UsageComparison> {
  const clockMs = context.clock.now().getTime();
  const { range, previous } = comparedRanges(readDateRange({ from, to }), clockMs);
  const read = async (group: string) => {
    const [now, before] = await Promise.all([
      sumGroups(context, scope, range, group),
      sumGroups(context, scope, previous, group),
    ]);
    return { now, before };
  };
  const all = await read('tool');
  const total = changeOf(sumOf(all.now), sumOf(all.before), outcome);
  const compared = await Promise.all(
    groupings.map(async ([by, group, filter]) => {
      if (filter !== 'tag' && scope[filter] !== undefined) return { by, causes: [] };
      // The totals of tags are kept as long as the log.
      const isKept = by !== 'tag' || previous.from >= clockMs - logKeptMs(context.settings);
      const sums = isKept ? await read(group).catch(undefinedIfRefused) : undefined;
      if (!sums || Math.max(sums.now.length, sums.before.length) > maxGroups) return { by };
      const causes = causesOf(changesOf(sums, outcome), total, measure);
      return { by, causes: causes.filter((one) => one.group !== scope.tag) };
    }),
  );
  return {
    since: iso(range.from),
    until: iso(range.before),
    previous_since: iso(previous.from),
    previous_until: iso(previous.before),
    total: shown(total.now),
    previous: shown(total.before),
    causes: compared.flatMap(({ by, causes = [] }) =>
      causes.map(({ group, now, before }) => ({
        ...{ by, group, requests: now.requests - before.requests },
        cost_usd: usd(now.cost - before.cost),
      })),
    ),
    not_compared: compared.flatMap(({ by, causes }) => (causes ? [] : [by])),
  };
}

function shown({ requests, cost }: Change['now']) {
  return { requests, cost_usd: usd(cost) };
}

/** The part of the range until now, and the same part of the range before, which is as long. */
function comparedRanges(
  { from = 0, before }: ReturnType<typeof readDateRange>,
  now: number,
): { range: TimeRange; previous: TimeRange } {
  const end = Math.min(before ?? now, now);
  if (end <= from) throw invalidRange('from', 'Must be in the past.');
  const length = (before ?? now) - from;
  const start = Math.max(0, from - length);
  const previous = { from: start, before: Math.max(start, end - length) };
  return { range: { from, before: end }, previous };
}

/** Whole days are read from the totals, which know neither the tags of a provider nor those of a tool. */
async function sumGroups(
  context: KeptLog,
  { tag, ...scope }: Scope,
  range: TimeRange,
  by: string,
): Promise<UsageSum[]> {
  const isTotalled =
    tag === undefined && (by !== 'tag=value' || (scope.provider ?? scope.tool) === undefined);
  if (isTotalled) return sumRange(context, scope, range, by);
  // The filters apply to every request of the range, so that is what the limit is for.
  const all = await sumRange(context, { account_id: scope.account_id }, range, 'tool');
  if (sumOf(all).requests > maxLogRows) throw tooManyRequests('from');
  return sumLogged(context, { ...scope, tag }, { ...range, path: 'from' }, by);
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof GatewayError && error.type === 'invalid_request') return undefined;
  throw error;
}

function changesOf(
  { now, before }: Readonly<Record<'now' | 'before', readonly UsageSum[]>>,
  outcome: Outcome,
): (Change & { group: string })[] {
  const [after, earlier] = [addUp(now), addUp(before)].map(
    (sums) => new Map(sums.map((sum) => [sum.group, sum])),
  );
  const groups = new Set([...(after?.keys() ?? []), ...(earlier?.keys() ?? [])]);
  return [...groups].map((group) => ({
    group,
    ...changeOf(after?.get(group) ?? noUsage, earlier?.get(group) ?? noUsage, outcome),
  }));
}

function changeOf(now: UsageSums, before: UsageSums, outcome: Outcome): Change {
  return { now: counted(now, outcome), before: counted(before, outcome) };
}

/** Only requests that were served cost something. */
function counted(
  { requests, refusals, failures, cost }: UsageSums,
  outcome: Outcome,
): Change['now'] {
  if (outcome === undefined) return { requests, cost };
  const served = requests - refusals - failures;
  if (outcome === 'served') return { requests: served, cost };
  const errors = { refused: refusals, failed: failures, error: refusals + failures };
  return { requests: errors[outcome], cost: 0 };
}
