// Deliveries of providers, kept as they came until a worker has looked at them.
import type { Row, Runner } from '../platform/database.ts';

export interface Callback {
  id: string;
  job_id: string;
  attempt: number;
  body_id: string;
  received_at: number;
}

export async function insertCallback(on: Runner, callback: Callback): Promise<void> {
  const { id, job_id, attempt, body_id, received_at } = callback;
  await on.run(
    `insert into callbacks (id, job_id, attempt, body_id, received_at)
     values ($1, $2, $3, $4, $5)`,
    [id, job_id, attempt, body_id, received_at],
  );
  await on.run('update jobs set run_at = $2 where id = $1 and finished_at is null', [
    job_id,
    received_at,
  ]);
}

export async function findFirstCallback(on: Runner, job_id: string): Promise<Callback | undefined> {
  const [row] = await on.run<Row>(
    `select id, job_id, attempt, body_id, received_at from callbacks
     where job_id = $1 order by received_at, id limit 1`,
    [job_id],
  );
  if (!row) return undefined;
  return {
    id: String(row['id']),
    job_id: String(row['job_id']),
    attempt: Number(row['attempt']),
    body_id: String(row['body_id']),
    received_at: Number(row['received_at']),
  };
}

export async function deleteCallback(on: Runner, { id, body_id }: Callback): Promise<void> {
  await on.run('delete from texts where id = $1', [body_id]);
  await on.run('delete from callbacks where id = $1', [id]);
}
