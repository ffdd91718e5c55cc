// Jobs and what happens to them, for tests of the state machine.
import type { JobState } from '../src/transcription/core/job.ts';

const schedule = { poll_after_s: [1, 3], lookup_after_s: [2, 5] };
export const at = (now: number) => ({ now, random: 0, schedule, provider: 'stt_b' });
export const fresh: JobState = {
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
export const failure = {
  type: 'provider_error',
  message: 'no',
  provider_status: 400,
  provider_code: null,
  retryable: false,
} as const;
export const accepted = { kind: 'accepted', provider_job_id: 'p1' } as const;

/** A job after a claim. A store test compares it with the result of the SQL statement. */
export function claimedJob(job: JobState): JobState {
  if (job.finished_at !== null) return job;
  const lost =
    job.attempt_status === 'submitting' ? ({ attempt_status: 'unknown', tries: 0 } as const) : {};
  return { ...job, status: 'running', ...lost };
}
