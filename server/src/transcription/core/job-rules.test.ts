// The rules of jobs: a move that the table does not allow is found, and the reducer makes none.
import { describe, expect, test } from 'bun:test';
import { readBrokenRule } from '../../billing/core/book-rules.ts';
import { type JobState, checkLease, checkMove } from './job.ts';

const job = (more: Partial<JobState> = {}) =>
  ({
    ...{
      id: 'job_1',
      account_id: 'acct_1',
      status: 'running',
      attempt: 2,
      attempt_status: 'waiting',
    },
    ...{ provider_job_id: null, deadline_at: 9, run_at: 0, submitted_at: 0, tries: 0 },
    ...{ finished_at: null, failure: null },
    ...more,
  }) as JobState & { id: string; account_id: string };

function ruleBrokenBy(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    const broken = readBrokenRule((error as Error).message);
    if (!broken) throw error;
    return broken.rule;
  }
}

describe('a move', () => {
  const done = job({ status: 'completed', attempt_status: 'completed', finished_at: 5 });
  test.each<[JobState, JobState]>([
    [job(), done],
    [job(), job({ tries: 1 })],
    [job({ attempt_status: 'submitting' }), job({ attempt_status: 'queued', attempt: 3 })],
    [job({ attempt_status: 'queued' }), { ...done, attempt: 1 }],
  ])('of the table is allowed (%#)', (before, after) => {
    expect(ruleBrokenBy(() => checkMove(before as never, after))).toBeUndefined();
  });

  test.each<[string, JobState, JobState]>([
    ['job_ends_once', done, job({ status: 'failed', attempt_status: 'failed', finished_at: 6 })],
    ['job_moves', job(), job({ attempt_status: 'submitting' })],
    [
      'job_moves',
      job({ attempt_status: 'unknown' }),
      job({ attempt_status: 'queued', attempt: 3 }),
    ],
    ['job_moves', job(), job({ status: 'completed', attempt_status: 'completed' })],
    ['job_moves', job(), job({ finished_at: 5 })],
    ['attempts_grow', job(), job({ attempt: 3 })],
    ['attempts_grow', job({ attempt_status: 'submitting' }), job({ attempt_status: 'queued' })],
  ])('that would break %s is refused (%#)', (rule, before, after) => {
    expect(ruleBrokenBy(() => checkMove(before as never, after))).toBe(rule);
  });

  test('on a job of another worker is refused', () => {
    const leased = { id: 'job_1', account_id: 'acct_1', lease_owner: 'worker_1' };
    expect(ruleBrokenBy(() => checkLease(leased, 'worker_1'))).toBeUndefined();
    expect(ruleBrokenBy(() => checkLease(leased, 'worker_2'))).toBe('lease_is_own');
  });
});
