// The transitions of a job one by one, as the interface lists them.
import { describe, expect, test } from 'bun:test';
import { accepted, at, claimedJob, failure, fresh } from '../../../test/claimed-job.ts';
import { deadlineFailure } from './job-failures.ts';
import { type JobEvent, type JobState, nextStep, reduce, retentionMs } from './job.ts';

/** Another worker claims the job of one that died while submitting. */
const senderDied = 'sender died';

/** From a job that a worker has claimed. */
function play(events: readonly (JobEvent | typeof senderDied)[], now = 1000): JobState {
  return events.reduce<JobState>((job, event) => {
    if (event === senderDied) return claimedJob(job);
    return reduce(job, event, at(now))?.job ?? job;
  }, claimedJob(fresh));
}

describe('an attempt', () => {
  test('is taken, accepted, polled and completed with one settlement', () => {
    const waiting = play([{ kind: 'taken' }, { ...accepted, attempt: 1 }]);
    expect(waiting).toMatchObject({
      status: 'running',
      attempt_status: 'waiting',
      provider_job_id: 'p1',
      run_at: 2000,
    });
    expect(nextStep(waiting, true, 2000)).toBe('poll');
    const later = reduce(waiting, { kind: 'running', attempt: 1 }, at(2000))?.job ?? waiting;
    expect(later.run_at).toBe(3000);
    const done = reduce(later, { kind: 'done', attempt: 1 }, at(5000));
    expect(done?.effect).toBe('settle');
    expect(done?.job).toMatchObject({
      status: 'completed',
      attempt_status: 'completed',
      finished_at: 5000,
      run_at: 5000 + retentionMs,
    });
    expect(reduce(done?.job ?? later, { kind: 'done', attempt: 1 }, at(6000))).toBeUndefined();
  });

  test('cannot be taken twice, before it is claimed, or after the deadline', () => {
    expect(reduce(fresh, { kind: 'taken' }, at(0))).toBeUndefined();
    const taken = play([{ kind: 'taken' }]);
    expect(reduce(taken, { kind: 'taken' }, at(0))).toBeUndefined();
    const claimed = play([]);
    expect(reduce(claimed, { kind: 'taken' }, at(100_000))).toBeUndefined();
    expect(nextStep(claimed, true, 100_000)).toBe('expire');
  });

  test('goes back to queued under a new number when it was surely refused', () => {
    const refused = { kind: 'refused', reason: 'busy', retry_after_ms: 7000 } as const;
    const again = play([{ kind: 'taken' }, { ...refused, attempt: 1 }]);
    expect(again).toMatchObject({ attempt: 2, attempt_status: 'queued', run_at: 8000, tries: 1 });
    const late: JobEvent = { ...accepted, attempt: 1 };
    expect(reduce(again, late, at(9000))).toBeUndefined();
  });

  test('whose sender died is unknown, and is looked for but never taken again', () => {
    const lost = play([{ kind: 'taken' }, senderDied]);
    expect(lost).toMatchObject({ attempt: 1, attempt_status: 'unknown' });
    expect(reduce(lost, { kind: 'taken' }, at(0))).toBeUndefined();
    expect(nextStep(lost, true, 0)).toBe('lookup');
    const found = reduce(lost, { kind: 'found', attempt: 1, provider_job_id: 'p9' }, at(3000));
    expect(found?.job).toMatchObject({ attempt_status: 'waiting', provider_job_id: 'p9' });
  });

  test('that was never found fails at the deadline as unknown, and gives the hold back', () => {
    const lost = play([{ kind: 'taken' }, senderDied]);
    const before = reduce(lost, { kind: 'nothing', attempt: 1 }, at(99_999));
    expect(before?.job.run_at).toBe(100_000);
    const over = reduce(lost, { kind: 'nothing', attempt: 1 }, at(100_000));
    expect(over?.effect).toBe('release');
    expect(over?.job.failure?.type).toBe('submission_unknown');
  });

  test('may still be answered by a sender that lost its lease', () => {
    const lost = play([{ kind: 'taken' }, senderDied]);
    const late = reduce(lost, { ...accepted, attempt: 1 }, at(3000));
    expect(late?.job.attempt_status).toBe('waiting');
    const refused = { kind: 'refused', reason: 'busy' } as const;
    const no = reduce(lost, { ...refused, attempt: 1 }, at(3000));
    expect(no?.job.attempt_status).toBe('failed');
  });

  test('that the provider fails gives the hold back', () => {
    const failed = reduce(
      play([{ kind: 'taken' }]),
      { kind: 'failed', attempt: 1, failure },
      at(2000),
    );
    expect(failed).toMatchObject({ effect: 'release', job: { status: 'failed', failure } });
  });
});

describe('the deadline', () => {
  const waiting = { ...accepted, attempt: 1 } as const;
  const unknown = { kind: 'unknown', attempt: 1, reason: '' } as const;
  const refused = { kind: 'refused', attempt: 1, reason: '' } as const;
  const taken = { kind: 'taken' } as const;
  const histories: Readonly<Record<string, Parameters<typeof play>[0]>> = {
    'never taken': [],
    'refused again and again': [taken, refused],
    'submitting with a dead lease': [taken],
    'unknown after a lost answer': [taken, unknown],
    'unknown after a dead sender': [taken, senderDied],
    waiting: [taken, waiting],
  };

  test.each(Object.keys(histories))('ends a job that is %s, and gives its hold back', (name) => {
    const job = play(histories[name] ?? []);
    expect(reduce(job, { kind: 'deadline' }, at(99_999))).toBeUndefined();
    const over = reduce(job, { kind: 'deadline' }, at(100_000));
    expect(over).toMatchObject({
      effect: 'release',
      job: { status: 'failed', attempt_status: 'failed', finished_at: 100_000 },
    });
    expect(over?.job.failure?.message).toContain('stt_b ');
    expect(reduce(over?.job ?? job, { kind: 'deadline' }, at(200_000))).toBeUndefined();
  });
});

