// Transitions of jobs that move no money: many in one transaction, and as data, so that the store's
// thread can apply them.
import { reduce } from './core/job.ts';
import type { JobEvent, Moment } from './core/job.ts';
import type { Runner, Task } from '../store/database.ts';
import { countAtWork, lockJob, putState, takeTurn } from './store/jobs.ts';
import type { JobRow } from './store/jobs.ts';
import { postponeJob } from './store/leases.ts';

export interface TransitionItem {
  job_id: string;
  event: JobEvent;
  moment: Moment;
  /** The worker that holds the lease. */
  owner: string;
  /** Only for a worker that is about to submit the job. */
  taking?: {
    /** How many jobs its provider works on at once. */
    concurrency: number;
    attempt: number;
    sender: Pick<JobRow, 'callback_url' | 'credential'>;
  };
}

/** How long a job waits when its provider is at its limit; claims skip it meanwhile. */
const atLimitMs = 250;

/** The jobs as they are now; null where nothing was moved. */
export const transitionTask: Task<readonly TransitionItem[], (JobRow | null)[]> = {
  name: 'move',
  work: async (tx, batch) => {
    const taking = batch.some((item) => item.taking);
    // Gateways take turns here, so that together they keep to a provider's limit.
    if (taking) await takeTurn(tx);
    const atWork = taking ? await countAtWork(tx) : new Map<string, number>();
    const moved: (JobRow | null)[] = [];
    for (const item of batch) moved.push(await moveOne(tx, item, atWork));
    return moved;
  },
};

async function moveOne(
  tx: Runner,
  { job_id, event, moment, owner, taking }: TransitionItem,
  atWork: Map<string, number>,
): Promise<JobRow | null> {
  const { now } = moment;
  const present = await lockJob(tx, job_id);
  const mine = present?.lease_owner === owner;
  if (!present || (taking && (!mine || present.attempt !== taking.attempt))) return null;
  if (taking) {
    // An earlier try of this commit succeeded, and only its answer was lost.
    if (present.attempt_status === 'submitting') return present;
    const count = atWork.get(present.provider) ?? 0;
    if (count >= taking.concurrency) {
      await postponeJob(tx, job_id, owner, now + atLimitMs);
      return null;
    }
    atWork.set(present.provider, count + 1);
  }
  const move = reduce(present, event, moment);
  // A transition that moves money goes through the ledger, on the worker's next round.
  if (!move || move.effect) return null;
  const sender = taking ? { sender: taking.sender } : {};
  await putState(tx, job_id, move.job, {
    now,
    keep_lease: taking !== undefined || !mine,
    ...sender,
  });
  return { ...present, ...move.job, ...taking?.sender };
}
