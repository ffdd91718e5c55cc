// One round of work on a claimed job: reads the callbacks that arrived, or else takes the next step
// (submit, poll, look up, expire or delete).
import { minuteMs } from '@trivium/contract/durations';
import { nextStep } from './core/job.ts';
import { deleteJob } from './store/jobs.ts';
import type { JobRow } from './store/jobs.ts';
import { postponeJobs } from './store/leases.ts';
import { productOf, reasonForNoWork } from './job-context.ts';
import type { JobContext } from './job-context.ts';
import type { JobTransitions } from './job-transitions.ts';
import { lookUpJob } from './look-up-job.ts';
import { pollJob } from './look-up-job.ts';
import { readCallbacks } from './read-callbacks.ts';
import { isStoreTrouble, recordEvent, recordReport } from './record-report.ts';
import type { Round } from './record-report.ts';
import { storeRecording } from './store-recording.ts';
import { submitJob } from './submit-job.ts';
import { releaseUpload } from '../uploads/index.ts';

/**
 * The pause before the next round if this one changed nothing. It does not wait for the lease to
 * end.
 */
const pauseMs = 1000;
/** A round that threw will probably throw again, so the pause is longer. */
const pauseAfterFaultMs = 10_000;
/** After the deadline, a callback that could not be read is tried again for this long. */
const unreadGraceMs = 60_000;

/**
 * A long transcript is copied to a thread, parsed and written: one of ten hours (10 MB) takes 90
 * MB. The worker renews the lease of a job that waits for memory, because its answer is already
 * paid for.
 */
const transcriptRoom = { weight: 9, maxWaitMs: 10 * minuteMs };

/** The worker holds the job's lease during the round. */
export async function runJob(
  base: JobContext,
  transitions: JobTransitions,
  job: JobRow,
): Promise<void> {
  const { database, clock, log } = base;
  const room = base.bytes?.open(job.account_id, transcriptRoom);
  const context = room ? { ...base, room } : base;
  const round: Round = { context, transitions, job, readCallbackIds: [], keptCallbackIds: [] };
  const noWork = nextStepOf(round) === 'submit' ? reasonForNoWork(base, job.provider) : undefined;
  let unanswered =
    job.attempt_status === 'queued' ? reasonForNoWork(base, job.provider) : undefined;
  let [ended, pause] = [false, noWork === undefined ? pauseMs : pauseAfterFaultMs];
  try {
    ended = (await readCallbacks(round)) || (noWork === undefined && (await takeStep(round)));
  } catch (error) {
    if (isStoreTrouble(error)) throw error;
    log.warn({ err: error, job_id: job.id }, 'a round of work on a job failed');
    pause = pauseAfterFaultMs;
    unanswered ??= 'the gateway failed; its log contains the reason';
  } finally {
    room?.close();
  }
  if (ended) return releaseRecording(round);
  const { readCallbackIds, keptCallbackIds } = round;
  const isKept = keptCallbackIds.length > 0;
  if (isKept) pause = pauseAfterFaultMs;
  if (isKept)
    unanswered ??= "its callback could not be read; the gateway's log contains the reason";
  // The deadline ends the job, whatever this round was waiting for.
  if (clock.now().getTime() >= job.deadline_at + (isKept ? unreadGraceMs : 0)) {
    const all = { ...round, readCallbackIds: [...readCallbackIds, ...keptCallbackIds] };
    const deadline = {
      kind: 'deadline',
      ...(unanswered === undefined ? {} : { unanswered }),
    } as const;
    if (await recordEvent(all, job, deadline)) return releaseRecording(round);
  }
  const runAt = nextRoundAt(job, clock.now().getTime(), pause);
  await postponeJobs(database, [{ id: job.id, owner: context.owner, run_at: runAt }]);
}

/** Deletes the upload of a job that has ended, unless another job needs it. */
async function releaseRecording({ context, job }: Round): Promise<void> {
  const { upload } = job.request;
  if (upload) await releaseUpload(context.uploads, upload.id);
}

function nextRoundAt({ deadline_at }: JobRow, now: number, pause: number): number {
  return now < deadline_at ? Math.min(now + pause, deadline_at) : now + pause;
}

function nextStepOf({ context, job }: Round): ReturnType<typeof nextStep> {
  const canPoll = productOf(context, job.provider).toPoll !== undefined;
  return nextStep(job, canPoll, context.clock.now().getTime());
}

/** True if the job moved, which ends the round. */
async function takeStep(round: Round): Promise<boolean> {
  const { context, job } = round;
  switch (nextStepOf(round)) {
    case 'delete':
      await context.database.transaction((tx) => deleteJob(tx, job.id));
      return true;
    case 'expire':
      return false;
    case 'submit':
      return submitOnce(round);
    case 'poll':
      return recordReport(round, job, await pollJob(context, job));
    case 'lookup':
      return recordEvent(round, job, await lookUpJob(context, job));
  }
}

/**
 * Only the worker whose `take` succeeded sends, and it sends only once. The outcome is recorded
 * under that attempt.
 */
async function submitOnce(round: Round): Promise<boolean> {
  const prepared = await storeRecording(round.context, round.job);
  const taken = await round.transitions.take(prepared.kind === 'ready' ? prepared.job : round.job);
  if (taken === undefined) return false;
  if (prepared.kind !== 'ready') return recordReport(round, taken, prepared);
  const { synchronous } = round.context;
  if (taken.callback_url === null) synchronous.add(taken);
  try {
    return await recordReport(round, taken, await submitJob(round.context, taken));
  } finally {
    synchronous.delete(taken);
  }
}
