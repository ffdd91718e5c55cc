// Counts a request that costs nothing and holds nothing, such as an estimate, towards the rate
// limits of its key and its account. Without limits, no statement is needed.
import type { Clock } from '../platform/clock.ts';
import type { Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';
import {
  countersOf,
  countRequest,
  minuteOf,
  openRateLimit,
  rateLimited,
  rateLimitError,
  rateLimitKey,
} from '../requests/core/index.ts';
import { addToKeyMinutes, type Caller, findKeyMinutes } from '../requests/index.ts';
import { lockAccounts } from './store/ledger.ts';

interface CountingContext {
  database: Database;
  clock: Clock;
  settings: Pick<Settings, 'key_requests_per_minute'>;
}

export async function countUnpaid(
  { database, clock, settings }: CountingContext,
  { account_id, key_id, policy }: Caller,
): Promise<void> {
  const by = { account_id, key_id, ...(policy?.limits ? { limits: policy.limits } : {}) };
  const perKeyMinute = settings.key_requests_per_minute;
  const counters = countersOf(perKeyMinute, by).filter(
    ({ per_minute: limit }) => limit !== undefined,
  );
  if (counters.length === 0) return;
  const now = clock.now().getTime();
  const limited = await database.transaction(async (tx) => {
    // Locked like in the ledger, so that no request is counted between the two statements.
    await lockAccounts(tx, [account_id]);
    const counts = openRateLimit(perKeyMinute);
    for (const key of await findKeyMinutes(tx, counters, minuteOf(now))) {
      counts.keys.set(rateLimitKey(key), key);
    }
    const reached = rateLimited(counts, by, now);
    if (reached) return reached;
    countRequest(counts, by);
    await addToKeyMinutes(tx, [...counts.changes.values()], minuteOf(now));
    return undefined;
  });
  if (limited) throw rateLimitError(limited);
}
