// Which jobs are in progress, how many, and since when.
import { idStatement, query, reader, type Runner, text, whole } from '../../store/index.ts';

const openStatement = idStatement(
  (places) => `select id from jobs where id in (${places}) and finished_at is null`,
);

/** The given jobs that have not ended. */
export function listOpen(on: Runner, ids: readonly string[]): Promise<string[]> {
  return query.texts(on, ...openStatement(ids));
}

const readCount = reader({ status: text, attempt_status: text, count: whole, oldest_at: whole });

export type JobCount = ReturnType<typeof readCount>;

/** At most this many are counted. */
const maxCounted = 100_000;

export function countOpenJobs(on: Runner, max = maxCounted): Promise<JobCount[]> {
  return query.rows(
    on,
    readCount,
    `select status, attempt_status, count(*) as count, min(created_at) as oldest_at from (
       select status, attempt_status, created_at from jobs where finished_at is null
       limit ${max}) as open
     group by status, attempt_status`,
  );
}
