// Callbacks of providers, kept as received until their job has ended, and long texts in parts:
// transcripts ready to be served, and the bodies of callbacks. Each statement reads or writes one part.
import {
  type Runner,
  inParts,
  orNull,
  overIds,
  query,
  table,
  text,
  whole,
} from '../../store/index.ts';

const callbacks = table('callbacks', {
  id: text,
  job_id: text,
  attempt: whole,
  body_id: text,
  received_at: whole,
});

export type Callback = ReturnType<typeof callbacks.read>;

const insertRows = callbacks.insert();

export async function insertCallback(on: Runner, callback: Callback): Promise<void> {
  await insertRows(on, [callback]);
  await on.run('update jobs set run_at = $2 where id = $1 and finished_at is null', [
    callback.job_id,
    callback.received_at,
  ]);
}

/** Callbacks of a job that cannot be read. More are not kept: one may have 64 MB. */
const mostUnread = 64;

/** True if the job has as many unread callbacks as are kept. */
export async function hasMostUnread(on: Runner, jobId: string): Promise<boolean> {
  const count = 'select count(*) from callbacks where job_id = $1 and read_at is null';
  return (await query.number(on, count, [jobId])) >= mostUnread;
}

/** How many unread callbacks of a job are read at once. A vendor that repeats itself sends more. */
const maxUnread = 8;

/** Oldest first, beginning after the given one. */
export function findUnread(on: Runner, jobId: string, after?: Callback): Promise<Callback[]> {
  return callbacks.list(
    on,
    `where job_id = $1 and read_at is null and (received_at, id) > ($2, $3)
     order by received_at, id limit ${maxUnread}`,
    [jobId, after?.received_at ?? -1, after?.id ?? ''],
  );
}

export async function markRead(on: Runner, { id }: Callback, readAt: number): Promise<void> {
  await on.run('update callbacks set read_at = $2 where id = $1', [id, readAt]);
}

/** `id` is a callback that was read, or a text that is kept. */
const ofJob = { job_id: text, id: orNull(text) };

const findOtherUnreadRows = inParts(
  ofJob,
  `select distinct job_id from callbacks
   where job_id in (select v.job_id from v where v.job_id is not null) and read_at is null
     and id not in (select v.id from v where v.id is not null)`,
);

/** The jobs that have an unread callback other than the given ones. */
export async function findOtherUnread(
  on: Runner,
  jobs: readonly { job_id: string; readCallbackIds: readonly string[] }[],
): Promise<Set<string>> {
  const rows = jobs.flatMap(({ job_id, readCallbackIds }) =>
    [null, ...readCallbackIds].map((id) => ({ job_id, id })),
  );
  const found = await findOtherUnreadRows(on, rows);
  return new Set(found.map((row) => String(row['job_id'])));
}

const deleteOtherTexts = inParts(
  ofJob,
  `delete from texts
   where job_id in (select v.job_id from v where v.job_id is not null)
     and id not in (select v.id from v where v.id is not null)`,
);
const deleteCallbackRows = overIds((places) => `delete from callbacks where job_id in (${places})`);

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
  const remaining = jobs.flatMap(({ id, result_id, raw_id }) => [
    { job_id: id, id: result_id ?? null },
    { job_id: id, id: raw_id ?? null },
  ]);
  await deleteOtherTexts(on, remaining);
  await deleteCallbackRows(
    on,
    jobs.map(({ id }) => id),
  );
}

const parts = table('texts', {
  id: text,
  part: whole,
  job_id: orNull(text),
  made_at: whole,
  content: text,
});

export const insertParts = parts.insert();

/** Undefined after the last part. */
export async function findPart(on: Runner, id: string, part: number): Promise<string | undefined> {
  const select = 'select content from texts where id = $1 and part = $2';
  return (await query.texts(on, select, [id, part]))[0];
}

export async function deleteText(on: Runner, id: string): Promise<void> {
  await on.run('delete from texts where id = $1', [id]);
}

/** Deletes callback bodies that belong to no job. */
export async function deleteUnownedTexts(on: Runner, madeBefore: number): Promise<void> {
  await on.run('delete from texts where job_id is null and made_at < $1', [madeBefore]);
}
