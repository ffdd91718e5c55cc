// Deepgram's wire format: the query parameters of a request, and the response document.
import { z } from 'zod';
import { fingerprint, fingerprintUuid } from '../fingerprint.ts';
import type { SpokenWord } from '../speech/recordings.ts';
import { channelsOf, outcomeOf } from '../speech/work.ts';
import type { Work } from '../speech/work.ts';

const Flag = z.enum(['true', 'false']).optional();
const Many = z.union([z.string(), z.array(z.string())]).optional();

export const ListenQuery = z.strictObject({
  model: z.string().min(1).optional(),
  language: z.string().optional(),
  // True, false, or the languages to choose from.
  detect_language: Many,
  language_hint: Many,
  smart_format: Flag,
  punctuate: Flag,
  paragraphs: Flag,
  utterances: Flag,
  utt_split: z.string().optional(),
  numerals: Flag,
  measurements: Flag,
  dictation: Flag,
  filler_words: Flag,
  profanity_filter: Flag,
  diarize: Flag,
  diarize_model: z.enum(['latest', 'v1', 'v2']).optional(),
  diarize_version: z.string().optional(),
  multichannel: Flag,
  alternatives: z.coerce.number().int().min(1).max(10).optional(),
  redact: Many,
  detect_entities: Flag,
  summarize: z.enum(['true', 'false', 'v2']).optional(),
  topics: Flag,
  custom_topic: Many,
  custom_topic_mode: z.enum(['extended', 'strict']).optional(),
  intents: Flag,
  custom_intent: Many,
  custom_intent_mode: z.enum(['extended', 'strict']).optional(),
  sentiment: Flag,
  sample_rate: z.coerce.number().int().optional(),
  channels: z.coerce.number().int().optional(),
  keyterm: Many,
  keywords: Many,
  replace: Many,
  search: Many,
  tag: Many,
  extra: Many,
  callback: z.url({ protocol: /^https?$/ }).optional(),
  callback_method: z.enum(['POST', 'PUT']).optional(),
  encoding: z.string().optional(),
  version: z.string().optional(),
  mip_opt_out: Flag,
});
export type ListenQuery = z.infer<typeof ListenQuery>;

/**
 * The languages of nova-3 as the vendor's changelog adds them, and the regions of English that a
 * partner's page lists. The gateway has its own list, which a test compares with this one.
 */
const nova3: Readonly<Record<string, string>> = {
  'at first': 'en multi',
  'several languages': 'es fr de hi ru pt ja it nl',
  'base languages by 2025-07': 'da sv no id tr uk fi ko ms bg cs et hu lv lt pl ro sk el ca vi',
  '2025-08-15': 'sv-SE da-DK',
  '2025-09-02': 'pt-BR pt-PT',
  '2025-11-04': 'ko-KR',
  '2025-11-24': 'nl-BE',
  'base languages by 2026-03': 'th zh ar he fa ur ta te kn mr bn tl hr sr sl bs mk be',
  '2026-03-17': 'zh-HK th-TH',
  '2026-03-31': 'zh-CN zh-Hans zh-TW zh-Hant',
  'base languages by 2026-08': 'pa af hy ka kk ne',
  '2026-08-05': 'pa-IN',
  "a partner's page": 'en-US en-AU en-GB en-IN en-NZ',
  'regions at first': 'de-CH fr-CA es-419',
};
const nova2 =
  'multi bg ca cs da da-DK de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fi fr fr-CA ' +
  'hi hi-Latn hu id it ja ko ko-KR lt lv ms nl nl-BE no pl pt pt-BR pt-PT ro ru sk sv sv-SE th ' +
  'th-TH tr uk vi zh zh-CN zh-HK zh-Hans zh-Hant zh-TW';
/** The domain-specific models support English only. */
const nova2Trades = 'en en-US';

export function nova3Languages(): string[] {
  return Object.values(nova3).flatMap((tags) => tags.split(' '));
}

/** Whether the model supports the language; models of older families accept any tag. */
export function isSpokenBy(model: string, language: string | undefined): boolean {
  if (language === undefined) return true;
  if (model.startsWith('nova-3-medical')) return /^(?:multi|en(?:-[A-Z]{2})?)$/.test(language);
  if (model.startsWith('nova-3')) return nova3Languages().includes(language);
  if (/^nova-2(-general)?$/.test(model)) return nova2.split(' ').includes(language);
  return !model.startsWith('nova-2') || nova2Trades.split(' ').includes(language);
}

