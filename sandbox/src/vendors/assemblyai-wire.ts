// AssemblyAI's wire format: the fields of a submission, and the transcript.
import { z } from 'zod';
import { outcomeOf } from '../speech/work.ts';
import type { Work } from '../speech/work.ts';

const models = ['universal-3-5-pro', 'universal-3-pro', 'universal-2'] as const;

const languages =
  'en en_au en_uk en_us es fr de de_ch it pt nl af sq am ar hy as az ba eu be bn bs br bg my ' +
  'ca zh hr cs da et fo fi gl ka el gu ht ha haw he hi hu is id ja jw kn kk km ko lo la lv ln ' +
  'lt lb mk mg ms ml mt mi mr mn ne no nn oc pa ps fa pl ro ru sa sr sn sd si sk sl so su sw ' +
  'sv tl tg ta tt te th bo tr tk uk ur uz vi cy yi yo';

export const TranscriptBody = z.strictObject({
  audio_url: z.url(),
  speech_models: z.array(z.enum(models)).min(1).optional(),
  language_code: z.enum(languages.split(' ')).nullish(),
  language_detection: z.boolean().optional(),
  language_detection_options: z
    .strictObject({
      on_no_speech_detected: z.enum(['error', 'fallback']).optional(),
      fallback_language: z.string().optional(),
      expected_languages: z.array(z.string()).optional(),
    })
    .nullish(),
  language_confidence_threshold: z.number().min(0).max(1).optional(),
  punctuate: z.boolean().optional(),
  format_text: z.boolean().optional(),
  disfluencies: z.boolean().optional(),
  filter_profanity: z.boolean().optional(),
  speaker_labels: z.boolean().nullish(),
  speakers_expected: z.int().min(1).nullish(),
  speaker_options: z
    .strictObject({
      min_speakers_expected: z.int().optional(),
      max_speakers_expected: z.int().optional(),
    })
    .nullish(),
  keyterms_prompt: z.array(z.string()).max(1000).optional(),
  keyterms_prompt_options: z
    .strictObject({ keyterms_match_strength: z.enum(['standard', 'high']).optional() })
    .nullish(),
  custom_spelling: z.array(z.strictObject({ from: z.array(z.string()), to: z.string() })).nullish(),
  audio_start_from: z.int().optional(),
  audio_end_at: z.int().optional(),
  speech_threshold: z.number().min(0).max(1).nullish(),
  temperature: z.number().nullish(),
  remove_audio_tags: z.string().nullish(),
  multichannel: z.boolean().nullish(),
  dual_channel: z.boolean().nullish(),
  language_codes: z.array(z.string()).nullish(),
  speech_model: z.enum(['best', 'slam-1', 'universal']).nullish(),
  word_boost: z.array(z.string()).nullish(),
  boost_param: z.enum(['low', 'default', 'high']).nullish(),
  prompt: z.string().nullish(),
  domain: z.string().nullish(),
  entity_detection: z.boolean().nullish(),
  sentiment_analysis: z.boolean().nullish(),
  auto_chapters: z.boolean().nullish(),
  auto_highlights: z.boolean().nullish(),
  content_safety: z.boolean().nullish(),
  content_safety_confidence: z.int().min(25).max(100).nullish(),
  iab_categories: z.boolean().nullish(),
  custom_topics: z.boolean().nullish(),
  topics: z.array(z.string()).nullish(),
  summarization: z.boolean().nullish(),
  summary_model: z.enum(['informative', 'conversational', 'catchy']).nullish(),
  summary_type: z.string().nullish(),
  redact_pii: z.boolean().nullish(),
  redact_pii_audio: z.boolean().nullish(),
  redact_pii_audio_quality: z.enum(['mp3', 'wav']).nullish(),
  redact_pii_audio_options: z.looseObject({}).nullish(),
  redact_pii_policies: z.array(z.string()).nullish(),
  redact_pii_return_unredacted: z.boolean().nullish(),
  redact_pii_sub: z.enum(['hash', 'entity_name']).nullish(),
  speech_understanding: z.looseObject({}).nullish(),
  webhook_url: z.url().nullish(),
  webhook_auth_header_name: z.string().nullish(),
  webhook_auth_header_value: z.string().nullish(),
});
export type TranscriptBody = z.infer<typeof TranscriptBody>;

