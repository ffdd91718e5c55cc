// The transcription job as a client reads it.
import type { Requirement } from '../requirement.ts';

export const job = [
  {
    id: 'job.id',
    says: 'A job carries the id that was handed out when it was accepted.',
    pending: 'transcription',
  },
  { id: 'job.tool', says: 'The tool of a job is always transcription.', pending: 'transcription' },
  {
    id: 'job.status-values',
    says: 'The status is queued, running, completed or failed.',
    pending: 'transcription',
  },
  {
    id: 'job.provider-resolved',
    says: 'The provider of a job is a real service, also when auto was asked.',
    pending: 'transcription',
  },
  { id: 'job.model', says: 'A job names the model it runs on, or null.', pending: 'transcription' },
  {
    id: 'job.attempt-status-values',
    says: 'attempt_status is one of its six values.',
    pending: 'transcription',
  },
  {
    id: 'job.created-at',
    says: 'created_at is when the job was accepted and never moves.',
    pending: 'transcription',
  },
  {
    id: 'job.updated-at',
    says: 'updated_at moves forward with every change of the job.',
    pending: 'transcription',
  },
  {
    id: 'job.finished-at-null-before',
    says: 'finished_at is null while the job is in progress.',
    pending: 'transcription',
  },
  {
    id: 'job.finished-at-set',
    says: 'finished_at is set once the job has completed or failed.',
    pending: 'transcription',
  },
  {
    id: 'job.result-only-when-completed',
    says: 'A result is there only when the job has completed.',
    pending: 'transcription',
  },
  {
    id: 'job.error-only-when-failed',
    says: 'An error is there only when the job has failed.',
    pending: 'transcription',
  },
  {
    id: 'job.every-field-present',
    says: 'A read always shows all eleven fields, null where there is nothing to say.',
    pending: 'transcription',
  },
  {
    id: 'job.error-type-and-message',
    says: 'The error of a failed job has a type and a message.',
    pending: 'transcription',
  },
  {
    id: 'job.error-further-keys',
    says: 'The error of a failed job may carry further keys, null values included.',
    pending: 'transcription',
  },
] as const satisfies readonly Requirement[];
