// The request log: one row a request, and the sums of each day that outlive it.
import type { Runner } from '../platform/database.ts';
import { placeList, rowList } from './rows.ts';

export interface RequestRow {
  id: string;
  account_id: string;
  key_id: string;
  tool: string;
  /** Null when the request failed before one was chosen. */
  provider: string | null;
  status: number;
  error_type: string | null;
  warnings: number;
  /** What was taken, in micro-USD. */
  cost: number;
  /** What the provider itself said it cost, where it did. */
  reported_cost: number | null;
  latency_ms: number;
  created_at: number;
}

export interface UsageDay {
  account_id: string;
  day: number;
  key_id: string;
  tool: string;
  /** Empty when the request failed before one was chosen. */
  provider: string;
  requests: number;
  failures: number;
  cost: number;
}

export interface UsageHour extends Omit<UsageDay, 'day'> {
  hour: number;
}

/** Of these ids, the ones that are in the log already. */
export async function findLogged(on: Runner, ids: readonly string[]): Promise<Set<string>> {
  const list = placeList(ids);
  const rows = await on.run<{ id: string }>(
    `select id from requests where id in (${list.text})`,
    list.values,
  );
  return new Set(rows.map((row) => row.id));
}

export async function insertRequests(on: Runner, rows: readonly RequestRow[]): Promise<void> {
  const list = rowList(
    [
      'text',
      'text',
      'text',
      'text',
      'text',
      'bigint',
      'text',
      'bigint',
      'bigint',
      'bigint',
      'bigint',
      'bigint',
    ],
    rows.map((row) => [
      row.id,
      row.account_id,
      row.key_id,
      row.tool,
      row.provider,
      row.status,
      row.error_type,
      row.warnings,
      row.cost,
      row.reported_cost,
      row.latency_ms,
      row.created_at,
    ]),
  );
  await on.run(
    `insert into requests
       (id, account_id, key_id, tool, provider, status, error_type, warnings, cost,
        reported_cost, latency_ms, created_at)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10, column11, column12
     from ${list.text} where column1 is not null`,
    list.values,
  );
}

export async function setCosts(
  on: Runner,
  costs: readonly Pick<RequestRow, 'id' | 'cost'>[],
): Promise<void> {
  const list = rowList(
    ['text', 'bigint'],
    costs.map(({ id, cost }) => [id, cost]),
  );
  await on.run(
    `update requests set cost = v.column2 from ${list.text} where requests.id = v.column1`,
    list.values,
  );
}

export async function addToUsageDays(on: Runner, days: readonly UsageDay[]): Promise<void> {
  const rows = days.map(({ day, ...sums }) => ({ slot: day, ...sums }));
  await addToUsage(on, { table: 'usage_days', column: 'day' }, rows);
}

/** The same sums by the hour, for the last day or two. */
export async function addToUsageHours(on: Runner, hours: readonly UsageHour[]): Promise<void> {
  const rows = hours.map(({ hour, ...sums }) => ({ slot: hour, ...sums }));
  await addToUsage(on, { table: 'usage_hours', column: 'hour' }, rows);
}

async function addToUsage(
  on: Runner,
  { table, column }: { table: string; column: string },
  rows: readonly (Omit<UsageDay, 'day'> & { slot: number })[],
): Promise<void> {
  const list = rowList(
    ['text', 'bigint', 'text', 'text', 'text', 'bigint', 'bigint', 'bigint'],
    rows.map((one) => [
      one.account_id,
      one.slot,
      one.key_id,
      one.tool,
      one.provider,
      one.requests,
      one.failures,
      one.cost,
    ]),
  );
  await on.run(
    `insert into ${table}
       (account_id, ${column}, key_id, tool, provider, requests, failures, cost)
     select column1, column2, column3, column4, column5, column6, column7, column8
     from ${list.text} where column1 is not null
     on conflict (account_id, ${column}, key_id, tool, provider) do update set
       requests = ${table}.requests + excluded.requests,
       failures = ${table}.failures + excluded.failures,
       cost = ${table}.cost + excluded.cost`,
    list.values,
  );
}

export async function deleteOldHours(on: Runner, hour_before: number): Promise<void> {
  await on.run('delete from usage_hours where hour < $1', [hour_before]);
}

export async function deleteOldRequests(
  on: Runner,
  created_before: number,
  limit: number,
): Promise<number> {
  const rows = await on.run(
    `delete from requests where id in
       (select id from requests where created_at < $1 order by created_at limit $2)
     returning id`,
    [created_before, limit],
  );
  return rows.length;
}
