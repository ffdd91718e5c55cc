// Leases: which worker runs a job, and until when no other worker may.
import {
  type Runner,
  inParts,
  orNull,
  overIds,
  query,
  reader,
  text,
  whole,
} from '../../store/index.ts';
import { type JobRow, jobColumns, readJob } from './jobs.ts';

interface JobClaim {
  owner: string;
  now: number;
  lease_until: number;
  limit: number;
  /** Other jobs wait until there is room or their deadline passes. */
  room: readonly { provider: string; perAccount: number }[];
  /** True if only jobs that were not submitted yet are taken. */
  onlyNew?: boolean;
}

/** A submission whose lease ended is uncertain, and no longer counts as work in progress. */
const isAtWork = (now: string) =>
  `(attempt_status = 'waiting' or attempt_status = 'submitting' and lease_until > ${now})`;

/**
 * Jobs are claimed only by this statement: new ones before those that are polled or looked up, and
 * first those of the accounts with the fewest in progress at their provider. An attempt whose lease
 * ended during its submission becomes unknown, so that no worker can send it again.
 */
export async function claimJobs(
  on: Runner,
  claim: JobClaim,
  /** Called for a row that cannot be read, so that the other rows are still worked on. */
  onUnreadable: (error: unknown) => void = raise,
): Promise<JobRow[]> {
  const { owner, now, lease_until, limit, room, onlyNew = false } = claim;
  const rooms = room.map((_, at) => `when $${2 * at + 6} then cast($${2 * at + 7} as bigint)`);
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
         then steps || $5 || cast(attempt as text) || ' unknown;' else steps end
     where id in (
       select jobs.id from jobs left join (
         select account_id as of_account, provider as of_provider, count(*) as at_work from jobs
         where ${isAtWork('$3')} group by account_id, provider
       ) as busy on of_account = account_id and of_provider = provider
       where run_at <= $3 and (lease_until is null or lease_until <= $3)
         and (attempt_status <> 'queued' or deadline_at <= $3
           or coalesce(at_work, 0) < case provider ${rooms.join(' ')} else 0 end)
         ${onlyNew ? "and attempt_status = 'queued'" : ''}
       order by case attempt_status when 'queued' then 0 else 1 end, coalesce(at_work, 0), run_at
       limit $4${on.lock('for update of jobs skip locked')})
     returning ${jobColumns}`,
    [
      owner,
      lease_until,
      now,
      limit,
      `${now} `,
      ...room.flatMap(({ provider, perAccount }) => [provider, perAccount]),
    ],
  );
  return rows.flatMap((row) => {
    try {
      return [readJob(row)];
    } catch (error) {
      onUnreadable(error);
      return [];
    }
  });
}

function raise(error: unknown): never {
  throw error;
}

/** By provider, and by provider and account: `stt_a` and `stt_a acct_1`. */
export async function countAtWork(on: Runner, now: number): Promise<Map<string, number>> {
  const rows = await on.run<{ provider: string; account_id: string; count: unknown }>(
    `select provider, account_id, count(*) as count from jobs
     where ${isAtWork('$1')} group by provider, account_id`,
    [now],
  );
  const counts = new Map<string, number>();
  for (const { provider, account_id, count } of rows) {
    counts.set(provider, (counts.get(provider) ?? 0) + Number(count));
    counts.set(`${provider} ${account_id}`, Number(count));
  }
  return counts;
}

/** True if there is only one account, which need not leave capacity to others. */
export async function hasOneAccount(on: Runner): Promise<boolean> {
  const [row] = await on.run(
    'select (select min(id) from accounts) as one, (select max(id) from accounts) as other',
  );
  return row?.['one'] === row?.['other'];
}

const readDue = reader({ due: orNull(whole) });

/** When the next job is due, leased or not. Undefined if there is none. */
export async function findNextDue(on: Runner): Promise<number | undefined> {
  return (await query.row(on, readDue, 'select min(run_at) as due from jobs'))?.due ?? undefined;
}

/** Only for a store that one process owns: when that process starts, no lease has a live owner. */
export async function dropLeases(on: Runner, now: number): Promise<void> {
  await on.run(
    `update jobs set lease_until = null, lease_owner = null, run_at = $1
     where lease_until is not null`,
    [now],
  );
}

/** Followed by the owner, and the time until which it now holds them. */
export const renewLeases = overIds(
  (places) => `update jobs set lease_until = $2 where lease_owner = $1 and id in (${places})`,
);

/**
 * Followed by the owner, and the time. Except those of submissions in progress, whose outcome is
 * unknown.
 */
export const returnLeases = overIds(
  (places) => `update jobs set lease_owner = null, lease_until = null, run_at = $2
     where lease_owner = $1 and attempt_status <> 'submitting' and id in (${places})`,
);

export interface Postponed {
  id: string;
  owner: string;
  run_at: number;
}

/** Schedules jobs for later and returns their leases, without a transition. */
export const postponeJobs = inParts(
  { id: text, owner: text, run_at: whole },
  `update jobs set lease_owner = null, lease_until = null, run_at = v.run_at
   from v where jobs.id = v.id and jobs.lease_owner = v.owner`,
);
