// Reads figures about jobs for reports.
import { idStatement, query, reader, type Runner, text, whole } from '../../store/index.ts';

/** How many of the latest jobs are read. */
const maxLatest = 20_000;

const readTime = reader({ provider: text, latency_ms: whole, at: whole });

/** How long the latest jobs took. */
export function listJobTimes(
  on: Runner,
  since: number,
  limit: number,
): Promise<ReturnType<typeof readTime>[]> {
  return query.rows(
    on,
    readTime,
    `select provider, finished_at - created_at as latency_ms, finished_at as at from (
       select provider, status, created_at, finished_at from jobs
       order by created_at desc, id desc limit ${maxLatest}) as latest
     where status = 'completed' and finished_at >= $1
     order by finished_at desc limit ${Math.trunc(limit)}`,
    [since],
  );
}

const requestsStatement = idStatement(
  (places) => `select id, request_id from jobs where id in (${places})`,
);
const readRequest = reader({ id: text, request_id: text });

/** The requests that began jobs, by job. */
export async function findRequestsOfJobs(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query.rows(on, readRequest, ...requestsStatement(ids));
  return new Map(rows.map(({ id, request_id }) => [id, request_id]));
}

/** At least as many jobs as a page shows. */
const pageOfJobs = 200;

/** When one of the latest jobs of an account last changed. 0 if it has none. */
export function findLastChange(on: Runner, accountId: string): Promise<number> {
  return query.number(
    on,
    `select max(updated_at) as changed from (
       select updated_at from jobs where account_id = $1
       order by created_at desc, id desc limit ${pageOfJobs}) as latest`,
    [accountId],
  );
}

/** A column for a statement whose first parameter is an account. */
export const transcriptBytes = `(select coalesce(sum(result_bytes), 0) from jobs
  where account_id = $1 and result_bytes is not null)`;
