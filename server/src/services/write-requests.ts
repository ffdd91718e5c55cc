// The request log's part of a batch: new rows, costs that became known, and the sums of the day.
import { dayOf } from '../domain/ledger/book.ts';
import type { Runner } from '../platform/database.ts';
import { addToUsageDays, findLogged, insertRequests, setCosts } from '../store/requests.ts';
import type { RequestRow, UsageDay } from '../store/requests.ts';

/** The row whose cost is known now, as it was written. */
export type LoggedCost = Pick<
  RequestRow,
  'id' | 'account_id' | 'key_id' | 'tool' | 'provider' | 'created_at'
>;

export interface Logged {
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
  const rows = batch.flatMap(({ request, outcome }) =>
    request ? [{ ...request, cost: costOf(outcome) }] : [],
  );
  const fresh = await withoutLogged(tx, rows, repeated);
  const costs = batch.flatMap(({ costs_request, outcome }) =>
    costs_request && outcome?.again === false ? [{ ...costs_request, cost: costOf(outcome) }] : [],
  );
  const days = sumUp([
    ...fresh.map((row) => ({ ...row, requests: 1, failures: row.error_type === null ? 0 : 1 })),
    ...costs.map((cost) => ({ ...cost, requests: 0, failures: 0 })),
  ]);
  await Promise.all([
    ...(fresh.length > 0 ? [insertRequests(tx, fresh)] : []),
    ...(costs.length > 0 ? [setCosts(tx, costs)] : []),
    ...(days.length > 0 ? [addToUsageDays(tx, days)] : []),
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

type Counted = LoggedCost & Pick<UsageDay, 'requests' | 'failures' | 'cost'>;

function sumUp(counted: readonly Counted[]): UsageDay[] {
  const days = new Map<string, UsageDay>();
  for (const one of counted) {
    const { account_id, key_id, tool } = one;
    const day = dayOf(one.created_at);
    const provider = one.provider ?? '';
    const place = JSON.stringify([account_id, day, key_id, tool, provider]);
    const sum = days.get(place);
    days.set(place, {
      account_id,
      day,
      key_id,
      tool,
      provider,
      requests: (sum?.requests ?? 0) + one.requests,
      failures: (sum?.failures ?? 0) + one.failures,
      cost: (sum?.cost ?? 0) + one.cost,
    });
  }
  return [...days.values()];
}
