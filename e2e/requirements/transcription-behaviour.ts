// What happens to a transcription between its acceptance and its last read.
export const transcriptionBehaviour = {
  'transcribe.accepted-202':
    'A valid request is answered with 202 at once, before the transcript exists.',
  'transcribe.accepted-body':
    'The 202 has id, tool, status, provider, model, warnings and created_at.',
  'jobs.warning-codes':
    'Transcription warns in the same shape and with the same three codes as search.',
  'transcribe.accepted-warnings-empty':
    'The warnings of the 202 are empty when the request was accepted exactly.',
  'transcribe.rate-limits-retried':
    'A rate limit of the provider delays the job and does not fail it.',
  'transcribe.uncertain-never-resent':
    'A submission of uncertain outcome is looked up and never sent again.',
  'transcribe.duplicate-never-charged': 'No job is ever charged twice.',
  'jobs.read-200': 'A known job is read with 200 in every state.',
  'jobs.failed-job-is-200':
    'A failed job is read with 200; the reason is in the job, not in an HTTP error.',
  'jobs.attempt-status-diagnoses': 'attempt_status shows where a job hangs.',
  'jobs.polling-suffices': 'A client can get every result by polling alone.',
} as const;
