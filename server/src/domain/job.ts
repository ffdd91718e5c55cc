// The life of a transcription job as a pure function: what happened goes in, the next state and
// what to do come out.
import type { AttemptStatus, JobStatus } from '@trivium/contract';
import type { Failure, Submission } from './submission.ts';
import { deadlineFailure, overdueFailure } from './job-failures.ts';
import { afterTries, pauseBeforeRetry } from './job-schedule.ts';
import type { Pace } from './job-schedule.ts';

export interface JobState {
  status: JobStatus;
  attempt: number;
  attempt_status: AttemptStatus;
  provider_job_id: string | null;
  deadline_at: number;
  /** When somebody should look at it next. */
  run_at: number;
  /** When the present attempt was put on record as submitting. */
  submitted_at: number | null;
  /** Questions asked or refusals met since the last move, for backing off. */
  tries: number;
  finished_at: number | null;
  failure: Failure | null;
}

/** What is known now. Outcomes carry the attempt they belong to: an older one changes nothing. */
export type JobEvent =
  /** Somebody took the lease, which was free or whose holder is gone. */
  | { kind: 'claimed' }
  /** The sender commits itself; only after this is on disk may a byte be sent. */
  | { kind: 'taken' }
  | { kind: 'submitted'; attempt: number; outcome: Exclude<Submission, { kind: 'done' }> }
  /** `transcribed`: the provider has finished, and only the delivery is outstanding. */
  | { kind: 'found'; attempt: number; provider_job_id: string | null; transcribed?: true }
  | { kind: 'not_found'; attempt: number }
  | { kind: 'still_running'; attempt: number; retry_after_ms?: number }
  | { kind: 'hinted'; attempt: number; provider_job_id?: string }
  /** The transcript is here, by whatever way. */
  | { kind: 'done'; attempt: number; provider_job_id?: string | null }
  | { kind: 'failed'; attempt: number; failure: Failure }
  /** Its time is up, whatever it was waiting for. */
  | { kind: 'deadline' };

/** `settle` and `release` belong into the same transaction as the state they come with. */
export type Effect = 'settle' | 'release';

export interface Move {
  job: JobState;
  effect?: Effect;
}

/** What a claimed job needs next; `expire`: there is nothing left to ask. */
export type Step = 'submit' | 'poll' | 'lookup' | 'expire' | 'delete';

export interface Moment {
  now: number;
  /** From 0 to 1, so that many jobs do not come back at the same instant. */
  chance: number;
  pace: Pace;
  /** The neutral id of the job's provider, for what its error says. */
  provider: string;
}

export const retention_ms = 7 * 24 * 60 * 60 * 1000;

/** Undefined when the event changes nothing, being late, repeated or out of place. */
export function reduce(job: JobState, event: JobEvent, moment: Moment): Move | undefined {
  if (job.finished_at !== null) return undefined;
  if (event.kind === 'claimed') return { job: claimed(job) };
  if (event.kind === 'taken') return taken(job, moment);
  if (event.kind === 'deadline') return expired(job, moment);
  if (event.kind === 'done') return done(job, event, moment);
  // A refusal counts up the attempt, so anything else an older one has to say is over.
  if (event.attempt !== job.attempt || job.attempt_status === 'queued') return undefined;
  switch (event.kind) {
    case 'submitted':
      return submitted(job, event.outcome, moment);
    case 'found':
      if (job.attempt_status === 'waiting') return askAgain(job, moment, event);
      if (job.attempt_status !== 'unknown') return undefined;
      return { job: waiting(job, event.provider_job_id, moment) };
    case 'not_found':
      return job.attempt_status === 'submitting' ? undefined : askAgain(job, moment);
    case 'still_running':
      if (job.attempt_status !== 'waiting') return undefined;
      return askAgain(job, moment, event);
    case 'hinted':
      return hinted(job, event.provider_job_id, moment);
    case 'failed':
      return fail(job, event.failure, moment);
  }
}

