// Transitions of jobs that move no money. Many are applied in one transaction. They are plain data,
// so that the store's thread can apply them.
import { reduce } from './core/job.ts';
import { checkMove } from './core/job-rules.ts';
import { maxOfOneAccount } from './core/job-schedule.ts';
import type { JobEvent, Moment } from './core/job.ts';
import type { Runner, Task } from '../store/index.ts';
import { lockJobs, putStates, takeTurn } from './store/jobs.ts';
import { countAtWork } from './store/leases.ts';
import type { JobRow, NewState } from './store/jobs.ts';
import { hasOneAccount, postponeJobs } from './store/leases.ts';
import type { Postponed } from './store/leases.ts';

export interface TransitionItem {
  job_id: string;
  event: JobEvent;
  moment: Moment;
  /** The worker that holds the lease. */
  owner: string;
  /** Set only for a worker that is about to submit the job. */
  taking?: {
    /** How many jobs its provider may work on at once. */
    concurrency: number;
    attempt: number;
    sender: Pick<JobRow, 'callback_url' | 'credential'>;
  };
}

interface AtWork {
  /** See `countAtWork`. */
  counts: Map<string, number>;
  isAlone: boolean;
}

/** How long a job waits if its provider is at its limit. Claims skip it during that time. */
const atLimitMs = 250;

/** The jobs in their new state. Null for a job that did not move. */
export const transitionTask: Task<readonly TransitionItem[], (JobRow | null)[]> = {
  name: 'move',
  work: async (tx, batch) => {
    const taking = batch.find((item) => item.taking);
    // Gateways take turns here, so that together they respect the provider's limit.
    if (taking) await takeTurn(tx);
    const counts = taking ? await countAtWork(tx, taking.moment.now) : new Map<string, number>();
    const atWork: AtWork = { counts, isAlone: taking !== undefined && (await hasOneAccount(tx)) };
    const moved = new Map<TransitionItem, JobRow | null>();
    for (const wave of wavesOf(batch)) await moveAll(tx, wave, atWork, moved);
    return batch.map((item) => moved.get(item) ?? null);
  },
};

/**
 * Each wave contains a job only once, so that its jobs can be read and written in a few statements.
 */
function wavesOf(batch: readonly TransitionItem[]): TransitionItem[][] {
  const waves: TransitionItem[][] = [];
  const times = new Map<string, number>();
  for (const item of batch) {
    const time = times.get(item.job_id) ?? 0;
    times.set(item.job_id, time + 1);
    (waves[time] ??= []).push(item);
  }
  return waves;
}

async function moveAll(
  tx: Runner,
  wave: readonly TransitionItem[],
  atWork: AtWork,
  moved: Map<TransitionItem, JobRow | null>,
): Promise<void> {
  const jobs = await lockJobs(
    tx,
    wave.map(({ job_id }) => job_id),
  );
  const states: NewState[] = [];
  const postponed: Postponed[] = [];
  for (const item of wave) {
    const decided = decideOne(item, jobs.get(item.job_id), atWork);
    moved.set(item, decided.job ?? null);
    if (decided.state) states.push(decided.state);
    if (decided.postponed) postponed.push(decided.postponed);
  }
  if (postponed.length > 0) await postponeJobs(tx, postponed);
  if (states.length > 0) await putStates(tx, states);
}

interface Decided {
  job?: JobRow;
  state?: NewState;
  postponed?: Postponed;
}

function decideOne(
  { job_id: id, event, moment, owner, taking }: TransitionItem,
  present: JobRow | undefined,
  { counts, isAlone }: AtWork,
): Decided {
  const { now } = moment;
  const mine = present?.lease_owner === owner;
  if (!present || (taking && (!mine || present.attempt !== taking.attempt))) return {};
  if (taking) {
    // An earlier attempt to commit this succeeded, and only its answer was lost.
    if (present.attempt_status === 'submitting') return { job: present };
    const { provider, account_id } = present;
    const count = counts.get(provider) ?? 0;
    const ofAccount = counts.get(`${provider} ${account_id}`) ?? 0;
    const { concurrency } = taking;
    const isFull = count >= concurrency || ofAccount >= maxOfOneAccount(concurrency, isAlone);
    if (isFull) return { postponed: { id, owner, run_at: now + atLimitMs } };
    counts.set(provider, count + 1);
    counts.set(`${provider} ${account_id}`, ofAccount + 1);
  }
  const move = reduce(present, event, moment);
  // A transition that moves money goes through the ledger, in the worker's next round.
  if (!move || move.effect) return {};
  checkMove(present, move.job);
  const sender = taking ? { sender: taking.sender } : {};
  const keepsLease = taking !== undefined || !mine;
  return {
    job: { ...present, ...move.job, ...taking?.sender },
    state: { id, state: move.job, now, keep_lease: keepsLease, ...sender },
  };
}
