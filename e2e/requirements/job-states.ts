// The state changes of a transcription job and of its attempts.
import type { Requirement } from '../requirement.ts';

export const jobStates = [
  {
    id: 'job-states.starts-queued',
    says: 'A job that was accepted starts as queued.',
  },
  {
    id: 'job-states.attempt-recorded-first',
    says: 'The attempt is recorded before the provider is called.',
  },
  {
    id: 'job-states.choice-persisted',
    says: 'The chosen provider stays with the job, also when settings change later.',
  },
  {
    id: 'job-states.queued-to-running',
    says: 'A queued job becomes running when work on it starts.',
  },
  {
    id: 'job-states.running-to-completed',
    says: 'A running job completes with a result, a finishing time and no error.',
  },
  {
    id: 'job-states.running-to-failed',
    says: 'A running job that the provider fails ends with an error and no result.',
  },
  {
    id: 'job-states.running-to-failed-at-deadline',
    says: 'A running job that reaches its deadline fails with a reason.',
  },
  {
    id: 'job-states.no-other-move',
    says: 'No other move of the status ever happens.',
  },
  {
    id: 'job-states.attempt-queued',
    says: 'The attempt is queued until it has been started.',
  },
  {
    id: 'job-states.attempt-submitting',
    says: 'The attempt is submitting while it is sent to the provider.',
  },
  {
    id: 'job-states.attempt-waiting',
    says: 'The attempt is waiting once the provider has accepted the audio.',
  },
  {
    id: 'job-states.attempt-unknown',
    says: 'The attempt is unknown while the outcome of a submission is not certain.',
  },
  {
    id: 'job-states.attempt-completed',
    says: 'The attempt is completed when the transcript is there.',
  },
  {
    id: 'job-states.attempt-failed',
    says: 'The attempt is failed when it ended without a transcript.',
  },
] as const satisfies readonly Requirement[];
