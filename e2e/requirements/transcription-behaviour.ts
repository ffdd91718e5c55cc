// What happens to a transcription between its acceptance and its last read.
import type { Requirement } from '../requirement.ts';

export const transcriptionBehaviour = [
  {
    id: 'transcribe.accepted-202',
    says: 'A valid request is answered with 202 at once, before the transcript exists.',
  },
  {
    id: 'transcribe.accepted-body',
    says: 'The 202 has id, tool, status, provider, model, warnings and created_at.',
  },
  {
    id: 'jobs.warning-codes',
    says: 'Transcription warns in the same shape and with the same three codes as search.',
  },
  {
    id: 'transcribe.accepted-warnings-empty',
    says: 'The warnings of the 202 are empty when the request was accepted exactly.',
  },
  {
    id: 'transcribe.rate-limits-retried',
    says: 'A rate limit of the provider delays the job and does not fail it.',
  },
  {
    id: 'transcribe.uncertain-never-resent',
    says: 'A submission of uncertain outcome is looked up and never sent again.',
  },
  {
    id: 'transcribe.duplicate-never-charged',
    says: 'No job is ever charged twice.',
  },
  {
    id: 'jobs.read-200',
    says: 'A known job is read with 200 in every state.',
  },
  {
    id: 'jobs.failed-job-is-200',
    says: 'A failed job is read with 200; the reason is in the job, not in an HTTP error.',
  },
  {
    id: 'jobs.attempt-status-diagnoses',
    says: 'attempt_status shows where a job hangs.',
  },
  {
    id: 'jobs.polling-suffices',
    says: 'A client can get every result by polling alone.',
  },
] as const satisfies readonly Requirement[];
