// Transcription jobs as an account or the operator lists them.
import { z } from 'zod';
import { AccountId, KeyId, ListEnd, PageQuery, Span } from './admin.ts';
import { storable, Timestamp } from './common.ts';
import { JobId, TranscriberId } from './ids.ts';
import { attemptStatuses, jobStatuses, JobError } from './transcription.ts';

export const JobQuery = z.strictObject({
  id: JobId.optional().describe('Only this job.'),
  text: storable(z.string().min(1).max(500))
    .optional()
    .describe(
      'Only jobs whose recording has this text in its address, without the query, or in the name ' +
        'of its file, in upper or lower case.',
    ),
  account_id: AccountId.optional(),
  key_id: KeyId.optional(),
  status: z.enum(jobStatuses).optional().describe('Only jobs in this state.'),
  provider: TranscriberId.optional().describe('Only jobs of this provider.'),
  ...Span,
  ...PageQuery.shape,
});
export type JobQuery = z.infer<typeof JobQuery>;

export const JobStep = z
  .object({
    at: Timestamp.describe('When it happened.'),
    attempt: z.number().int().min(1).describe('Which submission, counted from 1.'),
    attempt_status: z.enum(attemptStatuses).describe('The state it reached.'),
  })
  .describe('One state of a submission.');
export type JobStep = z.infer<typeof JobStep>;

export const EarlyEnd = z
  .object({
    heard_seconds: z.number().min(0).describe('Where the last word or sound ends.'),
    duration_seconds: z.number().min(0).describe('How long the recording is.'),
  })
  .describe('Where the transcript ends, if it is much shorter than its recording.');
export type EarlyEnd = z.infer<typeof EarlyEnd>;

export const JobLine = z
  .object({
    id: JobId.describe('The id of the job.'),
    account_id: AccountId,
    key_id: KeyId,
    provider: TranscriberId.describe('The provider that transcribes it.'),
    model: z.string().describe('The model of the provider.'),
    status: z.enum(jobStatuses).describe('The progress of the job.'),
    attempt: z
      .number()
      .int()
      .min(1)
      .describe('How many times the job was submitted, including this one.'),
    attempt_status: z.enum(attemptStatuses).describe('The progress of the latest submission.'),
    provider_job_id: z.string().nullable().describe('The id that the provider gave it.'),
    audio_host: z
      .string()
      .nullable()
      .describe(
        'The host of the recording, without the rest of its URL; null if the stored request ' +
          'cannot be read.',
      ),
    file_name: z
      .string()
      .nullable()
      .describe("The name of the recording's file; null if it is not known."),
    duration_seconds: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'The length of the recording: as the provider measured it, before that as an uploaded file ' +
          'states it; null if it is not known.',
      ),
    cost_usd: z.number().min(0).describe('The amount charged, in US dollars.'),
    error: JobError.nullable().describe('Set once the job has failed.'),
    created_at: Timestamp.describe('When the job was accepted.'),
    submitted_at: Timestamp.nullable().describe('When it was submitted to the provider.'),
    updated_at: Timestamp.describe('When its state last changed.'),
    finished_at: Timestamp.nullable().describe('Set once the job is completed or has failed.'),
    deadline_at: Timestamp.describe('When the job fails if it has not finished.'),
    steps: z.array(JobStep).describe('Every state its attempts went through, oldest first.'),
    simulated: z
      .boolean()
      .describe('Whether a simulated provider answered, so that results were invented.'),
    has_raw: z.boolean().describe("Whether the provider's document is available."),
    unread_words: z
      .number()
      .int()
      .min(0)
      .describe('How many words were left out because the provider reported them incompletely.'),
    ends_early: EarlyEnd.nullable().describe(
      'Set if the last word ends long before the recording does.',
    ),
  })
  .describe('A job in a list.');
export type JobLine = z.infer<typeof JobLine>;

export const JobRecordingQuery = z.strictObject({
  account_id: AccountId.optional().describe(
    'Only a job of this account; required for its members.',
  ),
});

export const JobRecording = z
  .object({
    audio_url: z
      .string()
      .nullable()
      .describe(
        'The address of the recording; null once an upload is deleted, or if the address is withheld.',
      ),
    withheld: z
      .boolean()
      .describe('Whether the address is signed, and the caller may only view the account.'),
  })
  .describe('Where the recording of a job can be heard.');
export type JobRecording = z.infer<typeof JobRecording>;

export const JobList = z
  .object({
    jobs: z.array(JobLine).describe('Newest first.'),
    ...ListEnd.shape,
  })
  .describe('A page of jobs.');
export type JobList = z.infer<typeof JobList>;
