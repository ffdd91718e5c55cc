// The request log, with one row per request, and usage by hour and day, which is kept longer.
import {
  type Database,
  deleteSteps,
  idStatement,
  listPartitions,
  type Row,
  rowStatement,
  type Runner,
  tooLongToDrop,
} from '../../store/index.ts';
import type { RequestRow, Usage, UsageHour, UsageSlot } from '../core/request-row.ts';

const findLoggedStatement = idStatement(
  (places) => `select id from requests where id in (${places})`,
);

/** The given ids that are already logged. */
export async function findLogged(on: Runner, ids: readonly string[]): Promise<Set<string>> {
  const rows = await on.run<{ id: string }>(...findLoggedStatement(ids));
  return new Set(rows.map((row) => row.id));
}

const [text, whole] = ['text', 'bigint'] as const;

const insertRequestsStatement = rowStatement(
  [
    ...[text, text, text, text, text, whole, text, whole, whole, whole, whole, whole, text, whole],
    ...[text, whole, text, text, text],
  ],
  (table) => `insert into requests
       (id, account_id, key_id, tool, provider, status, error_type, warnings, cost,
        reported_cost, latency_ms, created_at, paid_by, delivered, asked, forget_at, detail, tags,
        parameters)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10, column11, column12, column13, column14, column15, column16, column17, column18,
       column19
     from ${table} where column1 is not null`,
);

/** Both engines limit the number of values in one statement. */
const maxInsertedRows = 1024;

export async function insertRequests(on: Runner, rows: readonly RequestRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += maxInsertedRows) {
    await insertSome(on, rows.slice(from, from + maxInsertedRows));
  }
}

async function insertSome(on: Runner, rows: readonly RequestRow[]): Promise<void> {
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
    row.asked ?? null,
    row.forget_at ?? null,
    row.detail ?? null,
    row.tags ?? null,
    row.parameters ?? null,
  ]);
  await on.run(...insertRequestsStatement(values));
}

const setCostsStatement = rowStatement(
  [text, whole],
  (table) => `update requests set cost = v.column2 from ${table} where requests.id = v.column1`,
);

export async function setCosts(
  on: Runner,
  costs: readonly Pick<RequestRow, 'id' | 'cost'>[],
): Promise<void> {
  await on.run(...setCostsStatement(costs.map(({ id, cost }) => [id, cost])));
}

const sums = ['requests', 'refusals', 'failures', 'cost'] as const;
const sumsOfHour = [...sums, 'answers', 'answer_ms'] as const;

const addToRecent = usageStatement('usage_recent', 'hour', sumsOfHour);
const addToDays = usageStatement('usage_days', 'day', sums);

/** Usage by hour. Old hours are folded into their days. */
export async function addToRecentUsage(on: Runner, hours: readonly UsageHour[]): Promise<void> {
  await on.run(
    ...addToRecent(hours.map((one) => [...usageValues(one), one.answers, one.answer_ms])),
  );
}

export async function addToUsageDays(on: Runner, days: readonly UsageSlot[]): Promise<void> {
  await on.run(...addToDays(days.map(usageValues)));
}

function usageStatement(name: string, column: string, added: readonly string[]) {
  const columns = ['account_id', column, 'key_id', 'tool', 'provider', ...added];
  return rowStatement(
    [text, whole, text, text, text, ...added.map(() => whole)],
    (table) => `insert into ${name} (${columns.join(', ')})
     select ${columns.map((_, place) => `column${place + 1}`).join(', ')}
     from ${table} where column1 is not null
     on conflict (account_id, ${column}, key_id, tool, provider) do update set
       ${added.map((sum) => `${sum} = ${name}.${sum} + excluded.${sum}`).join(', ')}`,
  );
}

function usageValues(one: UsageSlot) {
  const { account_id, slot, key_id, tool, provider, requests, refusals, failures, cost } = one;
  return [account_id, slot, key_id, tool, provider, requests, refusals, failures, cost];
}

/** Usage by day. A day may have several rows. */
export const usageByDay = `(
  select account_id, day, key_id, tool, provider, requests, refusals, failures, cost
  from usage_days
  union all
  select account_id, hour / 24 as day, key_id, tool, provider, requests, refusals, failures, cost
  from usage_recent) as usage`;

/** Deletes old hours, oldest first, and returns them. The caller adds them to their days. */
export async function takeOldHours(
  on: Runner,
  hourBefore: number,
  limit: number,
): Promise<UsageHour[]> {
  const rows = await on.run(
    `delete from usage_recent where (account_id, hour, key_id, tool, provider) in
       (select account_id, hour, key_id, tool, provider from usage_recent
        where hour < $1 order by hour limit $2)
     returning account_id, hour, key_id, tool, provider, requests, refusals, failures, cost,
       answers, answer_ms`,
    [hourBefore, limit],
  );
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    slot: Number(row['hour']),
    ...readUsage(row),
    answers: Number(row['answers']),
    answer_ms: Number(row['answer_ms']),
  }));
}

/** PostgreSQL returns bigint and sums as text. */
export function readUsage(row: Row): Usage {
  return {
    key_id: String(row['key_id']),
    tool: String(row['tool']),
    provider: String(row['provider']),
    requests: Number(row['requests']),
    refusals: Number(row['refusals']),
    failures: Number(row['failures']),
    cost: Number(row['cost']),
  };
}

/** Deletes rows one by one, for logs whose partitions cannot be dropped whole. */
export async function deleteOldRequests(
  database: Database,
  { oldest, lengthMs }: { oldest: number; lengthMs: number },
  limit: number,
): Promise<number> {
  const partitions = database.engine === 'sqlite' ? [] : await listPartitions(database, 'requests');
  const names = tooLongToDrop(partitions, lengthMs).map(({ name }) => name);
  if (partitions.length === 0) names.push('requests');
  let deleted = 0;
  for (const table of names) {
    const step = deleteSteps({ table, key: 'id', due: 'created_at < $1', order: 'created_at' });
    if (deleted < limit) deleted += await step(database, oldest, limit - deleted);
  }
  return deleted;
}

/** Clears the query and its parameters when their retention ends. The row itself stays. */
export async function forgetAsked(on: Runner, now: number, limit: number): Promise<number> {
  const rows = await on.run(
    `update requests set asked = null, parameters = null, forget_at = null
     where (created_at, id) in
       (select created_at, id from requests where forget_at <= $1 order by forget_at limit $2)
     returning id`,
    [now, limit],
  );
  return rows.length;
}

/**
 * The cost of a request, as a column for a statement on another table. `id` is that table's column
 * with the request id.
 */
export function costOfRequest(id: string): string {
  return `(select cost from requests where requests.id = ${id})`;
}
