// The transcription job as a client reads it.
export const job = {
  'job.id': 'A job has the id that was returned when it was accepted.',
  'job.tool': 'The tool of a job is always transcription.',
  'job.status-values': 'The status is queued, running, completed or failed.',
  'job.provider-resolved': 'The provider of a job is a real service, also when auto was asked.',
  'job.model': 'A job names the model it runs on, or null.',
  'job.attempt-status-values': 'attempt_status is one of its six values.',
  'job.created-at': 'created_at is when the job was accepted, and never changes.',
  'job.updated-at': 'updated_at moves forward with every change of the job.',
  'job.finished-at-null-before': 'finished_at is null while the job is in progress.',
  'job.finished-at-set': 'finished_at is set once the job has completed or failed.',
  'job.result-only-when-completed': 'A job has a result only when it has completed.',
  'job.error-only-when-failed': 'A job has an error only when it has failed.',
  'job.every-field-present': 'A read always shows all eleven fields, null where there is no value.',
  'job.error-type-and-message': 'The error of a failed job has a type and a message.',
  'job.error-further-keys':
    'The error of a failed job may carry further keys, null values included.',
} as const;
