// The transcription job as a client reads it.
import type { Requirement } from '../requirement.ts';

export const job = [
  {
    id: 'job.id',
    says: 'A job has the id that was returned when it was accepted.',
  },
  { id: 'job.tool', says: 'The tool of a job is always transcription.' },
  {
    id: 'job.status-values',
    says: 'The status is queued, running, completed or failed.',
  },
  {
    id: 'job.provider-resolved',
    says: 'The provider of a job is a real service, also when auto was asked.',
  },
  { id: 'job.model', says: 'A job names the model it runs on, or null.' },
  {
    id: 'job.attempt-status-values',
    says: 'attempt_status is one of its six values.',
  },
  {
    id: 'job.created-at',
    says: 'created_at is when the job was accepted, and never changes.',
  },
  {
    id: 'job.updated-at',
    says: 'updated_at moves forward with every change of the job.',
  },
  {
    id: 'job.finished-at-null-before',
    says: 'finished_at is null while the job is in progress.',
  },
  {
    id: 'job.finished-at-set',
    says: 'finished_at is set once the job has completed or failed.',
  },
  {
    id: 'job.result-only-when-completed',
    says: 'A job has a result only when it has completed.',
  },
  {
    id: 'job.error-only-when-failed',
    says: 'A job has an error only when it has failed.',
  },
  {
    id: 'job.every-field-present',
    says: 'A read always shows all eleven fields, null where there is no value.',
  },
  {
    id: 'job.error-type-and-message',
    says: 'The error of a failed job has a type and a message.',
  },
  {
    id: 'job.error-further-keys',
    says: 'The error of a failed job may carry further keys, null values included.',
  },
] as const satisfies readonly Requirement[];
