// Transcription jobs as the operator lists them.
import { z } from 'zod';
import { AccountId, KeyId, PageQuery } from './admin.ts';
import { Timestamp } from './common.ts';
import { JobId, TranscriberId } from './ids.ts';
import { attemptStatuses, jobStatuses, JobError } from './transcription.ts';

export const JobQuery = z.strictObject({
  id: JobId.optional(),
  account_id: AccountId.optional(),
  status: z.enum(jobStatuses).optional(),
  provider: TranscriberId.optional(),
  ...PageQuery.shape,
});
export type JobQuery = z.infer<typeof JobQuery>;

export const JobStep = z.object({
  at: Timestamp,
  attempt: z.number().int().min(1),
  attempt_status: z.enum(attemptStatuses),
});
export type JobStep = z.infer<typeof JobStep>;

export const JobLine = z.object({
  id: JobId,
  account_id: AccountId,
  key_id: KeyId,
  provider: TranscriberId,
  model: z.string(),
  status: z.enum(jobStatuses),
  attempt: z
    .number()
    .int()
    .min(1)
    .describe('How many times the job was submitted, including this one.'),
  attempt_status: z.enum(attemptStatuses),
  provider_job_id: z.string().nullable(),
  audio_host: z.string().describe('The host of the recording, without the rest of its URL.'),
  cost_usd: z.number().min(0),
  error: JobError.nullable(),
  created_at: Timestamp,
  submitted_at: Timestamp.nullable(),
  updated_at: Timestamp,
  finished_at: Timestamp.nullable(),
  deadline_at: Timestamp,
  steps: z.array(JobStep).describe('Every state its attempts went through, oldest first.'),
});
export type JobLine = z.infer<typeof JobLine>;

export const JobList = z.object({
  jobs: z.array(JobLine),
  next_cursor: z.string().nullable().describe('Null on the last page.'),
});
export type JobList = z.infer<typeof JobList>;
