// What happens to a transcription between its acceptance and its last read.
import type { Requirement } from '../requirement.ts';

export const transcriptionBehaviour = [
  {
    id: 'transcribe.accepted-202',
    says: 'A valid request is answered with 202 at once, before the transcript exists.',
    pending: 'transcription',
  },
  {
    id: 'transcribe.accepted-body',
    says: 'The 202 has id, tool, status, provider, model, warnings and created_at.',
    pending: 'transcription',
  },
  {
    id: 'jobs.warning-codes',
    says: 'Transcription warns in the same shape and with the same three codes as search.',
    pending: 'transcription',
  },
  {
    id: 'transcribe.accepted-warnings-empty',
    says: 'The warnings of the 202 are empty when the request was accepted exactly.',
    pending: 'transcription',
  },
  {
    id: 'transcribe.rate-limits-retried',
    says: 'A rate limit of the provider delays the job and does not fail it.',
    pending: 'transcription',
  },
  {
    id: 'transcribe.uncertain-never-resent',
    says: 'A submission of uncertain outcome is looked up and never sent again.',
    pending: 'transcription',
  },
  {
    id: 'transcribe.duplicate-never-charged',
    says: 'No job is ever charged twice.',
    pending: 'transcription',
  },
  {
    id: 'jobs.read-200',
    says: 'A known job is read with 200 in every state.',
    pending: 'transcription',
  },
  {
    id: 'jobs.failed-job-is-200',
    says: 'A failed job is read with 200; the reason is in the job, not in an HTTP error.',
    pending: 'transcription',
  },
  {
    id: 'jobs.attempt-status-diagnoses',
    says: 'A job that hangs shows through attempt_status where it hangs.',
    pending: 'transcription',
  },
  {
    id: 'jobs.polling-suffices',
    says: 'Polling alone brings every result to the client.',
    pending: 'transcription',
  },
] as const satisfies readonly Requirement[];
