// Answers of the admin API under an idempotency key. They may contain a new secret, so each is
// sealed.
import { dayMs } from '@trivium/contract/durations';
import { expiring, query, type Runner, table, text, whole } from '../../store/index.ts';

const answers = table('admin_answers', {
  id: text,
  body_hash: text,
  answer: text,
  expires_at: whole,
});
const stored = answers.pick('body_hash', 'answer');

/**
 * False if the key is taken. On PostgreSQL this waits for a transaction that is using the key. An
 * expired answer does not count.
 */
export function claimAnswer(
  on: Runner,
  {
    id,
    body_hash,
    at,
    expires_at,
  }: { id: string; body_hash: string; at: number; expires_at: number },
): Promise<boolean> {
  return query.exists(
    on,
    `insert into admin_answers (id, body_hash, answer, expires_at) values ($1, $2, '', $3)
     on conflict (id) do update set body_hash = excluded.body_hash, answer = '',
       expires_at = excluded.expires_at
     where admin_answers.expires_at <= $4 returning id`,
    [id, body_hash, expires_at, at],
  );
}

export async function putAnswer(on: Runner, id: string, answer: string): Promise<void> {
  await on.run('update admin_answers set answer = $1 where id = $2', [answer, id]);
}

export function findAnswer(
  on: Runner,
  id: string,
): Promise<ReturnType<typeof stored.read> | undefined> {
  const select = `select ${stored.columns} from admin_answers where id = $1`;
  return query.row(on, stored.read, select, [id]);
}

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
