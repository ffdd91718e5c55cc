// ElevenLabs' wire format: the form of a request, the transcript with its spacing, and the signed
// webhook event.
import { z } from 'zod';
import { ReceivedFile } from '../received-file.ts';
import type { SpokenWord } from '../speech/recordings.ts';
import { channelsOf, idOf, outcomeOf } from '../speech/work.ts';
import type { Work } from '../speech/work.ts';

const Flag = z.enum(['true', 'false']).optional();

export const ConvertBody = z.strictObject({
  model_id: z.string().min(1),
  source_url: z.url().optional(),
  file: ReceivedFile.optional(),
  language_code: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
  diarize: Flag,
  num_speakers: z.coerce.number().int().min(1).max(32).optional(),
  diarization_threshold: z.coerce.number().min(0.1).max(0.4).optional(),
  timestamps_granularity: z.enum(['none', 'word', 'character']).optional(),
  tag_audio_events: Flag,
  keyterms: z.union([z.string(), z.array(z.string()).max(1000)]).optional(),
  // The vendor's client writes an absent list as the word null.
  entity_detection: z.union([z.string(), z.array(z.string())]).optional(),
  entity_redaction: z.union([z.string(), z.array(z.string())]).optional(),
  temperature: z.coerce.number().min(0).max(2).optional(),
  seed: z.coerce.number().int().min(0).optional(),
  no_verbatim: Flag,
  use_speaker_library: Flag,
  entity_redaction_mode: z.enum(['redacted', 'entity_type', 'enumerated_entity_type']).optional(),
  use_multi_channel: Flag,
  multichannel_output_style: z.enum(['separate', 'combined']).optional(),
  additional_formats: z.string().optional(),
  detect_speaker_roles: Flag,
  transcript_edit: z.string().max(2000).optional(),
  webhook: Flag,
  webhook_id: z.string().optional(),
  webhook_metadata: z
    .string()
    .max(16 * 1024)
    .optional(),
});
export type ConvertBody = z.infer<typeof ConvertBody>;

export const ConvertQuery = z.strictObject({ enable_logging: Flag });

export const WebhookQuery = z.strictObject({
  include_usages: z.enum(['true', 'false']).optional(),
});
export const WebhookChange = z.strictObject({
  is_disabled: z.boolean(),
  name: z.string(),
  retry_enabled: z.boolean().optional(),
  events: z.array(z.string()).optional(),
});
export type WebhookChange = z.infer<typeof WebhookChange>;

export const NewWebhook = z.strictObject({
  settings: z.strictObject({
    auth_type: z.literal('hmac'),
    name: z.string(),
    webhook_url: z.url(),
    request_headers: z.record(z.string(), z.string()).optional(),
  }),
});
export type NewWebhook = z.infer<typeof NewWebhook>;

const maxTermCharacters = 50;
const maxTermWords = 5;

export function isTermTaken(term: string): boolean {
  const short = [...term].length <= maxTermCharacters;
  const words = term.trim().split(/\s+/).length;
  return short && words <= maxTermWords && !/[<>{}[\]\\]/.test(term);
}

/** The fields of the form that change the shape of the transcript. */
export type ScribeShape = Partial<
  Pick<ConvertBody, 'timestamps_granularity' | 'multichannel_output_style' | 'additional_formats'>
>;

export function describeScribe(work: Work, shape: ScribeShape = {}): object {
  const heard = outcomeOf(work);
  if (heard.kind !== 'audio') return {};
  const isTimed = shape.timestamps_granularity !== 'none';
  const described = {
    transcription_id: idOf(work),
    audio_duration_secs: heard.duration,
  };
  if (work.split === true && shape.multichannel_output_style !== 'combined') {
    const transcripts = channelsOf(heard).map(({ channel, text, words }) => ({
      ...spoken({ text, words }, work, isTimed),
      channel_index: channel,
    }));
    // The length of all channels together.
    const seconds = heard.duration * transcripts.length;
    return { transcripts, ...described, audio_duration_secs: seconds };
  }
  const formats = shape.additional_formats === undefined ? null : [formatOf(heard.text)];
  return {
    ...spoken(heard, work, isTimed),
    additional_formats: formats,
    entities: null,
    ...described,
  };
}

function formatOf(content: string): object {
  return { requested_format: 'txt', file_extension: 'txt', content };
}

type Heard = { text: string; words: readonly SpokenWord[] };

function spoken({ text, words }: Heard, work: Work, isTimed: boolean): object {
  const entries = words.flatMap((word, at) => {
    const speakerId = `speaker_${word.speaker + 1}`;
    const channel = work.split === true ? { channel_index: word.speaker } : {};
    const next = words[at + 1];
    const spacing = {
      text: ' ',
      start: word.end,
      end: next?.start ?? word.end,
      type: 'spacing',
      speaker_id: speakerId,
      logprob: 0,
    };
    const { start, end } = word;
    const said = { text: word.text, start, end, type: 'word', speaker_id: speakerId };
    const entry = { ...said, logprob: -0.0045, ...channel };
    return next === undefined ? [entry] : [entry, spacing];
  });
  return {
    language_code: work.language ?? 'eng',
    language_probability: 0.9926,
    text,
    words: isTimed ? entries : [],
  };
}

/** Why a recording could not be transcribed. */
export const failures = {
  missing: 'Failed to download the file from the provided URL.',
  not_audio: 'The file is not valid audio.',
  failed: 'The recording could not be transcribed.',
};

export function describeEvent(work: Work, body: ConvertBody, requestId: string, now: Date): object {
  const { kind } = outcomeOf(work);
  const heard = kind === 'audio';
  const metadata: unknown = body.webhook_metadata ? JSON.parse(body.webhook_metadata) : null;
  return {
    type: heard ? 'speech_to_text_transcription' : 'speech_to_text_transcription_failed',
    event_timestamp: Math.floor(now.getTime() / 1000),
    data: {
      request_id: requestId,
      webhook_metadata: metadata,
      ...(heard
        ? { transcription: describeScribe(work, body) }
        : { status: 'failed', error: failures[kind] }),
    },
  };
}

export function sign(text: string, secret: string, now: Date): string {
  const time = Math.floor(now.getTime() / 1000);
  const hmac = new Bun.CryptoHasher('sha256', secret).update(`${time}.${text}`).digest('hex');
  return `t=${time},v0=${hmac}`;
}
