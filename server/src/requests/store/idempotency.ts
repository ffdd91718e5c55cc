// Idempotency keys and the answers stored under them.
import { hourMs } from '@trivium/contract/durations';
import type { ClaimState } from '../core/idempotency-claims.ts';
import type { ClaimRef, StoredAnswer } from '../core/idempotency-claims.ts';
import { rowStatement, type Runner, textOrNull, wholeOrNull } from '../../store/index.ts';

interface ClaimName {
  account_id: string;
  key: string;
}

/**
 * The API key that sent an idempotency key. The columns `sent_by` and `value_hash` belong to the
 * request in `sent_for`. A gateway of version 0.1.0 that takes a row over changes only the owner;
 * the API key is then found in the log or the hold of that owner.
 */
export const claimSender = `case when sent_for = owner then sent_by else coalesce(
  (select key_id from requests where requests.id = idempotency.owner),
  (select key_id from holds where holds.id = idempotency.owner)) end`;

const findClaimsStatement = rowStatement(
  ['text', 'text'],
  (table) => `select account_id, key, body_hash, owner, state, status, expires_at, served_by,
       case when sent_for = owner then value_hash end as value_hash,
       ${claimSender} as sent_by
     from idempotency join ${table} on account_id = v.column1 and key = v.column2`,
);

/** Does not read the answers, because the ledger runs it under the locks of accounts. */
export async function findClaims(on: Runner, names: readonly ClaimName[]): Promise<ClaimState[]> {
  const rows = await on.run(
    ...findClaimsStatement(names.map(({ account_id, key }) => [account_id, key])),
  );
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    key: String(row['key']),
    sent_by: textOrNull(row['sent_by']),
    body_hash: String(row['body_hash']),
    value_hash: textOrNull(row['value_hash']),
    owner: String(row['owner']),
    state: row['state'] as ClaimState['state'],
    status: wholeOrNull(row['status']),
    answer: null,
    expires_at: Number(row['expires_at']),
    served_by: textOrNull(row['served_by']),
  }));
}

/** Undefined if the row is gone or belongs to another request. */
export async function findAnswer(
  on: Runner,
  { account_id, key, owner }: ClaimRef,
): Promise<Pick<StoredAnswer, 'body' | 'parts'> | undefined> {
  const [row] = await on.run(
    `select answer, answer_parts from idempotency
     where account_id = $1 and key = $2 and owner = $3 and state = 'done'`,
    [account_id, key, owner],
  );
  const parts = textOrNull(row?.['answer_parts']);
  return row && { body: textOrNull(row['answer']), ...(parts === null ? {} : { parts }) };
}

const putClaimsStatement = rowStatement(
  [
    ...(['text', 'text', 'text', 'text', 'text', 'bigint', 'text', 'bigint', 'text'] as const),
    ...(['text', 'text', 'text', 'bigint'] as const),
  ],
  (table) => `insert into idempotency
       (account_id, key, body_hash, owner, state, status, answer, expires_at, value_hash, sent_by,
        sent_for, served_by, answer_parts, answer_bytes)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10, column4, column11, column12, column13
     from ${table} where column1 is not null
     on conflict (account_id, key) do update set
       body_hash = excluded.body_hash, owner = excluded.owner, state = excluded.state,
       status = excluded.status, answer = excluded.answer, expires_at = excluded.expires_at,
       value_hash = excluded.value_hash, sent_by = excluded.sent_by, sent_for = excluded.sent_for,
       served_by = excluded.served_by, answer_parts = excluded.answer_parts,
       answer_bytes = excluded.answer_bytes`,
);

export async function putClaims(on: Runner, claims: readonly ClaimState[]): Promise<void> {
  const rows = claims.map((claim) => [
    claim.account_id,
    claim.key,
    claim.body_hash,
    claim.owner,
    claim.state,
    claim.status,
    claim.answer,
    claim.expires_at,
    claim.value_hash,
    claim.sent_by,
    claim.served_by ?? null,
    claim.answer_parts ?? null,
    claim.answer_bytes ?? null,
  ]);
  await on.run(...putClaimsStatement(rows));
}

/**
 * A request that commits late can still find its claim for another hour, unless another request has
 * taken it.
 */
const lateMs = hourMs;

export async function deleteExpiredClaims(on: Runner, now: number, limit: number): Promise<number> {
  const rows = await on.run(
    `delete from idempotency where (account_id, key) in
       (select account_id, key from idempotency
        where expires_at <= $1 and (state = 'done' or expires_at <= $2)
        order by expires_at limit $3)
     returning key`,
    [now, now - lateMs, limit],
  );
  return rows.length;
}

/**
 * Ends the claims of requests whose gateway was removed. Until another request claims the key, the
 * first one still owns it: a gateway that was only frozen may charge for its answer.
 */
export async function endClaimsOf(on: Runner, gatewayId: string, now: number): Promise<void> {
  await on.run(
    `update idempotency set expires_at = $2
     where state = 'running' and served_by = $1 and sent_for = owner`,
    [gatewayId, now],
  );
}

/** For a store that belongs to one process: when that process starts, no request is running. */
export async function deleteRunningClaims(on: Runner): Promise<void> {
  await on.run(`delete from idempotency where state = 'running'`);
}
