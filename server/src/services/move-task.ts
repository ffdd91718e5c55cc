// Moves of jobs in which no money moves, many in one transaction and as data, so that it can be
// performed where the rows are.
import { reduce } from '../domain/job.ts';
import type { JobEvent, Moment } from '../domain/job.ts';
import type { Runner, Task } from '../platform/database.ts';
import { countAtWork, lockJob, putState, takeTurn } from '../store/jobs.ts';
import type { JobRow } from '../store/jobs.ts';
import { putOff } from '../store/leases.ts';

export interface MoveItem {
  job_id: string;
  event: JobEvent;
  moment: Moment;
  /** Who moves it. */
  owner: string;
  /** Only for whoever takes a job to send it. */
  taking?: {
    /** How many jobs its provider works on at once. */
    concurrency: number;
    attempt: number;
    sender: Pick<JobRow, 'callback_url' | 'credential'>;
  };
}

/** How long a job waits when its provider has no room; the claim skips it until there is some. */
const no_room_ms = 250;

/** The jobs as they are now; null where nothing was moved. */
export const move_task: Task<readonly MoveItem[], (JobRow | null)[]> = {
  name: 'move',
  work: async (tx, batch) => {
    const taking = batch.some((item) => item.taking);
    // Gateways take turns here, so that together they keep to a provider's limit.
    if (taking) await takeTurn(tx);
    const at_work = taking ? await countAtWork(tx) : new Map<string, number>();
    const moved: (JobRow | null)[] = [];
    for (const item of batch) moved.push(await moveOne(tx, item, at_work));
    return moved;
  },
};

async function moveOne(
  tx: Runner,
  { job_id, event, moment, owner, taking }: MoveItem,
  at_work: Map<string, number>,
): Promise<JobRow | null> {
  const { now } = moment;
  const present = await lockJob(tx, job_id);
  const mine = present?.lease_owner === owner;
  if (!present || (taking && (!mine || present.attempt !== taking.attempt))) return null;
  if (taking) {
    // An earlier try of this very commit went through, and only its answer was lost.
    if (present.attempt_status === 'submitting') return present;
    const count = at_work.get(present.provider) ?? 0;
    if (count >= taking.concurrency) {
      await putOff(tx, job_id, owner, now + no_room_ms);
      return null;
    }
    at_work.set(present.provider, count + 1);
  }
  const move = reduce(present, event, moment);
  // A move with money belongs to the ledger; the worker meets it again on its next round.
  if (!move || move.effect) return null;
  const sender = taking ? { sender: taking.sender } : {};
  await putState(tx, job_id, move.job, {
    now,
    keep_lease: taking !== undefined || !mine,
    ...sender,
  });
  return { ...present, ...move.job, ...taking?.sender };
}
