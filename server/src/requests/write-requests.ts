// The request log's part of a batch: new rows, costs that became known, and the usage of the hour.
// Old hours are folded into days.
import { dayOf } from './core/days.ts';
import { dayOfHour, hourOf } from './core/days.ts';
import { outcomeOf } from '@trivium/contract/outcomes';
import { tagPairs } from './core/tags.ts';
import type { Database, Runner } from '../store/index.ts';
import {
  addToRecentUsage,
  addToUsageDays,
  findLogged,
  insertRequests,
  setCosts,
  takeOldHours,
} from './store/requests.ts';
import { addToProviderHours } from './store/provider-hours.ts';
import { addToTagUsage } from './store/tag-usage.ts';
import type {
  ProviderHour,
  RequestRow,
  TagUsage,
  UsageHour,
  UsageSums,
} from './core/request-row.ts';

/** A row written earlier, whose cost is known only now. */
export type LoggedCost = Pick<
  RequestRow,
  'id' | 'account_id' | 'key_id' | 'tool' | 'provider' | 'created_at'
>;

interface LoggedPosting {
  /** Absent for a row without an entry. */
  entry?: object;
  request?: RequestRow;
  costs_request?: LoggedCost;
  outcome: { kind: string; cost?: number; again?: boolean; tags?: string } | undefined;
}

/** The cost of a request is what the ledger charged for it, not what its row says. */
export async function writeRequests(
  tx: Runner,
  batch: readonly LoggedPosting[],
  repeated: boolean,
): Promise<void> {
  const rows = batch.flatMap(({ entry, request, outcome }) => {
    // If an entry did not take effect, its request fails and is logged separately as a failure.
    const isLogged = entry === undefined || outcome?.again !== undefined;
    return request && isLogged ? [{ ...request, cost: costOf(outcome) }] : [];
  });
  const fresh = await withoutLogged(tx, rows, repeated);
  const costs = batch.flatMap(({ costs_request, outcome }) =>
    costs_request && outcome?.again === false
      ? [{ ...costs_request, cost: costOf(outcome), tags: outcome.tags ?? null }]
      : [],
  );
  const counted = [
    ...fresh.map((row) => ({ ...row, requests: 1, ...errorsOf(row), ...latencyOf(row) })),
    ...costs.map((cost) => ({ ...cost, requests: 0, refusals: 0, failures: 0, ...noLatency })),
  ];
  const hours = sumUp(
    counted.map((one) => ({ ...one, slot: hourOf(one.created_at), provider: one.provider ?? '' })),
  );
  const tagged = sumUpTags(counted);
  await Promise.all([
    ...(fresh.length > 0 ? [insertRequests(tx, fresh)] : []),
    ...(costs.length > 0 ? [setCosts(tx, costs)] : []),
    ...(hours.length > 0 ? [addToRecentUsage(tx, hours)] : []),
    ...(tagged.length > 0 ? [addToTagUsage(tx, tagged)] : []),
  ]);
}

function errorsOf({ status, error_type }: RequestRow) {
  const outcome = outcomeOf(status, error_type);
  return { refusals: outcome === 'refused' ? 1 : 0, failures: outcome === 'failed' ? 1 : 0 };
}

const noLatency = { answers: 0, answer_ms: 0 };

/** For an answer from the cache, a replay or a job, the latency is not the provider's. */
function latencyOf({ status, paid_by, tool, latency_ms }: RequestRow) {
  const isMeasured = status === 200 && paid_by === 'settle' && tool !== 'transcription';
  return isMeasured ? { answers: 1, answer_ms: latency_ms } : noLatency;
}

/** Only a repeated batch can have rows that are already logged. */
async function withoutLogged(
  tx: Runner,
  rows: readonly RequestRow[],
  repeated: boolean,
): Promise<readonly RequestRow[]> {
  if (!repeated || rows.length === 0) return rows;
  const logged = await findLogged(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.filter(({ id }) => !logged.has(id));
}

function costOf(outcome: LoggedPosting['outcome']): number {
  return outcome?.kind === 'settled' ? (outcome.cost ?? 0) : 0;
}

/**
 * Moves the usage of old hours into their days and into the hours of their providers. Each hour is
 * moved once, by any gateway. Returns how many rows were moved.
 */
export function foldUsage(database: Database, hourBefore: number, limit: number): Promise<number> {
  return database.transaction(async (tx) => {
    const hours = await takeOldHours(tx, hourBefore, limit);
    const days = sumUp(hours.map((hour) => ({ ...hour, slot: dayOfHour(hour.slot) })));
    if (days.length > 0) await addToUsageDays(tx, days);
    const ofProviders = sumUpProviders(hours);
    if (ofProviders.length > 0) await addToProviderHours(tx, ofProviders);
    return hours.length;
  });
}

interface Counted extends UsageSums {
  account_id: string;
  key_id: string;
  created_at: number;
  tags?: string | null;
}

/** By tag value and day. Requests without tags are not included. */
function sumUpTags(counted: readonly Counted[]): TagUsage[] {
  const sums = new Map<string, TagUsage>();
  for (const { account_id, key_id, created_at, tags, ...own } of counted) {
    const { requests, refusals, failures, cost } = own;
    const day = dayOf(created_at);
    for (const [tag, value] of tagPairs(tags)) {
      const place = `${day} ${account_id} ${key_id} ${tag}=${value}`;
      const sum = sums.get(place);
      if (sum) {
        sum.requests += requests;
        sum.refusals += refusals;
        sum.failures += failures;
        sum.cost += cost;
      } else {
        const counts = { requests, refusals, failures, cost };
        sums.set(place, { account_id, tag, day, value, key_id, ...counts });
      }
    }
  }
  return [...sums.values()];
}

function sumUp(parts: readonly UsageHour[]): UsageHour[] {
  const sums = new Map<string, UsageHour>();
  for (const one of parts) {
    const { account_id, slot, key_id, tool, provider } = one;
    const place = `${slot} ${account_id} ${key_id} ${tool} ${provider}`;
    const sum = sums.get(place);
    if (sum) {
      sum.requests += one.requests;
      sum.refusals += one.refusals;
      sum.failures += one.failures;
      sum.cost += one.cost;
      sum.answers += one.answers;
      sum.answer_ms += one.answer_ms;
    } else {
      const { requests, refusals, failures, cost, answers, answer_ms } = one;
      const counts = { requests, refusals, failures, cost, answers, answer_ms };
      sums.set(place, { account_id, slot, key_id, tool, provider, ...counts });
    }
  }
  return [...sums.values()];
}

/** For all accounts. A refused request reached no provider. */
function sumUpProviders(parts: readonly UsageHour[]): ProviderHour[] {
  const sums = new Map<string, ProviderHour>();
  for (const { provider, slot: hour, answers, answer_ms, ...one } of parts) {
    const failed = one.failures;
    const served = one.requests - one.refusals - failed;
    if (provider === '' || served + failed === 0) continue;
    const sum = sums.get(`${hour} ${provider}`);
    if (sum) {
      sum.served += served;
      sum.failed += failed;
      sum.answers += answers;
      sum.answer_ms += answer_ms;
    } else {
      sums.set(`${hour} ${provider}`, { provider, hour, served, failed, answers, answer_ms });
    }
  }
  return [...sums.values()];
}
