// The request log's part of a batch: new rows, costs that became known, and the usage of the hour.
// Old hours are folded into days.
import { outcomeOf } from '@trivium/contract/outcomes';
import type { Database, Runner } from '../store/index.ts';
import { dayOf, dayOfHour, hourOf } from './core/days.ts';
import { type RequestRow, tagPairs } from './core/request-row.ts';
import { findLogged, insertRequests, setCosts } from './store/requests.ts';
import { providerHours, tagUsage, usageDays, usageHours } from './store/usage.ts';

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
  const used = counted.map((one) => ({
    ...one,
    hour: hourOf(one.created_at),
    provider: one.provider ?? '',
  }));
  const tagged = counted.flatMap((one) =>
    tagPairs(one.tags).map(([tag, value]) => ({ ...one, day: dayOf(one.created_at), tag, value })),
  );
  await Promise.all([
    insertRequests(tx, fresh),
    setCosts(tx, costs),
    usageHours.add(tx, used),
    tagUsage.add(tx, tagged),
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
    const hours = await usageHours.takeOld(tx, 'hour', hourBefore, limit);
    await usageDays.add(
      tx,
      hours.map((one) => ({ ...one, day: dayOfHour(one.hour) })),
    );
    await providerHours.add(tx, hours.flatMap(resultsOf));
    return hours.length;
  });
}

/** Deletes and returns the usage of tag values before this day. */
export function takeOldTagUsage(tx: Runner, dayBefore: number, limit: number) {
  return tagUsage.takeOld(tx, 'day', dayBefore, limit);
}

export const addTagUsage = tagUsage.add;

/** A refused request reached no provider. */
function resultsOf(one: Awaited<ReturnType<typeof usageHours.takeOld>>[number]) {
  const { failures: failed } = one;
  const served = one.requests - one.refusals - failed;
  return one.provider === '' || served + failed === 0 ? [] : [{ ...one, served, failed }];
}
