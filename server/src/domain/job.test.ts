// The moves of a job one by one, as the table of the interface has them.
import { describe, expect, test } from 'bun:test';
import { deadlineFailure, nextStep, reduce, retention_ms } from './job.ts';
import type { JobEvent, JobState } from './job.ts';

const pace = { poll_after_s: [1, 3], lookup_after_s: [2, 5] };
const at = (now: number) => ({ now, chance: 0, pace });
const fresh: JobState = {
  status: 'queued',
  attempt: 1,
  attempt_status: 'queued',
  provider_job_id: null,
  deadline_at: 100_000,
  run_at: 0,
  submitted_at: null,
  tries: 0,
  finished_at: null,
  failure: null,
};
const failure = {
  type: 'provider_error',
  message: 'no',
  provider_status: 400,
  provider_code: null,
  retryable: false,
} as const;
const accepted = { kind: 'accepted', provider_job_id: 'p1' } as const;

function play(events: readonly JobEvent[], now = 1000): JobState {
  return events.reduce((job, event) => reduce(job, event, at(now))?.job ?? job, fresh);
}

describe('an attempt', () => {
  test('is claimed, taken, accepted, polled and completed with one settlement', () => {
    const waiting = play([
      { kind: 'claimed' },
      { kind: 'taken' },
      { kind: 'submitted', attempt: 1, outcome: accepted },
    ]);
    expect(waiting).toMatchObject({
      status: 'running',
      attempt_status: 'waiting',
      provider_job_id: 'p1',
      run_at: 2000,
    });
    expect(nextStep(waiting, true, 2000)).toBe('poll');
    const later = reduce(waiting, { kind: 'still_running', attempt: 1 }, at(2000))?.job ?? waiting;
    expect(later.run_at).toBe(3000);
    const done = reduce(later, { kind: 'done', attempt: 1 }, at(5000));
    expect(done?.effect).toBe('settle');
    expect(done?.job).toMatchObject({
      status: 'completed',
      attempt_status: 'completed',
      finished_at: 5000,
      run_at: 5000 + retention_ms,
    });
    expect(reduce(done?.job ?? later, { kind: 'done', attempt: 1 }, at(6000))).toBeUndefined();
  });

  test('cannot be taken twice, before it is claimed, or after the deadline', () => {
    expect(reduce(fresh, { kind: 'taken' }, at(0))).toBeUndefined();
    const taken = play([{ kind: 'claimed' }, { kind: 'taken' }]);
    expect(reduce(taken, { kind: 'taken' }, at(0))).toBeUndefined();
    const claimed = play([{ kind: 'claimed' }]);
    expect(reduce(claimed, { kind: 'taken' }, at(100_000))).toBeUndefined();
    expect(nextStep(claimed, true, 100_000)).toBe('expire');
  });

  test('goes back to queued under a new number when it was surely refused', () => {
    const refused = { kind: 'refused', reason: 'busy', retry_after_ms: 7000 } as const;
    const again = play([
      { kind: 'claimed' },
      { kind: 'taken' },
      { kind: 'submitted', attempt: 1, outcome: refused },
    ]);
    expect(again).toMatchObject({ attempt: 2, attempt_status: 'queued', run_at: 8000, tries: 1 });
    const late: JobEvent = { kind: 'submitted', attempt: 1, outcome: accepted };
    expect(reduce(again, late, at(9000))).toBeUndefined();
  });

  test('whose sender died is unknown, and is looked for but never taken again', () => {
    const lost = play([{ kind: 'claimed' }, { kind: 'taken' }, { kind: 'claimed' }]);
    expect(lost).toMatchObject({ attempt: 1, attempt_status: 'unknown' });
    expect(reduce(lost, { kind: 'taken' }, at(0))).toBeUndefined();
    expect(nextStep(lost, true, 0)).toBe('lookup');
    const found = reduce(lost, { kind: 'found', attempt: 1, provider_job_id: 'p9' }, at(3000));
    expect(found?.job).toMatchObject({ attempt_status: 'waiting', provider_job_id: 'p9' });
  });

  test('that was never found fails at the deadline as unknown, and gives the hold back', () => {
    const lost = play([{ kind: 'claimed' }, { kind: 'taken' }, { kind: 'claimed' }]);
    const before = reduce(lost, { kind: 'not_found', attempt: 1 }, at(99_999));
    expect(before?.job.run_at).toBe(100_000);
    const over = reduce(lost, { kind: 'not_found', attempt: 1 }, at(100_000));
    expect(over?.effect).toBe('release');
    expect(over?.job.failure?.type).toBe('submission_unknown');
  });

  test('may still be answered by a sender that lost its lease', () => {
    const lost = play([{ kind: 'claimed' }, { kind: 'taken' }, { kind: 'claimed' }]);
    const late = reduce(lost, { kind: 'submitted', attempt: 1, outcome: accepted }, at(3000));
    expect(late?.job.attempt_status).toBe('waiting');
    const refused = { kind: 'refused', reason: 'busy' } as const;
    const no = reduce(lost, { kind: 'submitted', attempt: 1, outcome: refused }, at(3000));
    expect(no?.job.attempt_status).toBe('failed');
  });

  test('that the provider fails gives the hold back', () => {
    const failed = reduce(
      play([{ kind: 'claimed' }, { kind: 'taken' }]),
      { kind: 'failed', attempt: 1, failure },
      at(2000),
    );
    expect(failed).toMatchObject({ effect: 'release', job: { status: 'failed', failure } });
  });
});

test('a deadline says what was being waited for', () => {
  expect(deadlineFailure(fresh).type).toBe('deadline_exceeded');
  expect(deadlineFailure({ ...fresh, attempt_status: 'waiting' }).type).toBe('deadline_exceeded');
  expect(deadlineFailure({ ...fresh, attempt_status: 'unknown' }).type).toBe('submission_unknown');
});
