// The moves a transcription job makes, and what its attempt may say meanwhile.
import type { Requirement } from '../requirement.ts';

export const jobStates = [
  {
    id: 'job-states.starts-queued',
    says: 'A job that was accepted starts as queued.',
    pending: 'transcription',
  },
  {
    id: 'job-states.attempt-recorded-first',
    says: 'The attempt is on record before the provider hears of it.',
    pending: 'transcription',
  },
  {
    id: 'job-states.choice-persisted',
    says: 'The provider that was chosen stays with the job, whatever changes later.',
    pending: 'transcription',
  },
  {
    id: 'job-states.queued-to-running',
    says: 'A queued job becomes running when work on it starts.',
    pending: 'transcription',
  },
  {
    id: 'job-states.running-to-completed',
    says: 'A running job completes with a result, a finishing time and no error.',
    pending: 'transcription',
  },
  {
    id: 'job-states.running-to-failed',
    says: 'A running job that the provider fails ends with an error and no result.',
    pending: 'transcription',
  },
  {
    id: 'job-states.running-to-failed-at-deadline',
    says: 'A running job that reaches its deadline fails with a reason.',
    pending: 'transcription',
  },
  {
    id: 'job-states.no-other-move',
    says: 'No other move of the status ever happens.',
    pending: 'transcription',
  },
  {
    id: 'job-states.attempt-queued',
    says: 'The attempt is queued until it has been started.',
    pending: 'transcription',
  },
  {
    id: 'job-states.attempt-submitting',
    says: 'The attempt is submitting while it is handed to the provider.',
    pending: 'transcription',
  },
  {
    id: 'job-states.attempt-waiting',
    says: 'The attempt is waiting once the provider has taken the audio.',
    pending: 'transcription',
  },
  {
    id: 'job-states.attempt-unknown',
    says: 'The attempt is unknown when it is not certain what became of a submission.',
    pending: 'transcription',
  },
  {
    id: 'job-states.attempt-completed',
    says: 'The attempt is completed when the transcript is there.',
    pending: 'transcription',
  },
  {
    id: 'job-states.attempt-failed',
    says: 'The attempt is failed when it has come to nothing.',
    pending: 'transcription',
  },
] as const satisfies readonly Requirement[];
