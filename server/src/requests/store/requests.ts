// The request log, with one row per request, and usage by hour and day, which is kept longer.
import {
  adding,
  idStatement,
  inParts,
  orNull,
  query,
  reader,
  type Runner,
  table,
  text,
  textOf,
  whole,
} from '../../store/index.ts';
import type { PaidBy, UsageHour, UsageSlot } from '../core/request-row.ts';

const findLoggedStatement = idStatement(
  (places) => `select id from requests where id in (${places})`,
);

/** The given ids that are already logged. */
export async function findLogged(on: Runner, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await query.texts(on, ...findLoggedStatement(ids)));
}

export const log = table('requests', {
  id: text,
  account_id: text,
  key_id: text,
  tool: text,
  provider: orNull(text),
  status: whole,
  error_type: orNull(text),
  warnings: whole,
  cost: whole,
  reported_cost: orNull(whole),
  latency_ms: whole,
  created_at: whole,
  paid_by: orNull(textOf<PaidBy>()),
  delivered: orNull(whole),
  asked: orNull(text),
  forget_at: orNull(whole),
  detail: orNull(text),
  tags: orNull(text),
  parameters: orNull(text),
});

export const insertRequests = log.insert();

export const setCosts = inParts(
  { id: text, cost: whole },
  'update requests set cost = v.cost from v where requests.id = v.id',
);

const ofUse = { key_id: text, tool: text, provider: text };
const sums = { requests: whole, refusals: whole, failures: whole, cost: whole };
const answers = { answers: whole, answer_ms: whole };
const days = table('usage_days', { account_id: text, day: whole, ...ofUse, ...sums });
const hours = table('usage_recent', {
  account_id: text,
  hour: whole,
  ...ofUse,
  ...sums,
  ...answers,
});

const addHours = hours.insert({
  end: adding('usage_recent', 'account_id, hour, key_id, tool, provider', [
    ...Object.keys(sums),
    ...Object.keys(answers),
  ]),
});
const addDays = days.insert({
  end: adding('usage_days', 'account_id, day, key_id, tool, provider', Object.keys(sums)),
});

/** Usage by hour. Old hours are folded into their days. */
export async function addToRecentUsage(on: Runner, added: readonly UsageHour[]): Promise<void> {
  await addHours(
    on,
    added.map(({ slot, ...use }) => ({ ...use, hour: slot })),
  );
}

export async function addToUsageDays(on: Runner, added: readonly UsageSlot[]): Promise<void> {
  await addDays(
    on,
    added.map(({ slot, ...use }) => ({ ...use, day: slot })),
  );
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
     returning ${hours.columns}`,
    [hourBefore, limit],
  );
  return rows.map((row) => {
    const { hour, ...use } = hours.read(row);
    return { ...use, slot: hour };
  });
}

export const readUsage = reader({ ...ofUse, ...sums });
export const readSums = reader(sums);

/** Clears the query and its parameters when their retention ends. The row itself stays. */
export async function forgetAsked(
  on: Runner,
  { now }: { now: number },
  limit: number,
): Promise<number> {
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
