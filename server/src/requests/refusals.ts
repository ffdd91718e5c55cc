// Refused requests: they count towards the rate limits of their key and account like all others,
// and a bounded number of them is logged.
import { GatewayError } from '@trivium/contract/gateway-error';
import { boundedMap } from '../platform/bounded-map.ts';
import { groupCommit, type Runner, type Task } from '../store/index.ts';
import {
  type Counter,
  countRequest,
  type KeyMinute,
  type LogAllowance,
  minuteCounters,
  minuteLimited,
  minuteOf,
  openRateLimit,
  rateLimited,
  type RateLimited,
  rateLimitError,
  rateLimitKey,
  type Requester,
  takeRow,
} from './core/rate-limit.ts';
import type { Refusals, RequestsContext } from './context.ts';
import { addToKeyMinutes, findKeyMinutes } from './store/rate-limits.ts';

interface RefusedCounts {
  changes: readonly KeyMinute[];
  minute: number;
}

/** The thread of the embedded store finds the task by its name. */
export const refusalTask: Task<RefusedCounts, KeyMinute[]> = {
  name: 'refusals',
  work: async (tx, { changes, minute }) => {
    await addToKeyMinutes(tx, changes, minute);
    return findKeyMinutes(tx, changes, minute);
  },
};

/** Refusals that arrive within this time are counted together. */
const gatherMs = 20;
/** The allowances of at most this many accounts are kept. */
const maxAccounts = 1000;

export function makeRefusals({
  database,
  clock,
  settings,
  metrics,
}: Pick<RequestsContext, 'database' | 'clock' | 'settings' | 'metrics'>): Refusals {
  const allowances = boundedMap<string, LogAllowance>({ limit: maxAccounts, name: 'refusals' });
  const group = groupCommit<readonly Counter[], ReadonlyMap<string, number>>({
    name: 'refused_counts',
    clock,
    gatherMs,
    perform: async (batch) => {
      const changes = batch.flat().map(({ account_id, key_id }) => ({
        account_id,
        key_id,
        requests: 1,
      }));
      const minute = minuteOf(clock.now().getTime());
      const found = await database.perform(refusalTask, { changes, minute }, false);
      const counts = new Map(found.map((one) => [rateLimitKey(one), one.requests]));
      return batch.map(() => counts);
    },
  });
  return {
    count: async ({ caller: { account_id, key_id, policy }, seen }, error) => {
      // A request above a rate limit was already counted.
      if (seen.counted || !(error instanceof GatewayError)) return error;
      if (error.status < 400 || error.status >= 429) return error;
      const by = { account_id, key_id, limits: policy?.limits };
      const counters = minuteCounters(settings.key_requests_per_minute, by);
      if (counters.length === 0) return error;
      // If a refusal cannot be counted, the caller still receives it.
      const counts = await group.add(counters).catch(() => undefined);
      const reached = counters.find(
        (one) => (counts?.get(rateLimitKey(one)) ?? 0) > (one.per_minute ?? Infinity),
      );
      return reached ? rateLimitError(minuteLimited(reached, clock.now().getTime())) : error;
    },
    isLogged: (accountId, status) => {
      if (status < 400 || status > 429) return true;
      const after = takeRow(allowances.get(accountId), clock.now().getTime());
      if (!after) {
        metrics?.unlogged();
        return false;
      }
      return allowances.put(accountId, after);
    },
  };
}

/** Counts a request at once, unless it is above a limit. */
export async function countWithin(
  tx: Runner,
  of: { perKeyMinute: number | undefined; by: Requester; counters: readonly Counter[] },
  now: number,
): Promise<RateLimited | undefined> {
  const counts = openRateLimit(of.perKeyMinute);
  for (const key of await findKeyMinutes(tx, of.counters, minuteOf(now))) {
    counts.keys.set(rateLimitKey(key), key);
  }
  const reached = rateLimited(counts, of.by, now);
  if (reached) return reached;
  countRequest(counts, of.by);
  await addToKeyMinutes(tx, [...counts.changes.values()], minuteOf(now));
  return undefined;
}
