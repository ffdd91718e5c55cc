// One round of work on a claimed job: reads the callbacks that arrived, or else takes the next step
// (submit, poll, look up, expire or delete), and records what the provider reported.
import { GatewayError } from '@trivium/contract';
import { minuteMs } from '@trivium/contract/durations';
import { waitForRoom } from '../platform/byte-budget.ts';
import { machine } from '../platform/machine.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import { releaseUpload } from '../uploads/index.ts';
import { readAnswer } from './call-speech-provider.ts';
import { advised } from './core/job-failures.ts';
import { type JobEvent, nextStep } from './core/job.ts';
import { type JobContext, productOf, reasonForNoWork } from './job-context.ts';
import type { JobTransitions } from './job-transitions.ts';
import { lookUpJob, pollJob } from './look-up-job.ts';
import type { ProviderReport } from './read-transcript.ts';
import { type Callback, findPart, findUnread, markRead } from './store/callbacks.ts';
import { type JobRow, deleteJob } from './store/jobs.ts';
import { postponeJobs } from './store/leases.ts';
import { storeRecording, submitJob } from './submit-job.ts';

/** Before the next round, if this one changed nothing. */
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
  let unanswered =
    job.attempt_status === 'queued' ? reasonForNoWork(base, job.provider) : undefined;
  const noWork = nextStepOf(round) === 'submit' ? unanswered : undefined;
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
  if (isKept) {
    pause = pauseAfterFaultMs;
    unanswered ??= "its callback could not be read; the gateway's log contains the reason";
  }
  // The deadline ends the job, whatever this round was waiting for.
  if (clock.now().getTime() >= job.deadline_at + (isKept ? unreadGraceMs : 0)) {
    const all = { ...round, readCallbackIds: [...readCallbackIds, ...keptCallbackIds] };
    const reason = unanswered === undefined ? {} : { unanswered };
    const hasEnded = await recordEvent(all, job, { kind: 'deadline', ...reason });
    if (hasEnded) return releaseRecording(round);
  }
  const now = clock.now().getTime();
  const runAt = now < job.deadline_at ? Math.min(now + pause, job.deadline_at) : now + pause;
  await postponeJobs(database, [{ id: job.id, owner: context.owner, run_at: runAt }]);
}

/** Deletes the upload of a job that has ended, unless another job needs it. */
async function releaseRecording({ context, job }: Round): Promise<void> {
  const { upload } = job.request;
  if (upload) await releaseUpload(context.uploads, upload.id);
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

/** Only the worker whose `take` succeeded sends, once, and records the outcome. */
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

/** One round of work on a claimed job. */
interface Round {
  context: JobContext;
  transitions: JobTransitions;
  job: JobRow;
  /** The callbacks that this round has read and that contained no transcript. */
  readCallbackIds: string[];
  /** Callbacks that could not be read. While there is one, only the deadline fails the job. */
  keptCallbackIds: string[];
}

/** `job` is at the attempt that the answer belongs to. True if the job moved. */
async function recordReport(round: Round, job: JobRow, report: ProviderReport): Promise<boolean> {
  if (report.kind === 'done') return round.transitions.complete(job, report);
  const event = report.kind === 'failed' ? { ...report, failure: advised(report.failure) } : report;
  return recordEvent(round, job, { ...event, attempt: job.attempt });
}

/** True if the job moved. */
function recordEvent(round: Round, job: JobRow, event: JobEvent): Promise<boolean> {
  return round.transitions.apply(job, event, round.readCallbackIds);
}

/** A failure of the store says nothing about the job, so the job must not move because of it. */
function isStoreTrouble(error: unknown): boolean {
  return error instanceof GatewayError || storeTrouble(error) !== undefined;
}

/** Enough for a callback of 64 MB in the parts it is stored in, with a margin. */
const maxParts = 4096;

/** True if one of them moved the job. A callback is kept until its job has ended. */
async function readCallbacks(round: Round): Promise<boolean> {
  const { context, job } = round;
  // There can be no callback for a job that was never sent.
  const neverSent = job.attempt_status === 'queued' && job.attempt === 1;
  if (neverSent || job.finished_at !== null) return false;
  // Those that cannot be read are kept, and must not hide later ones.
  for (let last: Callback | undefined; ;) {
    const unread = await findUnread(context.database, job.id, last);
    if (unread.length === 0) return false;
    if (await readEach(round, unread)) return true;
    last = unread.at(-1);
  }
}

async function readEach(round: Round, unread: readonly Callback[]): Promise<boolean> {
  const { context, job, readCallbackIds, keptCallbackIds } = round;
  const { database, clock, log } = context;
  for (const callback of unread) {
    const delivered = { ...job, attempt: callback.attempt };
    try {
      const report = await readCallback(context, delivered, callback);
      // A transcript counts as read only once it is recorded; any other report counts at once.
      if (report.kind !== 'done') readCallbackIds.push(callback.id);
      const moved = await recordReport(round, delivered, report);
      if (moved || report.kind !== 'done')
        await markRead(database, callback, clock.now().getTime());
      else keptCallbackIds.push(callback.id);
      if (moved) {
        context.nudge();
        return true;
      }
    } catch (error) {
      if (isStoreTrouble(error)) throw error;
      // The next round, or a later version, may be able to read it.
      keptCallbackIds.push(callback.id);
      log.warn({ err: error, job_id: job.id }, 'a callback could not be read; it is kept');
    }
  }
  return false;
}

async function readCallback(
  context: JobContext,
  job: JobRow,
  { body_id }: Callback,
): Promise<ProviderReport> {
  const { database } = context;
  const texts: string[] = [];
  for (let part = 0; part < maxParts; part += 1) {
    const text = await findPart(database, body_id, part);
    if (text === undefined) break;
    await waitForRoom(context.room, text.length);
    texts.push(text);
    await machine.nextTurn();
  }
  if (texts.length === 0) throw new Error(`the body ${body_id} is not there`);
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  const answer = { status: 200, headers: new Headers(), text: '', pieces: texts };
  return readAnswer(context, job, 'callback', answer, { id: body_id, chars });
}
