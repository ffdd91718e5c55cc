// Callbacks of providers, kept as received until their job has ended.
import type { Row, Runner } from '../../store/database.ts';

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

/** How many unread callbacks of a job are read at once; a vendor that repeats itself sends more. */
const maxUnread = 8;

/** Oldest first. */
export async function findUnread(on: Runner, jobId: string): Promise<Callback[]> {
  const rows = await on.run<Row>(
    `select id, job_id, attempt, body_id, received_at from callbacks
     where job_id = $1 and read_at is null order by received_at, id limit ${maxUnread}`,
    [jobId],
  );
  return rows.map((row) => ({
    id: String(row['id']),
    job_id: String(row['job_id']),
    attempt: Number(row['attempt']),
    body_id: String(row['body_id']),
    received_at: Number(row['received_at']),
  }));
}

export async function markRead(on: Runner, { id }: Callback, readAt: number): Promise<void> {
  await on.run('update callbacks set read_at = $2 where id = $1', [id, readAt]);
}

/**
 * Deletes the callbacks of a job and all its texts but the result, including incomplete bodies. Run
 * it in the transaction that ends the job: until then each callback may be needed.
 */
export async function deleteCallbacks(
  on: Runner,
  jobId: string,
  resultId: string | null,
): Promise<void> {
  await on.run(`delete from texts where job_id = $1 and id <> coalesce($2, '')`, [jobId, resultId]);
  await on.run('delete from callbacks where job_id = $1', [jobId]);
}
