// Leases: who works on which job, and until when nobody else may.
import type { Runner } from '../platform/database.ts';
import { job_columns, readJob } from './jobs.ts';
import type { JobRow } from './jobs.ts';

export interface Claim {
  owner: string;
  now: number;
  lease_until: number;
  limit: number;
  /** Providers with no room for another job: their queued ones wait, unless their time is up. */
  full: readonly string[];
}

/**
 * Takes the lease of what is due. The statement itself makes a dead sender's attempt unknown, so
 * that there is no
 * moment in which anybody could send it again.
 */
export async function claimJobs(on: Runner, claim: Claim): Promise<JobRow[]> {
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
     returning ${job_columns}`,
    [owner, lease_until, now, ...names, limit, `${now} `],
  );
  return rows.map(readJob);
}

/** Only for a store that one process owns: at its start every lease is a dead one. */
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
  lease_until: number,
): Promise<void> {
  const places = ids.map((_, at) => `$${at + 3}`).join(', ');
  await on.run(`update jobs set lease_until = $2 where lease_owner = $1 and id in (${places})`, [
    owner,
    lease_until,
    ...ids,
  ]);
}

/**
 * Hands leases back at once, except those of submissions under way: nobody knows what became of
 * them.
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

/** Puts a job off without a move: there is no room with its provider. */
export async function putOff(on: Runner, id: string, owner: string, run_at: number): Promise<void> {
  await on.run(
    `update jobs set lease_owner = null, lease_until = null, run_at = $3
     where id = $1 and lease_owner = $2`,
    [id, owner, run_at],
  );
}
