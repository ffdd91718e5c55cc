// The request log: one row a request, and the sums of hours and days that outlive it.
import type { Row, Runner } from '../platform/database.ts';
import { idStatement, rowStatement } from './rows.ts';

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
  /** Which settle pays for what was served; absent for a failure, and in rows of older versions. */
  paid_by?: PaidBy | null;
  /** How many results or pages the answer carries, where it is an answer. */
  delivered?: number | null;
}

/** The settle under the request's own id, that of a job, or that of the request it repeats. */
export type PaidBy = 'settle' | `job:${string}` | `replay:${string}`;

export interface UsageSums {
  requests: number;
  failures: number;
  cost: number;
}

export interface Usage extends UsageSums {
  key_id: string;
  tool: string;
  /** Empty when the request failed before one was chosen. */
  provider: string;
}

export interface UsageSlot extends Usage {
  account_id: string;
  /** A day or an hour, counted since 1970. */
  slot: number;
}

const find_logged = idStatement((places) => `select id from requests where id in (${places})`);

/** Of these ids, the ones that are in the log already. */
export async function findLogged(on: Runner, ids: readonly string[]): Promise<Set<string>> {
  const rows = await on.run<{ id: string }>(...find_logged(ids));
  return new Set(rows.map((row) => row.id));
}

const [text, whole] = ['text', 'bigint'] as const;

const insert_requests = rowStatement(
  [text, text, text, text, text, whole, text, whole, whole, whole, whole, whole, text, whole],
  (table) => `insert into requests
       (id, account_id, key_id, tool, provider, status, error_type, warnings, cost,
        reported_cost, latency_ms, created_at, paid_by, delivered)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10, column11, column12, column13, column14
     from ${table} where column1 is not null`,
);

export async function insertRequests(on: Runner, rows: readonly RequestRow[]): Promise<void> {
  const values = rows.map((row) => [
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
    row.paid_by ?? null,
    row.delivered ?? null,
  ]);
  await on.run(...insert_requests(values));
}

const set_costs = rowStatement(
  [text, whole],
  (table) => `update requests set cost = v.column2 from ${table} where requests.id = v.column1`,
);

export async function setCosts(
  on: Runner,
  costs: readonly Pick<RequestRow, 'id' | 'cost'>[],
): Promise<void> {
  await on.run(...set_costs(costs.map(({ id, cost }) => [id, cost])));
}

const add_to_recent = usageStatement('usage_recent', 'hour');
const add_to_days = usageStatement('usage_days', 'day');

/** By the hour; what is no longer recent is folded into its day. */
export async function addToRecentUsage(on: Runner, hours: readonly UsageSlot[]): Promise<void> {
  await on.run(...add_to_recent(hours.map(usageValues)));
}

export async function addToUsageDays(on: Runner, days: readonly UsageSlot[]): Promise<void> {
  await on.run(...add_to_days(days.map(usageValues)));
}

function usageStatement(name: string, column: string) {
  return rowStatement(
    [text, whole, text, text, text, whole, whole, whole],
    (table) => `insert into ${name}
       (account_id, ${column}, key_id, tool, provider, requests, failures, cost)
     select column1, column2, column3, column4, column5, column6, column7, column8
     from ${table} where column1 is not null
     on conflict (account_id, ${column}, key_id, tool, provider) do update set
       requests = ${name}.requests + excluded.requests,
       failures = ${name}.failures + excluded.failures,
       cost = ${name}.cost + excluded.cost`,
  );
}

function usageValues(one: UsageSlot) {
  const { account_id, slot, key_id, tool, provider, requests, failures, cost } = one;
  return [account_id, slot, key_id, tool, provider, requests, failures, cost];
}

/** What was used, day by day; a day may be in several parts. */
export const usage_by_day = `(
  select account_id, day, key_id, tool, provider, requests, failures, cost from usage_days
  union all
  select account_id, hour / 24 as day, key_id, tool, provider, requests, failures, cost
  from usage_recent) as usage`;

/** Versions before this one count hours apart, in days that are counted already. */
export const usage_by_hour = `(
  select account_id, hour, key_id, tool, provider, requests, failures, cost from usage_recent
  union all
  select account_id, hour, key_id, tool, provider, requests, failures, cost
  from usage_hours) as usage`;

export async function deleteOldHours(on: Runner, hour_before: number): Promise<void> {
  await on.run('delete from usage_hours where hour < $1', [hour_before]);
}

/** Takes hours out, the oldest first; whoever takes one has to add it to its day. */
export async function takeOldHours(
  on: Runner,
  hour_before: number,
  limit: number,
): Promise<UsageSlot[]> {
  const rows = await on.run(
    `delete from usage_recent where (account_id, hour, key_id, tool, provider) in
       (select account_id, hour, key_id, tool, provider from usage_recent
        where hour < $1 order by hour limit $2)
     returning account_id, hour, key_id, tool, provider, requests, failures, cost`,
    [hour_before, limit],
  );
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    slot: Number(row['hour']),
    ...readUsage(row),
  }));
}

/** PostgreSQL hands out whole numbers and their sums as text. */
export function readUsage(row: Row): Usage {
  return {
    key_id: String(row['key_id']),
    tool: String(row['tool']),
    provider: String(row['provider']),
    requests: Number(row['requests']),
    failures: Number(row['failures']),
    cost: Number(row['cost']),
  };
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