export function nextStep(job: JobState, can_poll: boolean, now: number): Step {
  if (job.finished_at !== null) return 'delete';
  if (job.attempt_status === 'queued') return now >= job.deadline_at ? 'expire' : 'submit';
  if (job.attempt_status === 'waiting' && can_poll && job.provider_job_id !== null) return 'poll';
  return 'lookup';
}

/** A sender that died while submitting may have sent: nobody may send again. */
function claimed(job: JobState): JobState {
  const died = job.attempt_status === 'submitting';
  return {
    ...job,
    status: 'running',
    attempt_status: died ? 'unknown' : job.attempt_status,
    tries: died ? 0 : job.tries,
  };
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

/** A sender whose lease was taken from it cannot queue again what others already look for. */
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
  const pause_ms = pauseBeforeRetry(job.tries, moment.chance, retry_after_ms);
  return {
    job: {
      ...job,
      attempt: job.attempt + 1,
      attempt_status: 'queued',
      submitted_at: null,
      tries: job.tries + 1,
      run_at: Math.min(moment.now + pause_ms, job.deadline_at),
    },
  };
}

function waiting(job: JobState, provider_job_id: string | null, moment: Moment): JobState {
  return schedule({ ...job, attempt_status: 'waiting', provider_job_id, tries: 0 }, moment, 'poll');
}

function hinted(job: JobState, provider_job_id: string | undefined, moment: Moment): Move {
  const known = provider_job_id ?? job.provider_job_id;
  const at_once: JobState = { ...job, provider_job_id: known, tries: 0, run_at: moment.now };
  // The answer of a sender under way is still to come; the provider has spoken all the same.
  return { job: { ...at_once, attempt_status: 'waiting' } };
}

/** Nothing new: ask again later, or end it when there is no later. */
function askAgain(
  job: JobState,
  moment: Moment,
  learnt: { retry_after_ms?: number; transcribed?: true } = {},
): Move {
  const { now } = moment;
  if (now >= callbackBound(job, moment)) return fail(job, overdueFailure(moment.provider), moment);
  const over = expired(job, moment, learnt.transcribed);
  if (over) return over;
  const next = schedule(job, moment, job.attempt_status === 'unknown' ? 'lookup' : 'poll');
  const run_at = Math.max(next.run_at, now + (learnt.retry_after_ms ?? 0));
  return { job: { ...next, tries: job.tries + 1, run_at: Math.min(run_at, job.deadline_at) } };
}

/** Nobody looks later than necessary: the bound and the deadline are looked at when they come. */
function schedule(job: JobState, moment: Moment, kind: 'poll' | 'lookup'): JobState {
  const { now, pace } = moment;
  const wait_ms = afterTries(kind === 'poll' ? pace.poll_after_s : pace.lookup_after_s, job.tries);
  const bound = callbackBound(job, moment);
  const run_at = now < bound ? Math.min(now + wait_ms, bound) : now + wait_ms;
  return { ...job, run_at: Math.min(run_at, job.deadline_at) };
}

/** Only what was certainly accepted is given up before its deadline. */
function callbackBound({ attempt_status, submitted_at }: JobState, { pace }: Moment): number {
  const { callback_bound_s } = pace;
  if (attempt_status !== 'waiting' || submitted_at === null) return Infinity;
  return callback_bound_s === undefined ? Infinity : submitted_at + callback_bound_s * 1000;
}

/** Ends every job that has not ended, in whatever attempt status it is. */
function expired(job: JobState, moment: Moment, transcribed = false): Move | undefined {
  if (moment.now < job.deadline_at) return undefined;
  return fail(job, deadlineFailure(job, moment.provider, transcribed), moment);
}

/**
 * A transcript is paid for, so it completes the job even if it is of an attempt that the provider
 * had refused; only what was never sent cannot have come.
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

function fail(job: JobState, failure: Failure, { now }: Moment): Move {
  return {
    job: { ...finished(job, now), status: 'failed', attempt_status: 'failed', failure },
    effect: 'release',
  };
}

function finished(job: JobState, now: number): JobState {
  return { ...job, finished_at: now, run_at: now + retention_ms };
}
