// Transcription: the request for a job, its receipt, and the job itself.
import { z } from 'zod';
import { LanguageTag, Timestamp, Usage, Warning } from './common.ts';
import { addFault } from './faults.ts';
import { JobId, TranscriberId, providerChoice } from './ids.ts';
import { transcriberIds } from './provider-names.ts';
import { nativeOptionsFor } from './native-options.ts';
import { isPrivateHost } from './private-host.ts';
import { NonBlankText } from './text.ts';
import { checkUrl, maxUrlLength, normalizeUrl } from './web-url.ts';

/** Far more than any provider accepts; a warning lists those that a provider does not accept. */
const maxKeyterms = 10_000;

export const jobStatuses = ['queued', 'running', 'completed', 'failed'] as const;
export const attemptStatuses = [
  'queued',
  'submitting',
  'waiting',
  'unknown',
  'completed',
  'failed',
] as const;
const jobErrorTypes = [
  'provider_error',
  'audio_unreachable',
  'deadline_exceeded',
  'submission_unknown',
  'result_lost',
] as const;

/** How many characters of a transcript the tools for agents show. */
export const maxToolTextChars = 100_000;

export const JobStatus = z.enum(jobStatuses).describe('The progress of the job.');
export type JobStatus = z.infer<typeof JobStatus>;

export const AttemptStatus = z
  .enum(attemptStatuses)
  .describe('The progress of the latest submission to the provider.');
export type AttemptStatus = z.infer<typeof AttemptStatus>;

export const TranscriptionRequest = transcriptionRequestAllowing([]);
export type TranscriptionRequest = z.infer<typeof TranscriptionRequest>;
export type TranscriptionRequestInput = z.input<typeof TranscriptionRequest>;

export const Word = z
  .object({
    text: z.string().describe('The word as the provider wrote it.'),
    start: z.number().min(0).describe('Seconds from the start of the recording.'),
    end: z.number().min(0).describe('Seconds from the start of the recording.'),
    speaker_id: z
      .string()
      .regex(/^speaker_(0|[1-9]\d*)$/, { error: 'Must be speaker_ and a number.' })
      .optional()
      .describe('Who said it, if diarize was set; numbered in the order of appearance.'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('As the provider reports it; not comparable between providers.'),
  })
  .describe('One word and when it was said.');
export type Word = z.infer<typeof Word>;

export const TranscriptionUsage = Usage.extend({
  credits: z.int().min(0).describe('The same cost in credits, rounded up.'),
}).describe('What the job cost.');
export type TranscriptionUsage = z.infer<typeof TranscriptionUsage>;

export const Transcript = z
  .object({
    text: z.string().describe('The whole transcript as the provider wrote it; empty for silence.'),
    language: LanguageTag.optional().describe('Detected or requested.'),
    duration_seconds: z
      .number()
      .min(0)
      .optional()
      .describe('The length of the recording, when the provider reports a usable one.'),
    words: z.array(Word).optional().describe('Absent when timestamps was none.'),
    provider: TranscriberId.describe('The provider that transcribed it.'),
    model: z.string().nullable().describe('The model of the provider.'),
    usage: TranscriptionUsage.optional(),
  })
  .describe('What was said.');
export type Transcript = z.infer<typeof Transcript>;

export const JobError = z
  .looseObject({
    type: z.enum(jobErrorTypes).describe('The kind of failure.'),
    message: z.string().describe('What went wrong, in one sentence.'),
  })
  .describe('Why a job failed.');
export type JobError = z.infer<typeof JobError>;

export const TranscriptionAccepted = z
  .object({
    id: JobId.describe('The id of the job.'),
    tool: z.literal('transcription').describe('Always transcription.'),
    status: JobStatus,
    provider: TranscriberId.describe('The provider that transcribes it.'),
    model: z.string().describe('The model of the provider.'),
    warnings: z.array(Warning).describe('How the request was adjusted; empty if it was not.'),
    created_at: Timestamp.describe('When the job was accepted.'),
  })
  .describe('The receipt of a job.');
export type TranscriptionAccepted = z.infer<typeof TranscriptionAccepted>;

export const Job = z
  .object({
    id: JobId.describe('The id of the job.'),
    tool: z.literal('transcription').describe('Always transcription.'),
    status: JobStatus,
    provider: TranscriberId.describe('The provider that transcribes it.'),
    model: z.string().nullable().describe('The model of the provider.'),
    attempt_status: AttemptStatus,
    created_at: Timestamp.describe('When the job was accepted.'),
    updated_at: Timestamp.describe('When its state last changed.'),
    finished_at: Timestamp.nullable().describe('Set once the job is completed or has failed.'),
    result: Transcript.nullable().describe('Set once the job is completed.'),
    error: JobError.nullable().describe('Set once the job has failed.'),
  })
  .describe('A transcription job in its current state.');
export type Job = z.infer<typeof Job>;

/**
 * The request schema that also accepts audio from the given private hosts (`name` or `name:port`),
 * and from any address that `isUpload` recognises as that of an upload. A deployment on the sandbox
 * passes the sandbox's host; others pass none.
 */
export function transcriptionRequestAllowing(
  privateHosts: readonly string[],
  isUpload: (url: string) => boolean = () => false,
) {
  return z
    .strictObject({
      audio_url: audioUrl(privateHosts, isUpload),
      provider: providerChoice([...transcriberIds, 'auto'])
        .default('auto')
        .describe('A provider, or auto for the first one configured.'),
      language: LanguageTag.optional().describe('If omitted, the provider detects it.'),
      diarize: z.boolean().default(false).describe('Label the speakers.'),
      keyterms: z
        .array(NonBlankText)
        .min(1)
        .max(maxKeyterms)
        .optional()
        .describe('Words that the recording is likely to contain, such as names.'),
      timestamps: z
        .enum(['word', 'none'])
        .default('word')
        .describe('Whether to return when each word was said.'),
      strict: z.boolean().default(false).describe('Refuse the request instead of adjusting it.'),
      provider_options: z
        .strictObject(nativeOptionsFor(transcriberIds))
        .optional()
        .describe('Native options of each provider.'),
    })
    .describe('A recording to transcribe.');
}

function audioUrl(privateHosts: readonly string[], isUpload: (url: string) => boolean) {
  return z
    .string()
    .max(maxUrlLength)
    .superRefine((value, context) => {
      if (isUpload(value)) return;
      const url = checkUrl(value, { schemes: ['https'], fragment: false }, context);
      if (url === undefined || !isPrivateHost(url.hostname)) return;
      if (privateHosts.includes(url.host) || privateHosts.includes(url.hostname)) return;
      addFault(context, [], 'private_host', 'Must be on a public host; this one is private.');
    })
    .transform(normalizeUrl)
    .meta({
      format: 'uri',
      description:
        'An https URL that stays readable until the provider has fetched it, or the audio_url of ' +
        'an upload.',
    });
}

export const RawDocument = z
  .record(z.string(), z.unknown())
  .describe('A document of a provider, as the gateway received it.');
export type RawDocument = z.infer<typeof RawDocument>;
