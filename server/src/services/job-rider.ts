// A job's part in a batch of the ledger, as data: it is born with its hold, and ends with the move
// that closes it. Data can be taken to where the rows are.
import { reduce } from '../domain/job.ts';
import type { Effect, JobEvent, Moment, Move } from '../domain/job.ts';
import type { Runner } from '../platform/database.ts';
import { deleteDeliveries, findUnread } from '../store/callbacks.ts';
import { insertJob, lockJob, putState } from '../store/jobs.ts';
import type { NewJob } from '../store/jobs.ts';
import { insertPart } from '../store/texts.ts';

export type JobRider =
  | { kind: 'begins'; job: NewJob }
  | {
      kind: 'ends';
      job_id: string;
      event: JobEvent;
      moment: Moment;
      /** What was foreseen; under the lock it may turn out that it has happened already. */
      effect: Effect;
      /**
       * The deliveries that the worker has looked at in this round. A job is given up only when no
       * other one lies here unread.
       */
      lookedAt?: readonly string[];
      /** `parts` are written along with the move; a long result lies there already. */
      result?: { id: string; parts: readonly string[] };
    };

/** Decides under the lock of the job; undefined leaves everything as it is. */
export async function foresee(tx: Runner, rider: JobRider): Promise<Move | 'begins' | undefined> {
  if (rider.kind === 'begins') return 'begins';
  const { job_id, event, moment, effect, lookedAt } = rider;
  const present = await lockJob(tx, job_id);
  if (lookedAt) {
    const unread = await findUnread(tx, job_id);
    if (unread.some(({ id }) => !lookedAt.includes(id))) return undefined;
  }
  const move = present && reduce(present, event, moment);
  return move?.effect === effect ? move : undefined;
}

export async function writeJob(
  tx: Runner,
  rider: JobRider,
  move: Move | 'begins' | undefined,
): Promise<void> {
  if (rider.kind === 'begins') return insertJob(tx, rider.job);
  const { job_id, moment, result } = rider;
  if (!move || move === 'begins') throw new Error(`${job_id} was moved before it was decided`);
  for (const [part, content] of (result?.parts ?? []).entries()) {
    const made_at = moment.now;
    await insertPart(tx, { id: result?.id ?? '', part, job_id, made_at, content });
  }
  const named = result ? { result_id: result.id } : {};
  await putState(tx, job_id, move.job, { now: moment.now, keep_lease: false, ...named });
  await deleteDeliveries(tx, job_id, result?.id ?? null);
}

/** How many characters it carries. */
export function weighJob(rider: JobRider | undefined): number {
  if (rider?.kind !== 'ends') return 0;
  return (rider.result?.parts ?? []).reduce((sum, part) => sum + part.length, 0);
}
