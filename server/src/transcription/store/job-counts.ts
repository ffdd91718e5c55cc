// Which jobs are in progress, how many, and since when.
import { idStatement, type Runner } from '../../store/index.ts';

const openStatement = idStatement(
  (places) => `select id from jobs where id in (${places}) and finished_at is null`,
);

/** The given jobs that have not ended. */
export async function listOpen(on: Runner, ids: readonly string[]): Promise<string[]> {
  const rows = await on.run(...openStatement(ids));
  return rows.map(({ id }) => String(id));
}

export interface JobCount {
  status: string;
  attempt_status: string;
  count: number;
  oldest_at: number;
}

/** At most this many are counted. */
const maxCounted = 100_000;

export async function countOpenJobs(on: Runner, max = maxCounted): Promise<JobCount[]> {
  const rows = await on.run<Record<keyof JobCount, unknown>>(
    `select status, attempt_status, count(*) as count, min(created_at) as oldest_at from (
       select status, attempt_status, created_at from jobs where finished_at is null
       limit ${max}) as open
     group by status, attempt_status`,
  );
  return rows.map(({ status, attempt_status, count, oldest_at }) => ({
    status: String(status),
    attempt_status: String(attempt_status),
    count: Number(count),
    oldest_at: Number(oldest_at),
  }));
}
