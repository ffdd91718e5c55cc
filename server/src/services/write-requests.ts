// The request log's part of a batch: new rows, costs that became known, and the sums of the hour,
// which are folded into days when they are old.
import { dayOfHour, hourOf } from '../domain/ledger/book.ts';
import { isFailure } from '../domain/failure.ts';
import type { Database, Runner } from '../platform/database.ts';
import {
  addToRecentUsage,
  addToUsageDays,
  findLogged,
  insertRequests,
  setCosts,
  takeOldHours,
} from '../store/requests.ts';
import type { RequestRow, UsageSlot } from '../store/requests.ts';

/** The row whose cost is known now, as it was written. */
export type LoggedCost = Pick<
  RequestRow,
  'id' | 'account_id' | 'key_id' | 'tool' | 'provider' | 'created_at'
>;

export interface Logged {
  /** Absent for a row that travels alone. */
  entry?: object;
  request?: RequestRow;
  costs_request?: LoggedCost;
  outcome: { kind: string; cost?: number; again?: boolean } | undefined;
}

/** What a request cost is what the ledger took for it, whatever its row says. */
export async function writeRequests(
  tx: Runner,
  batch: readonly Logged[],
  repeated: boolean,
): Promise<void> {
  const rows = batch.flatMap(({ entry, request, outcome }) => {
    // An entry that did not take effect ends as a failure, which is logged as one.
    const told = entry === undefined || outcome?.again !== undefined;
    return request && told ? [{ ...request, cost: costOf(outcome) }] : [];
  });
  const fresh = await withoutLogged(tx, rows, repeated);
  const costs = batch.flatMap(({ costs_request, outcome }) =>
    costs_request && outcome?.again === false ? [{ ...costs_request, cost: costOf(outcome) }] : [],
  );
  const counted = [
    ...fresh.map((row) => ({ ...row, requests: 1, failures: isFailure(row.status) ? 1 : 0 })),
    ...costs.map((cost) => ({ ...cost, requests: 0, failures: 0 })),
  ];
  const hours = sumUp(
    counted.map((one) => ({ ...one, slot: hourOf(one.created_at), provider: one.provider ?? '' })),
  );
  await Promise.all([
    ...(fresh.length > 0 ? [insertRequests(tx, fresh)] : []),
    ...(costs.length > 0 ? [setCosts(tx, costs)] : []),
    ...(hours.length > 0 ? [addToRecentUsage(tx, hours)] : []),
  ]);
}

/** Only a repeated batch can hold rows that are there already. */
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

function costOf(outcome: Logged['outcome']): number {
  return outcome?.kind === 'settled' ? (outcome.cost ?? 0) : 0;
}

/** Moves the sums of old hours into their days; each hour is moved once, whoever does it. */
export async function foldUsage(
  database: Database,
  hour_before: number,
  limit: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    const hours = await takeOldHours(tx, hour_before, limit);
    const days = sumUp(hours.map((hour) => ({ ...hour, slot: dayOfHour(hour.slot) })));
    if (days.length > 0) await addToUsageDays(tx, days);
  });
}

function sumUp(parts: readonly UsageSlot[]): UsageSlot[] {
  const sums = new Map<string, UsageSlot>();
  for (const one of parts) {
    const { account_id, slot, key_id, tool, provider } = one;
    const place = `${slot} ${account_id} ${key_id} ${tool} ${provider}`;
    const sum = sums.get(place);
    if (sum) {
      sum.requests += one.requests;
      sum.failures += one.failures;
      sum.cost += one.cost;
    } else {
      const { requests, failures, cost } = one;
      sums.set(place, { account_id, slot, key_id, tool, provider, requests, failures, cost });
    }
  }
  return [...sums.values()];
}
