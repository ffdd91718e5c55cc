// The state machine of a transcription job as a pure function: it takes an event and returns the
// next state and its effect. Claims are not events: the statement in store/leases.ts makes them.
import type { AttemptStatus, JobStatus } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import { hideSignatures } from '@trivium/contract/signed-address';
import { backoff } from '../../platform/backoff.ts';
import { type Answered, deadlineFailure, overdueFailure } from './job-failures.ts';
import type { Failure, Submission } from './submission.ts';

export interface JobState {
  status: JobStatus;
  attempt: number;
  attempt_status: AttemptStatus;
  provider_job_id: string | null;
  deadline_at: number;
  /** When a worker looks at the job next. */
  run_at: number;
  /** When the current attempt was recorded as submitting. */
  submitted_at: number | null;
  /** Polls or refusals since the last transition, for the backoff. */
  tries: number;
  finished_at: number | null;
  failure: Failure | null;
}

/** Outcomes state the attempt they belong to. The outcome of an older attempt changes nothing. */
export type JobEvent =
  /** The worker is about to send. It may send the first byte only after this is committed. */
  | { kind: 'taken' }
  | { kind: 'submitted'; attempt: number; outcome: Exclude<Submission, { kind: 'done' }> }
  /** `transcribed`: the provider has finished, and only its callback is missing. */
  | { kind: 'found'; attempt: number; provider_job_id: string | null; transcribed?: true }
  /** `unanswered`: why the provider gave no answer. */
  | { kind: 'not_found'; attempt: number; unanswered?: string }
  | { kind: 'still_running'; attempt: number; retry_after_ms?: number; unanswered?: string }
  | { kind: 'hinted'; attempt: number; provider_job_id?: string }
  /** The transcript arrived, in a callback or an answer. */
  | { kind: 'done'; attempt: number; provider_job_id?: string | null }
  | { kind: 'failed'; attempt: number; failure: Failure }
  /** The deadline has passed. `unanswered`: why the provider was not asked or did not answer. */
  | { kind: 'deadline'; unanswered?: string };

/** Written in the same transaction as the new state. */
export type Effect = 'settle' | 'release';

export interface Move {
  job: JobState;
  effect?: Effect;
}

/** What a claimed job needs next. `expire`: the deadline passed before it was sent. */
type Step = 'submit' | 'poll' | 'lookup' | 'expire' | 'delete';

export interface Moment {
  now: number;
  /** A number from 0 to 1 for jitter, so that many jobs do not become due at the same instant. */
  random: number;
  schedule: PollSchedule;
  /** The id of the job's provider, for the error message. */
  provider: string;
}

export const retentionMs = 7 * dayMs;

/**
 * Undefined if the event changes nothing because it is late, repeated or does not fit the state.
 */
export function reduce(job: JobState, event: JobEvent, moment: Moment): Move | undefined {
  if (job.finished_at !== null) return undefined;
  if (event.kind === 'taken') return taken(job, moment);
  if (event.kind === 'deadline') return expired(job, moment, event);
  if (event.kind === 'done') return done(job, event, moment);
  // A refusal starts a new attempt, so other events of an older attempt no longer count.
  if (event.attempt !== job.attempt || job.attempt_status === 'queued') return undefined;
  switch (event.kind) {
    case 'submitted':
      return submitted(job, event.outcome, moment);
    case 'found':
      if (job.attempt_status === 'waiting') return askAgain(job, moment, event);
      if (job.attempt_status !== 'unknown') return undefined;
      return { job: waiting(job, event.provider_job_id, moment) };
    case 'not_found':
      return job.attempt_status === 'submitting' ? undefined : askAgain(job, moment, event);
    case 'still_running':
      if (job.attempt_status !== 'waiting') return undefined;
      return askAgain(job, moment, event);
    case 'hinted':
      return hinted(job, event.provider_job_id, moment);
    case 'failed':
      return fail(job, event.failure, moment);
  }
}

export function nextStep(job: JobState, canPoll: boolean, now: number): Step {
  if (job.finished_at !== null) return 'delete';
  if (job.attempt_status === 'queued') return now >= job.deadline_at ? 'expire' : 'submit';
  if (job.attempt_status === 'waiting' && canPoll && job.provider_job_id !== null) return 'poll';
  return 'lookup';
}

function taken(job: JobState, { now }: Moment): Move | undefined {
  if (job.attempt_status !== 'queued' || job.status !== 'running') return undefined;
  if (now >= job.deadline_at) return undefined;
  return { job: { ...job, attempt_status: 'submitting', submitted_at: now } };
}

function submitted(
  job: JobState,
  outcome: Exclude<Submission, { kind: 'done' }>,
  moment: Moment,
): Move | undefined {
  if (job.attempt_status !== 'submitting' && job.attempt_status !== 'unknown') return undefined;
  switch (outcome.kind) {
    case 'accepted':
      return { job: waiting(job, outcome.provider_job_id, moment) };
    case 'refused':
      return refused(job, outcome, moment);
    case 'failed':
      return fail(job, outcome.failure, moment);
    case 'unknown':
      if (job.attempt_status === 'unknown') return undefined;
      return {
        job: schedule({ ...job, attempt_status: 'unknown', tries: 0 }, moment, 'lookup'),
      };
  }
}

/**
 * A worker that lost its lease cannot queue the job again, because another worker is already
 * looking it up.
 */
