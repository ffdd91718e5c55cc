// Answers of the admin API under an idempotency key. They may contain a new secret, so each is
// sealed.
import { deleteSteps, type Runner } from '../../store/index.ts';

interface AdminAnswer {
  body_hash: string;
  answer: string;
}

/**
 * False if the key is taken. On PostgreSQL this waits for a transaction that is using the key. An
 * expired answer does not count.
 */
export async function claimAnswer(
  on: Runner,
  {
    id,
    body_hash,
    at,
    expires_at,
  }: { id: string; body_hash: string; at: number; expires_at: number },
): Promise<boolean> {
  const rows = await on.run(
    `insert into admin_answers (id, body_hash, answer, expires_at) values ($1, $2, '', $3)
     on conflict (id) do update set body_hash = excluded.body_hash, answer = '',
       expires_at = excluded.expires_at
     where admin_answers.expires_at <= $4 returning id`,
    [id, body_hash, expires_at, at],
  );
  return rows.length === 1;
}

export async function putAnswer(on: Runner, id: string, answer: string): Promise<void> {
  await on.run('update admin_answers set answer = $1 where id = $2', [answer, id]);
}

export async function findAnswer(on: Runner, id: string): Promise<AdminAnswer | undefined> {
  const [row] = await on.run('select body_hash, answer from admin_answers where id = $1', [id]);
  return row && { body_hash: String(row['body_hash']), answer: String(row['answer']) };
}

/** The key may be used again, unless its change was made. */
export async function freeAnswer(on: Runner, id: string): Promise<void> {
  await on.run("delete from admin_answers where id = $1 and answer = ''", [id]);
}

export const deleteExpiredAnswers = deleteSteps({
  table: 'admin_answers',
  key: 'id',
  due: 'expires_at <= $1',
  order: 'expires_at',
});