export function describeTranscript(
  id: string,
  work: Work,
  status: string,
  asked: TranscriptBody | undefined,
): object {
  const common = {
    id,
    status,
    audio_url: asked?.audio_url ?? `https://recordings.example/${work.recording}`,
    speech_models: asked?.speech_models ?? [work.model],
    speech_model_used: null,
    language_detection: work.language === null,
    speaker_labels: work.diarize,
    webhook_url: asked?.webhook_url ?? null,
    webhook_auth: Boolean(asked?.webhook_auth_header_name),
    webhook_auth_header_name: asked?.webhook_auth_header_name ?? null,
    webhook_status_code: null,
    text: null,
    words: null,
    utterances: null,
    error: null,
  };
  if (status === 'error') return { ...common, error: reasonOf(work, common.audio_url) };
  return status === 'completed' ? { ...common, ...transcriptOf(work, asked) } : common;
}

function reasonOf(work: Work, audioUrl: string): string {
  const { kind } = outcomeOf(work);
  if (kind === 'missing') {
    return (
      `Download error, unable to download ${audioUrl}. Please make sure the file exists ` +
      'and is accessible from the internet.'
    );
  }
  if (kind === 'not_audio') {
    return 'File does not appear to contain audio. File type is text/plain (ASCII text).';
  }
  return 'Server error, developers have been alerted.';
}

function transcriptOf(work: Work, asked: TranscriptBody | undefined): object {
  const heard = outcomeOf(work);
  if (heard.kind !== 'audio') return {};
  const hide = (text: string) => (asked?.redact_pii === true ? text.replace(/\d/g, '#') : text);
  return {
    audio_duration: Math.ceil(heard.duration),
    audio_channels: work.split === true ? 2 : 1,
    language_code: work.language ?? 'en_us',
    language_confidence: work.language === null ? 0.9931 : null,
    speech_model_used: work.model,
    text: hide(heard.text),
    confidence: 0.9714,
    words: heard.words.map((word) => ({
      text: hide(word.text),
      start: Math.round(word.start * 1000),
      end: Math.round(word.end * 1000),
      confidence: 0.98,
      speaker: speakerOf(work, word.speaker),
      channel: work.split === true ? String(word.speaker + 1) : null,
    })),
    ...understood(heard.text, asked),
  };
}

function speakerOf({ split, diarize }: Work, speaker: number): string | null {
  if (split === true) return String(speaker + 1);
  return diarize ? String.fromCharCode(65 + speaker) : null;
}

/** What the vendor derives from the text, with the field names of its own answers. */
function understood(text: string, asked: TranscriptBody | undefined): object {
  const gist = text.slice(0, 80);
  const success = { status: 'success' };
  return {
    ...(asked?.summarization === true ? { summary: gist } : {}),
    ...(asked?.auto_chapters === true
      ? { chapters: [{ gist, headline: gist, summary: gist, start: 0, end: 1000 }] }
      : {}),
    ...(asked?.sentiment_analysis === true
      ? { sentiment_analysis_results: [{ text: gist, sentiment: 'NEUTRAL' }] }
      : {}),
    ...(asked?.entity_detection === true ? { entities: [] } : {}),
    ...(asked?.auto_highlights === true
      ? { auto_highlights_result: { ...success, results: [] } }
      : {}),
    ...(asked?.iab_categories === true ? { iab_categories_result: { ...success } } : {}),
    ...(asked?.content_safety === true ? { content_safety_labels: { ...success } } : {}),
  };
}