function refused(
  job: JobState,
  { reason, retry_after_ms }: { reason: string; retry_after_ms?: number },
  moment: Moment,
): Move {
  if (job.attempt_status === 'unknown') {
    const message = `${moment.provider} refused the recording for now: ${reason}. Submit it again.`;
    const failure: Failure = {
      type: 'provider_error',
      message,
      provider_status: null,
      provider_code: null,
      retryable: true,
    };
    return fail(job, failure, moment);
  }
  const pauseMs = pauseBeforeRetry(job.tries + 1, moment.random, retry_after_ms);
  return {
    job: {
      ...job,
      attempt: job.attempt + 1,
      attempt_status: 'queued',
      submitted_at: null,
      tries: job.tries + 1,
      run_at: Math.min(moment.now + pauseMs, job.deadline_at),
    },
  };
}

function waiting(job: JobState, providerJobId: string | null, moment: Moment): JobState {
  return schedule(
    { ...job, attempt_status: 'waiting', provider_job_id: providerJobId, tries: 0 },
    moment,
    'poll',
  );
}

function hinted(job: JobState, providerJobId: string | undefined, moment: Moment): Move {
  const known = providerJobId ?? job.provider_job_id;
  const atOnce: JobState = { ...job, provider_job_id: known, tries: 0, run_at: moment.now };
  // The answer to the submission has not arrived yet, but the provider has the job.
  return { job: { ...atOnce, attempt_status: 'waiting' } };
}

/** Nothing new: asks again later, or ends the job if its time is over. */
function askAgain(
  job: JobState,
  moment: Moment,
  report: { retry_after_ms?: number } & Answered = {},
): Move {
  const { now } = moment;
  if (now >= answerBound(job, moment)) {
    const isCalledBack = moment.schedule.answer_bound_s === undefined;
    return fail(job, overdueFailure(job, moment.provider, isCalledBack, report.unanswered), moment);
  }
  const over = expired(job, moment, report);
  if (over) return over;
  const next = schedule(job, moment, job.attempt_status === 'unknown' ? 'lookup' : 'poll');
  const runAt = Math.max(next.run_at, now + (report.retry_after_ms ?? 0));
  return { job: { ...next, tries: job.tries + 1, run_at: Math.min(runAt, job.deadline_at) } };
}

/** Never later than the answer's bound or the deadline, so that a worker handles them on time. */
function schedule(job: JobState, moment: Moment, kind: 'poll' | 'lookup'): JobState {
  const { now, schedule: pollSchedule } = moment;
  const waitMs = afterTries(
    kind === 'poll' ? pollSchedule.poll_after_s : pollSchedule.lookup_after_s,
    job.tries,
  );
  const bound = answerBound(job, moment);
  const runAt = now < bound ? Math.min(now + waitMs, bound) : now + waitMs;
  return { ...job, run_at: Math.min(runAt, job.deadline_at) };
}

/**
 * When the provider's answer can no longer arrive. Until its deadline, a submission with a callback
 * is given up only if it was certainly accepted.
 */
function answerBound({ attempt_status, submitted_at }: JobState, { schedule }: Moment): number {
  const isWaiting = attempt_status === 'waiting';
  if (submitted_at === null || !(isWaiting || attempt_status === 'unknown')) return Infinity;
  const { answer_bound_s = Infinity, callback_bound_s = Infinity } = schedule;
  return submitted_at + Math.min(answer_bound_s, isWaiting ? callback_bound_s : Infinity) * 1000;
}

/** Ends a claimed job, whatever the status of its attempt. */
function expired(job: JobState, moment: Moment, answered: Answered): Move | undefined {
  if (moment.now < job.deadline_at || job.status === 'queued') return undefined;
  return fail(job, deadlineFailure(job, moment.provider, answered), moment);
}

/**
 * The vendor bills for a transcript, so the transcript completes the job even if the provider had
 * refused that attempt. An attempt that was never sent cannot have a transcript.
 */
function done(
  job: JobState,
  { attempt, provider_job_id }: Extract<JobEvent, { kind: 'done' }>,
  { now }: Moment,
): Move | undefined {
  if (attempt > job.attempt) return undefined;
  if (attempt === job.attempt && job.attempt_status === 'queued') return undefined;
  const known = attempt === job.attempt ? job.provider_job_id : null;
  return {
    job: {
      ...finished(job, now),
      status: 'completed',
      attempt,
      attempt_status: 'completed',
      provider_job_id: provider_job_id ?? known,
    },
    effect: 'settle',
  };
}

/** Vendors often quote the address that they could not fetch. */
function fail(job: JobState, given: Failure, { now }: Moment): Move {
  const failure = { ...given, message: hideSignatures(given.message) };
  return {
    job: { ...finished(job, now), status: 'failed', attempt_status: 'failed', failure },
    effect: 'release',
  };
}

function finished(job: JobState, now: number): JobState {
  return { ...job, finished_at: now, run_at: now + retentionMs };
}

export interface PollSchedule {
  /** Seconds between requests, in order; the last value repeats. */
  poll_after_s: readonly number[];
  lookup_after_s: readonly number[];
  /** This long after the submission, no callback can arrive any more. */
  callback_bound_s?: number;
  /** Set for an attempt without a callback: when its call was lost, no answer arrives after this. */
  answer_bound_s?: number;
}

/** How long a refused submission waits. */
const pauseBeforeRetry = backoff(1000, 2, 60_000, { shorter: 0, longer: 0.25 });

function afterTries(waitsS: readonly number[], tries: number): number {
  return (waitsS[Math.min(tries, waitsS.length - 1)] ?? 0) * 1000;
}

/** One account leaves some of a provider's concurrency to the others, if there are others. */
export function maxOfOneAccount(concurrency: number, isAlone: boolean): number {
  return isAlone ? concurrency : concurrency - Math.floor(concurrency / 8);
}
