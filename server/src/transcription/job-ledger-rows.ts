// The job rows that a ledger transaction writes: a job is inserted with its hold, and finished with
// the settlement or release. The change is plain data, so that the store's thread can apply it.
import { reduce } from './core/job.ts';
import type { Effect, JobEvent, Moment, Move } from './core/job.ts';
import type { LinkedRows } from '../billing/linked-rows.ts';
import type { Runner } from '../store/database.ts';
import { deleteCallbacks, findUnread } from './store/callbacks.ts';
import { writeEvent } from '../events/outbox.ts';
import { insertJob, lockJob, putState } from './store/jobs.ts';
import type { JobRow, NewJob } from './store/jobs.ts';
import { insertPart } from './store/texts.ts';

export type JobChange =
  | { kind: 'begins'; job: NewJob }
  | {
      kind: 'ends';
      job_id: string;
      event: JobEvent;
      moment: Moment;
      /** What the worker expects; under the lock the job may turn out to have ended already. */
      effect: Effect;
      /**
       * The callbacks that the worker has read in this round. A job fails only when no other one is
       * unread.
       */
      readCallbackIds?: readonly string[];
      /** `parts` are written in this transaction; a long result was stored before. */
      result?: { id: string; parts: readonly string[] };
    };

/** How the ledger writes the rows of jobs. */
export const jobRows: LinkedRows = {
  prepare: (tx, change) => prepare(tx, change as JobChange),
  write: (tx, change, prepared) => write(tx, change as JobChange, prepared as Prepared | undefined),
  size: (change) => size(change as JobChange),
};

type Prepared = { move: Move; job: JobRow } | 'begins';

/** Decides under the lock of the job. Undefined changes nothing. */
async function prepare(tx: Runner, change: JobChange): Promise<Prepared | undefined> {
  if (change.kind === 'begins') return 'begins';
  const { job_id, event, moment, effect, readCallbackIds } = change;
  const present = await lockJob(tx, job_id);
  if (readCallbackIds) {
    const unread = await findUnread(tx, job_id);
    if (unread.some(({ id }) => !readCallbackIds.includes(id))) return undefined;
  }
  const move = present && reduce(present, event, moment);
  return present && move?.effect === effect ? { move, job: present } : undefined;
}

async function write(tx: Runner, change: JobChange, prepared: Prepared | undefined): Promise<void> {
  if (change.kind === 'begins') return insertJob(tx, change.job);
  const { job_id, moment, result } = change;
  if (!prepared || prepared === 'begins') {
    throw new Error(`${job_id} was written before it was prepared`);
  }
  const { move, job } = prepared;
  for (const [part, content] of (result?.parts ?? []).entries()) {
    const madeAt = moment.now;
    await insertPart(tx, { id: result?.id ?? '', part, job_id, made_at: madeAt, content });
  }
  const named = result ? { result_id: result.id } : {};
  await putState(tx, job_id, move.job, { now: moment.now, keep_lease: false, ...named });
  await deleteCallbacks(tx, job_id, result?.id ?? null);
  await announceEnd(tx, job, move, moment.now);
}

/** In the transaction that ends the job, so that its end and its event are one. */
async function announceEnd(tx: Runner, job: JobRow, { job: end }: Move, now: number) {
  const { webhook: url } = job.request;
  await writeEvent(tx, {
    type: end.status === 'completed' ? 'job.completed' : 'job.failed',
    account_id: job.account_id,
    subject: job.id,
    at: now,
    ...(url === undefined ? {} : { url }),
  });
}

/** How many characters it carries. */
function size(change: JobChange): number {
  if (change.kind !== 'ends') return 0;
  return (change.result?.parts ?? []).reduce((sum, part) => sum + part.length, 0);
}