/** The error document of a failed transcription. */
export function describeTrouble(work: Work, requestId: string): object | undefined {
  const { kind } = outcomeOf(work);
  if (kind === 'missing') {
    const errMsg = 'The remote server hosting the media returned a client error: 404 Not Found.';
    return { err_code: 'REMOTE_CONTENT_ERROR', err_msg: errMsg, request_id: requestId };
  }
  if (kind === 'not_audio') {
    const errMsg = 'Bad Request: failed to process audio: corrupt or unsupported data';
    return { err_code: 'Bad Request', err_msg: errMsg, request_id: requestId };
  }
  if (kind === 'failed') {
    return {
      err_code: 'INTERNAL_ERROR',
      err_msg: 'The model could not be run.',
      request_id: requestId,
    };
  }
  return undefined;
}

export function describeDocument(
  work: Work,
  requestId: string,
  query: ListenQuery,
  now: Date,
): object {
  const heard = outcomeOf(work);
  if (heard.kind !== 'audio') return {};
  const modelId = fingerprintUuid('deepgram model', work.model);
  const arch = work.model.startsWith('nova-3') ? 'nova-3' : (work.model.split('-general')[0] ?? '');
  const extras = [query.extra ?? []].flat().map((pair) => {
    const at = pair.indexOf(':');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  const channels = work.split === true ? channelsOf(heard) : [{ ...heard, channel: 0 }];
  return {
    metadata: {
      transaction_key: 'deprecated',
      request_id: requestId,
      sha256: fingerprint(64, work.recording),
      created: now.toISOString(),
      duration: heard.duration,
      channels: channels.length,
      models: [modelId],
      model_info: { [modelId]: { name: `general-${arch}`, version: '2026-10-20.0', arch } },
      ...(query.tag === undefined ? {} : { tags: [query.tag].flat() }),
      ...(extras.length === 0 ? {} : { extra: Object.fromEntries(extras) as object }),
    },
    results: {
      channels: channels.map(({ text, words }) => ({
        ...(query.detect_language === undefined || query.detect_language === 'false'
          ? {}
          : { detected_language: 'en', language_confidence: 0.9934 }),
        alternatives: alternativesOf({ text, words }, work, query),
      })),
      ...understood(channels, query),
    },
  };
}

type Heard = { text: string; words: readonly SpokenWord[] };

function alternativesOf({ text, words }: Heard, work: Work, query: ListenQuery): object[] {
  const hide = (one: string) =>
    query.redact === undefined ? one : one.replace(/\d+/g, '[NUMBER]');
  const best = {
    transcript: hide(text),
    confidence: words.length === 0 ? 0 : 0.9951,
    words: words.map((word) => ({
      word: hide(word.text.toLowerCase().replace(/[.,?]$/, '')),
      start: word.start,
      end: word.end,
      confidence: 0.99,
      punctuated_word: hide(word.text),
      ...(work.diarize ? { speaker: word.speaker, speaker_confidence: 0.83 } : {}),
    })),
    ...(query.language === 'multi' ? { languages: ['en'] } : {}),
    ...(query.detect_entities === 'true' ? { entities: [] } : {}),
    ...(query.paragraphs === 'true' ? { paragraphs: { transcript: hide(text) } } : {}),
  };
  const others = Array.from({ length: (query.alternatives ?? 1) - 1 }, (_, at) => ({
    ...best,
    transcript: `${best.transcript} (${at + 2})`,
    confidence: 0.5,
  }));
  return [best, ...others];
}

/** What the vendor derives from the text, in addition to the channels. */
function understood(channels: readonly (Heard & { channel: number })[], query: ListenQuery) {
  const text = channels.map((one) => one.text).join(' ');
  const segments = [{ text: text.slice(0, 80), start_word: 0, end_word: 10 }];
  const isOn = (value: unknown) => value !== undefined && value !== 'false';
  return {
    ...(query.utterances === 'true'
      ? {
          utterances: channels.map(({ channel, text: transcript, words }) => ({
            ...{ channel, transcript, words: [], confidence: 0.99, id: `u${channel}` },
            ...{ start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 },
          })),
        }
      : {}),
    ...(isOn(query.summarize) ? { summary: { result: 'success', short: text.slice(0, 80) } } : {}),
    ...(isOn(query.topics) ? { topics: { segments } } : {}),
    ...(isOn(query.intents) ? { intents: { segments } } : {}),
    ...(isOn(query.sentiment)
      ? { sentiments: { segments, average: { sentiment: 'neutral' } } }
      : {}),
  };
}
