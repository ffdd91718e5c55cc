// Idempotency keys and the answers stored under them.
import type { ClaimState } from '../core/book.ts';
import type { Runner } from '../../store/database.ts';
import { rowStatement } from '../../store/rows.ts';

interface ClaimName {
  account_id: string;
  key: string;
}

const findClaimsStatement = rowStatement(
  ['text', 'text'],
  (table) => `select account_id, key, body_hash, owner, state, status, answer, expires_at
     from idempotency join ${table} on account_id = v.column1 and key = v.column2`,
);

export async function findClaims(on: Runner, names: readonly ClaimName[]): Promise<ClaimState[]> {
  const rows = await on.run(
    ...findClaimsStatement(names.map(({ account_id, key }) => [account_id, key])),
  );
  return rows.map((row) => ({
    account_id: String(row['account_id']),
    key: String(row['key']),
    body_hash: String(row['body_hash']),
    owner: String(row['owner']),
    state: row['state'] as ClaimState['state'],
    status: row['status'] === null ? null : Number(row['status']),
    answer: typeof row['answer'] === 'string' ? row['answer'] : null,
    expires_at: Number(row['expires_at']),
  }));
}

const putClaimsStatement = rowStatement(
  ['text', 'text', 'text', 'text', 'text', 'bigint', 'text', 'bigint'],
  (table) => `insert into idempotency
       (account_id, key, body_hash, owner, state, status, answer, expires_at)
     select column1, column2, column3, column4, column5, column6, column7, column8
     from ${table} where column1 is not null
     on conflict (account_id, key) do update set
       body_hash = excluded.body_hash, owner = excluded.owner, state = excluded.state,
       status = excluded.status, answer = excluded.answer, expires_at = excluded.expires_at`,
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
  ]);
  await on.run(...putClaimsStatement(rows));
}

export async function deleteExpiredClaims(on: Runner, now: number, limit: number): Promise<number> {
  const rows = await on.run(
    `delete from idempotency where (account_id, key) in
       (select account_id, key from idempotency where expires_at <= $1
        order by expires_at limit $2)
     returning key`,
    [now, limit],
  );
  return rows.length;
}

/** For a store that belongs to one process: at its start no request is running. */
export async function deleteRunningClaims(on: Runner): Promise<void> {
  await on.run(`delete from idempotency where state = 'running'`);
}
