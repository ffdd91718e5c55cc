// The rules of jobs, checked against a separate table on each move before it is written, because
// the code that decided the move may be wrong.
import { BrokenRuleError, type Rule } from '../../billing/core/index.ts';
import type { JobState } from './job.ts';

interface KnownJob extends JobState {
  id: string;
  account_id: string;
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
export function checkMove(before: KnownJob, after: JobState): void {
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
