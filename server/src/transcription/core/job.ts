// The state machine of a transcription job as a pure function: it takes an event and returns the
// next state and its effect. Claims are not events: the statement in store/leases.ts makes them.
import type { AttemptStatus, JobStatus } from '@trivium/contract';
import { dayMs } from '@trivium/contract/durations';
import { hideSignatures } from '@trivium/contract/signed-address';
import { BrokenRuleError, type Rule } from '../../billing/core/index.ts';
import { backoff } from '../../platform/backoff.ts';
import { type Answered, deadlineFailure, gatewayFailure, overdueFailure } from './job-failures.ts';
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

/** Reports state the attempt they belong to. The report of an older attempt changes nothing. */
export type JobEvent =
  /** The worker is about to send. It may send the first byte only after this is committed. */
  | { kind: 'taken' }
  /** The deadline has passed. `unanswered`: why the provider was not asked or did not answer. */
  | { kind: 'deadline'; unanswered?: string }
  /** The transcript arrived, in a callback or an answer. */
  | { kind: 'done'; attempt: number; provider_job_id?: string | null }
  | ({ attempt: number } & JobReport);

type JobReport =
  | Exclude<Submission, { kind: 'done' }>
  /** A look-up. `transcribed`: the provider has finished, and only its callback is missing. */
  | { kind: 'found'; provider_job_id: string | null; transcribed?: true }
  /** A look-up or a callback. `unanswered`: why the provider gave no answer. */
  | { kind: 'nothing'; unanswered?: string }
  | { kind: 'running' }
  | { kind: 'trouble'; reason: string; retry_after_ms?: number }
  | { kind: 'hint'; provider_job_id?: string };

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

