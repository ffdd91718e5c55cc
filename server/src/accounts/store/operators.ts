// The operator's token, of which only the digest is stored, and the answers of the admin API under
// an idempotency key. They may contain a new secret, so each is sealed.
import { dayMs } from '@trivium/contract/durations';
import { expiring, query, type Runner, table, text, whole } from '../../store/index.ts';

const tokens = table('operator_tokens', { hash: text, display: text, created_at: whole });

/** False if a token already exists. */
export function insertFirstToken(
  on: Runner,
  token: { hash: string; display: string },
  at: number,
): Promise<boolean> {
  return query.exists(
    on,
    `insert into ${tokens.name} (hash, display, created_at)
     select cast($1 as text), cast($2 as text), cast($3 as bigint)
     where not exists (select 1 from operator_tokens) returning hash`,
    [token.hash, token.display, at],
  );
}

export function isKnownToken(on: Runner, hash: string): Promise<boolean> {
  return query.exists(on, 'select 1 from operator_tokens where hash = $1', [hash]);
}

const answers = table('admin_answers', {
  id: text,
  body_hash: text,
  answer: text,
  expires_at: whole,
});
/** Stored while the change is being made. */
export const noAnswer = '';

/**
 * False if the key is taken. On PostgreSQL this waits for a transaction that is using the key. An
 * expired answer does not count.
 */
export function reserveAnswer(
  on: Runner,
  row: { id: string; body_hash: string; at: number; expires_at: number },
): Promise<boolean> {
  return query.exists(
    on,
    `insert into admin_answers (id, body_hash, answer, expires_at) values ($1, $2, '', $3)
     on conflict (id) do update set body_hash = excluded.body_hash, answer = '',
       expires_at = excluded.expires_at
     where admin_answers.expires_at <= $4 returning id`,
    [row.id, row.body_hash, row.expires_at, row.at],
  );
}

export const putAnswers = answers.pick('id', 'answer').update('id');
export const findAnswer = answers.by('id');

/** The key may be used again, unless its change was made. */
export async function freeAnswer(on: Runner, id: string): Promise<void> {
  await on.run("delete from admin_answers where id = $1 and answer = ''", [id]);
}

export const expiredAnswers = expiring({
  keptMs: dayMs,
  table: 'admin_answers',
  key: 'id',
  expires: 'expires_at',
});