test('a transcript of a refused attempt completes the job, one of a later attempt does not', () => {
  const refused = { kind: 'refused', reason: 'busy' } as const;
  const again = play([{ kind: 'taken' }, { ...refused, attempt: 1 }]);
  expect(again).toMatchObject({ attempt: 2, attempt_status: 'queued' });
  for (const attempt of [2, 3]) {
    expect(reduce(again, { kind: 'done', attempt }, at(2000))).toBeUndefined();
  }
  const taken = reduce(again, { kind: 'taken' }, at(1500))?.job ?? again;
  for (const job of [again, taken]) {
    const done = reduce(job, { kind: 'done', attempt: 1, provider_job_id: 'p1' }, at(2000));
    expect(done).toMatchObject({
      effect: 'settle',
      job: { status: 'completed', attempt: 1, attempt_status: 'completed', provider_job_id: 'p1' },
    });
  }
  expect(reduce(fresh, { kind: 'done', attempt: 1 }, at(2000))).toBeUndefined();
});

test('a deadline says what was being waited for', () => {
  const named = { ...fresh, provider_job_id: 'p1' };
  const typeOf = (job: JobState, transcribed?: true) =>
    deadlineFailure(job, 'stt_b', transcribed ? { transcribed } : {}).type;
  expect(typeOf(fresh)).toBe('deadline_exceeded');
  expect(typeOf({ ...named, attempt_status: 'waiting' })).toBe('deadline_exceeded');
  expect(typeOf({ ...named, attempt_status: 'waiting' }, true)).toBe('result_lost');
  expect(typeOf({ ...fresh, attempt_status: 'waiting' })).toBe('result_lost');
  expect(typeOf({ ...fresh, attempt_status: 'unknown' })).toBe('submission_unknown');
});

test('a deadline claims nothing that no provider has said', () => {
  const unanswered = 'the credential of this job was removed';
  const waiting = { ...fresh, provider_job_id: 'p1', attempt_status: 'waiting' } as const;
  const said = (job: JobState, answered = {}) => deadlineFailure(job, 'stt_b', answered).message;
  expect(said(waiting)).toStartWith('stt_b accepted the recording, but did not finish it');
  expect(said(waiting, { unanswered })).toStartWith(
    `stt_b accepted the recording, but the gateway could not ask for its transcript before the deadline: ${unanswered}.`,
  );
  expect(said(fresh)).toStartWith('The recording was not sent to stt_b before the deadline');
  expect(said({ ...fresh, attempt: 3 })).toStartWith(
    'stt_b accepted no new work before the deadline',
  );
  expect(said(fresh, { unanswered: 'it is off' })).toContain('before the deadline: it is off.');
  const unknown = { ...fresh, attempt_status: 'unknown' } as const;
  expect(said(unknown)).toContain('no trace of it was found there');
  expect(said(unknown, { unanswered })).toContain(
    `it could not be looked up there by the deadline: ${unanswered}`,
  );
  // Also when the last question is what ends the job.
  const asked = { ...waiting, status: 'running', submitted_at: 1000, deadline_at: 5000 } as const;
  const ended = (event: JobEvent) => reduce(asked, event, at(6000))?.job.failure?.message;
  expect(ended({ kind: 'running', attempt: 1 })).toContain('did not finish it');
  expect(ended({ kind: 'trouble', attempt: 1, reason: unanswered })).toContain(unanswered);
  expect(ended({ kind: 'deadline', unanswered })).toContain(unanswered);
});

describe('a provider that can call back only for so long', () => {
  const bounded = (now: number) => ({
    ...at(now),
    schedule: { ...at(now).schedule, callback_bound_s: 4 },
  });
  const waiting = play([{ kind: 'taken' }, { ...accepted, attempt: 1 }]);

  test('is asked once more when that time is over, and then its result is lost', () => {
    const before = reduce(waiting, { kind: 'nothing', attempt: 1 }, bounded(4500));
    expect(before?.job.run_at).toBe(5000);
    for (const event of [
      { kind: 'nothing', attempt: 1 },
      { kind: 'found', attempt: 1, provider_job_id: 'p1' },
    ] as const) {
      const over = reduce(waiting, event, bounded(5000));
      expect(over).toMatchObject({ effect: 'release', job: { failure: { type: 'result_lost' } } });
    }
  });

  test('may have taken a submission whose fate is unknown, which waits for its deadline', () => {
    const lost = play([{ kind: 'taken' }, senderDied]);
    const later = reduce(lost, { kind: 'nothing', attempt: 1 }, bounded(90_000));
    expect(later?.job).toMatchObject({ attempt_status: 'unknown', finished_at: null });
  });

  test('is asked after the usual time if it accepted the submission later than that', () => {
    const late = reduce(play([{ kind: 'taken' }]), { ...accepted, attempt: 1 }, bounded(9000));
    expect(late?.job).toMatchObject({ attempt_status: 'waiting', run_at: 10_000 });
  });
});
