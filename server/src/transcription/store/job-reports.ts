// Reads figures about jobs for reports.
import { idStatement, type Runner } from '../../store/index.ts';

/** How many of the latest jobs are read. */
const maxLatest = 20_000;

/** How long the latest jobs took. */
export async function listJobTimes(
  on: Runner,
  since: number,
  limit: number,
): Promise<{ provider: string; latency_ms: number; at: number }[]> {
  const rows = await on.run(
    `select provider, finished_at - created_at as latency_ms, finished_at as at from (
       select provider, status, created_at, finished_at from jobs
       order by created_at desc, id desc limit ${maxLatest}) as latest
     where status = 'completed' and finished_at >= $1
     order by finished_at desc limit ${Math.trunc(limit)}`,
    [since],
  );
  return rows.map((row) => ({
    provider: String(row['provider']),
    latency_ms: Number(row['latency_ms']),
    at: Number(row['at']),
  }));
}

const requestsStatement = idStatement(
  (places) => `select id, request_id from jobs where id in (${places})`,
);

/** The requests that began jobs, by job. */
export async function findRequestsOfJobs(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await on.run(...requestsStatement(ids));
  return new Map(rows.map((row) => [String(row['id']), String(row['request_id'])]));
}

/** At least as many jobs as a page shows. */
const pageOfJobs = 200;

/** When one of the latest jobs of an account last changed. 0 if it has none. */
export async function findLastChange(on: Runner, accountId: string): Promise<number> {
  const [row] = await on.run(
    `select max(updated_at) as changed from (
       select updated_at from jobs where account_id = $1
       order by created_at desc, id desc limit ${pageOfJobs}) as latest`,
    [accountId],
  );
  return Number(row?.['changed'] ?? 0);
}

/** A column for a statement whose first parameter is an account. */
export const transcriptBytes = `(select coalesce(sum(result_bytes), 0) from jobs
  where account_id = $1 and result_bytes is not null)`;
