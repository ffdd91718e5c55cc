// The request log, with one row per request.
import {
  idStatement,
  inParts,
  orNull,
  query,
  type Runner,
  table,
  text,
  textOf,
  whole,
} from '../../store/index.ts';
import type { PaidBy } from '../core/request-row.ts';

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
