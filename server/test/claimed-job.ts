// A job after a claim, for tests of the state machine. A store test compares it with the result of
// the SQL statement.
import type { JobState } from '../src/transcription/core/job.ts';

export function claimedJob(job: JobState): JobState {
  if (job.finished_at !== null) return job;
  const lost =
    job.attempt_status === 'submitting' ? ({ attempt_status: 'unknown', tries: 0 } as const) : {};
  return { ...job, status: 'running', ...lost };
}