/** Undefined if the event is late, is repeated or does not fit the state. */
export function reduce(job: JobState, event: JobEvent, moment: Moment): Move | undefined {
  if (job.finished_at !== null) return undefined;
  if (event.kind === 'taken') return taken(job, moment);
  if (event.kind === 'deadline') return expired(job, moment, event);
  if (event.kind === 'done') return done(job, event, moment);
  // A refusal starts a new attempt, so other events of an older attempt no longer count.
  if (event.attempt !== job.attempt || job.attempt_status === 'queued') return undefined;
  switch (event.kind) {
    case 'accepted':
    case 'refused':
    case 'unknown':
      return submitted(job, event, moment);
    case 'found':
      if (job.attempt_status === 'waiting') return askAgain(job, moment, event);
      if (job.attempt_status !== 'unknown') return undefined;
      return { job: waiting(job, event.provider_job_id, moment) };
    case 'nothing':
      return job.attempt_status === 'submitting' ? undefined : askAgain(job, moment, event);
    case 'running':
      return job.attempt_status === 'waiting' ? askAgain(job, moment) : undefined;
    case 'trouble':
      if (job.attempt_status !== 'waiting') return undefined;
      return askAgain(job, moment, { ...event, unanswered: event.reason });
    case 'hint':
      // The answer to the submission may not have arrived yet, but the provider has the job.
      return {
        job: {
          ...job,
          attempt_status: 'waiting',
          provider_job_id: event.provider_job_id ?? job.provider_job_id,
          tries: 0,
          run_at: moment.now,
        },
      };
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

/** The answer to the submission. The sender may have lost its lease meanwhile. */
function submitted(
  job: JobState,
  outcome: Extract<JobReport, { kind: 'accepted' | 'refused' | 'unknown' }>,
  moment: Moment,
): Move | undefined {
  const isUnknown = job.attempt_status === 'unknown';
  if (job.attempt_status !== 'submitting' && !isUnknown) return undefined;
  if (outcome.kind === 'accepted') return { job: waiting(job, outcome.provider_job_id, moment) };
  if (outcome.kind === 'unknown') {
    if (isUnknown) return undefined;
    return { job: schedule({ ...job, attempt_status: 'unknown', tries: 0 }, moment) };
  }
  const { reason, retry_after_ms } = outcome;
  // Another worker is already looking the job up, so it cannot be queued again.
  if (isUnknown) {
    const message = `${moment.provider} refused the recording for now: ${reason}. Submit it again.`;
    return fail(job, gatewayFailure('provider_error', message), moment);
  }
  const tries = job.tries + 1;
  const pauseMs = pauseBeforeRetry(tries, moment.random, retry_after_ms);
  const runAt = Math.min(moment.now + pauseMs, job.deadline_at);
  const attempt = job.attempt + 1;
  return {
    job: { ...job, attempt, attempt_status: 'queued', submitted_at: null, tries, run_at: runAt },
  };
}

function waiting(job: JobState, providerJobId: string | null, moment: Moment): JobState {
  const known = { provider_job_id: providerJobId, tries: 0 };
  return schedule({ ...job, attempt_status: 'waiting', ...known }, moment);
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
  const next = schedule(job, moment);
  const runAt = Math.max(next.run_at, now + (report.retry_after_ms ?? 0));
  return { job: { ...next, tries: job.tries + 1, run_at: Math.min(runAt, job.deadline_at) } };
}

/** Never later than the answer's bound or the deadline, so that a worker handles them on time. */
function schedule(job: JobState, moment: Moment): JobState {
  const { now, schedule: waits } = moment;
  const all = job.attempt_status === 'unknown' ? waits.lookup_after_s : waits.poll_after_s;
  const waitMs = (all[Math.min(job.tries, all.length - 1)] ?? 0) * 1000;
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

interface PollSchedule {
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

/** One account leaves some of a provider's concurrency to the others, if there are others. */
export function maxOfOneAccount(concurrency: number, isAlone: boolean): number {
  return isAlone ? concurrency : concurrency - Math.floor(concurrency / 8);
}

/** The states that may follow each state of an attempt. A state may also follow itself. */
const moves: Readonly<Record<JobState['attempt_status'], readonly JobState['attempt_status'][]>> = {
  queued: ['submitting', 'completed', 'failed'],
  submitting: ['queued', 'waiting', 'unknown', 'completed', 'failed'],
  unknown: ['waiting', 'completed', 'failed'],
  waiting: ['completed', 'failed'],
  completed: [],
  failed: [],
};

/** Throws a BrokenRuleError. */
export function checkMove(
  before: JobState & { id: string; account_id: string },
  after: JobState,
): void {
  const broken = (rule: Rule, facts: string) =>
    new BrokenRuleError(rule, before.account_id, `${before.id} ${facts}`);
  if (before.finished_at !== null) throw broken('job_ends_once', 'has ended, and would move');
  const [from, to] = [before.attempt_status, after.attempt_status];
  if (from !== to && !moves[from].includes(to)) throw broken('job_moves', `from ${from} to ${to}`);
  const isEnd = after.status === 'completed' || after.status === 'failed';
  if (isEnd !== (after.finished_at !== null)) {
    throw broken('job_moves', `would be ${after.status}, finished at ${after.finished_at}`);
  }
  const isNext = from === 'submitting' && to === 'queued';
  // The transcript of an earlier attempt completes the job as well.
  const isEarlier = to === 'completed' && after.attempt < before.attempt;
  if (!isEarlier && after.attempt !== before.attempt + (isNext ? 1 : 0)) {
    throw broken('attempts_grow', `from attempt ${before.attempt} to ${after.attempt}`);
  }
}

/** A worker may work only on a job whose lease it has. */
export function checkLease(
  job: { id: string; account_id: string; lease_owner: string | null },
  owner: string,
): void {
  if (job.lease_owner === owner) return;
  const facts = `${job.id} was claimed by ${owner} and is leased to ${job.lease_owner}`;
  throw new BrokenRuleError('lease_is_own', job.account_id, facts);
}
