// The state changes of a transcription job and of its attempts.
export const jobStates = {
  'job-states.starts-queued': 'A job that was accepted starts as queued.',
  'job-states.attempt-recorded-first': 'The attempt is recorded before the provider is called.',
  'job-states.choice-persisted':
    'The chosen provider stays with the job, also when settings change later.',
  'job-states.queued-to-running': 'A queued job becomes running when work on it starts.',
  'job-states.running-to-completed':
    'A running job completes with a result, a finishing time and no error.',
  'job-states.running-to-failed':
    'A running job that the provider fails ends with an error and no result.',
  'job-states.running-to-failed-at-deadline':
    'A running job that reaches its deadline fails with a reason.',
  'job-states.no-other-move': 'No other move of the status ever happens.',
  'job-states.attempt-queued': 'The attempt is queued until it has been started.',
  'job-states.attempt-submitting': 'The attempt is submitting while it is sent to the provider.',
  'job-states.attempt-waiting': 'The attempt is waiting once the provider has accepted the audio.',
  'job-states.attempt-unknown':
    'The attempt is unknown while the outcome of a submission is not certain.',
  'job-states.attempt-completed': 'The attempt is completed when the transcript is there.',
  'job-states.attempt-failed': 'The attempt is failed when it ended without a transcript.',
} as const;
