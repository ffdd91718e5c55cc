// Callbacks of providers, kept as received until their job has ended.
import { idStatement, type Row, rowStatement, type Runner } from '../../store/index.ts';

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

/** How many unread callbacks of a job are read at once. A vendor that repeats itself sends more. */
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

const findOtherUnreadStatement = rowStatement(
  ['text', 'text'],
  (table) => `select distinct job_id from callbacks
     where job_id in (select column1 from ${table} where column1 is not null)
       and read_at is null
       and id not in (select column2 from ${table} where column2 is not null)`,
);

/** The jobs that have an unread callback other than the given ones. */
export async function findOtherUnread(
  on: Runner,
  jobs: readonly { job_id: string; readCallbackIds: readonly string[] }[],
): Promise<Set<string>> {
  const rows = jobs.flatMap(({ job_id, readCallbackIds }) =>
    [null, ...readCallbackIds].map((id) => [job_id, id]),
  );
  const found = await on.run(...findOtherUnreadStatement(rows));
  return new Set(found.map((row) => String(row['job_id'])));
}

const deleteTextsStatement = rowStatement(
  ['text', 'text'],
  (table) => `delete from texts
     where job_id in (select column1 from ${table} where column1 is not null)
       and id not in (select column2 from ${table} where column2 is not null)`,
);
const deleteCallbacksStatement = idStatement(
  (places) => `delete from callbacks where job_id in (${places})`,
);

interface EndedJob {
  id: string;
  result_id?: string;
  raw_id?: string;
}

/**
 * Deletes the callbacks of jobs and all their texts, including incomplete bodies, except the
 * results and the documents that these were read from. Run it in the transaction that ends the
 * jobs, because each callback may be needed until then.
 */
export async function deleteCallbacks(on: Runner, jobs: readonly EndedJob[]): Promise<void> {
  const kept = jobs.flatMap(({ id, result_id, raw_id }) => [
    [id, result_id ?? null],
    [id, raw_id ?? null],
  ]);
  await on.run(...deleteTextsStatement(kept));
  await on.run(...deleteCallbacksStatement(jobs.map(({ id }) => id)));
}
