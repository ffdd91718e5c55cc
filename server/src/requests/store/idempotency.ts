// Idempotency keys and the answers stored under them.
import { hourMs } from '@trivium/contract/durations';
import type { ClaimRef, ClaimState, StoredAnswer } from '../core/idempotency-claims.ts';
import { inParts, orNull, type Runner, table, text, textOf, whole } from '../../store/index.ts';

const claims = table('idempotency', {
  account_id: text,
  key: text,
  owner: text,
  state: textOf<ClaimState['state']>(),
  status: orNull(whole),
  answer: orNull(text),
  expires_at: whole,
  value_hash: orNull(text),
  sent_by: orNull(text),
  served_by: orNull(text),
  answer_parts: orNull(text),
  answer_bytes: orNull(whole),
});

interface ClaimName {
  account_id: string;
  key: string;
}

const found = claims.pick(
  'account_id',
  'key',
  'owner',
  'state',
  'status',
  'expires_at',
  'served_by',
  'value_hash',
  'sent_by',
);

const findClaimRows = inParts(
  { account_id: text, key: text },
  `select ${found.columns} from idempotency
   join v on idempotency.account_id = v.account_id and idempotency.key = v.key`,
);

/** Does not read the answers, because the ledger runs it under the locks of accounts. */
export async function findClaims(on: Runner, names: readonly ClaimName[]): Promise<ClaimState[]> {
  const rows = await findClaimRows(on, names);
  return rows.map((row) => ({ ...found.read(row), answer: null }));
}

const stored = claims.pick('answer', 'answer_parts');

/** Undefined if the row is gone or belongs to another request. */
export async function findAnswer(
  on: Runner,
  { account_id, key, owner }: ClaimRef,
): Promise<Pick<StoredAnswer, 'body' | 'parts'> | undefined> {
  const row = await stored.find(
    on,
    `where account_id = $1 and key = $2 and owner = $3 and state = 'done'`,
    [account_id, key, owner],
  );
  if (!row) return undefined;
  const { answer: body, answer_parts: parts } = row;
  return { body, ...(parts === null ? {} : { parts }) };
}

export const putClaims = claims.insert({
  // Version 0.2.0 reads both.
  values: { body_hash: 'value_hash', sent_for: 'owner' },
  end: `on conflict (account_id, key) do update set
       body_hash = excluded.body_hash, owner = excluded.owner, state = excluded.state,
       status = excluded.status, answer = excluded.answer, expires_at = excluded.expires_at,
       value_hash = excluded.value_hash, sent_by = excluded.sent_by, sent_for = excluded.sent_for,
       served_by = excluded.served_by, answer_parts = excluded.answer_parts,
       answer_bytes = excluded.answer_bytes`,
});

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
     where state = 'running' and served_by = $1`,
    [gatewayId, now],
  );
}

/** For a store that belongs to one process: when that process starts, no request is running. */
export async function deleteRunningClaims(on: Runner): Promise<void> {
  await on.run(`delete from idempotency where state = 'running'`);
}
