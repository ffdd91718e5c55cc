// Leases: which worker runs a job, and until when no other may.
import type { Runner } from '../../store/database.ts';
import { rowStatement } from '../../store/rows.ts';
import { jobColumns, readJob } from './jobs.ts';
import type { JobRow } from './jobs.ts';

interface JobClaim {
  owner: string;
  now: number;
  lease_until: number;
  limit: number;
  /** Providers at their concurrency limit: their queued jobs wait, unless the deadline passed. */
  full: readonly string[];
}

/**
 * Takes the lease of the jobs that are due. This statement is the only claim rule. A lease that
 * ended while its worker was submitting makes the attempt unknown in the same statement, so that no
 * worker can send it again.
 */
export async function claimJobs(on: Runner, claim: JobClaim): Promise<JobRow[]> {
  const { owner, now, lease_until, limit, full } = claim;
  const names = [0, 1, 2].map((at) => full[at] ?? null);
  const rows = await on.run(
    `update jobs set
       lease_owner = $1, lease_until = $2,
       status = case when finished_at is null then 'running' else status end,
       tries = case when attempt_status = 'submitting' then 0 else tries end,
       updated_at = case when status = 'queued' or attempt_status = 'submitting'
         then $3 else updated_at end,
       attempt_status = case when attempt_status = 'submitting'
         then 'unknown' else attempt_status end,
       steps = case when attempt_status = 'submitting'
         then steps || $8 || cast(attempt as text) || ' unknown;' else steps end
     where id in (
       select id from jobs
       where run_at <= $3 and (lease_until is null or lease_until <= $3)
         and (attempt_status <> 'queued' or deadline_at <= $3
           or provider not in (coalesce($4, ''), coalesce($5, ''), coalesce($6, '')))
       order by run_at limit $7${on.lock('for update skip locked')})
     returning ${jobColumns}`,
    [owner, lease_until, now, ...names, limit, `${now} `],
  );
  return rows.map(readJob);
}

/** When the next job is due, leased or not; undefined when there is none. */
export async function findNextDue(on: Runner): Promise<number | undefined> {
  const [row] = await on.run('select min(run_at) as due from jobs');
  const due = row?.['due'];
  return due === null || due === undefined ? undefined : Number(due);
}

/** Only for a store that one process owns: when it starts, no lease has a live owner. */
export async function dropLeases(on: Runner, now: number): Promise<void> {
  await on.run(
    `update jobs set lease_until = null, lease_owner = null, run_at = $1
     where lease_until is not null`,
    [now],
  );
}

export async function renewLeases(
  on: Runner,
  owner: string,
  ids: readonly string[],
  leaseUntil: number,
): Promise<void> {
  const places = ids.map((_, at) => `$${at + 3}`).join(', ');
  await on.run(`update jobs set lease_until = $2 where lease_owner = $1 and id in (${places})`, [
    owner,
    leaseUntil,
    ...ids,
  ]);
}

/**
 * Returns leases at once, except those of submissions in progress, whose outcome is unknown.
 */
export async function returnLeases(
  on: Runner,
  owner: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  const places = ids.map((_, at) => `$${at + 3}`).join(', ');
  await on.run(
    `update jobs set lease_owner = null, lease_until = null, run_at = $2
     where lease_owner = $1 and attempt_status <> 'submitting' and id in (${places})`,
    [owner, now, ...ids],
  );
}

export interface Postponed {
  id: string;
  owner: string;
  run_at: number;
}

const postponeJobsStatement = rowStatement(
  ['text', 'text', 'bigint'],
  (table) => `update jobs set lease_owner = null, lease_until = null, run_at = v.column3
     from ${table} where jobs.id = v.column1 and lease_owner = v.column2`,
);

/** Schedules jobs for later and returns their leases, without a transition. */
export async function postponeJobs(on: Runner, jobs: readonly Postponed[]): Promise<void> {
  await on.run(...postponeJobsStatement(jobs.map(({ id, owner, run_at }) => [id, owner, run_at])));
}
