// Deepgram's wire format: the query parameters of a request, and the response document.
import { z } from 'zod';
import { fingerprint, fingerprintUuid } from '../fingerprint.ts';
import { outcomeOf } from '../speech/work.ts';
import type { Work } from '../speech/work.ts';

const Flag = z.enum(['true', 'false']).optional();
const Many = z.union([z.string(), z.array(z.string())]).optional();

export const ListenQuery = z.strictObject({
  model: z.string().min(1).optional(),
  language: z.string().optional(),
  detect_language: z.string().optional(),
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

const nova3 =
  'multi af ar be bg bn bs ca cs da de de-CH el en es es-419 et fa fi fr fr-CA he hi hr hu hy id ' +
  'it ja ka kk kn ko lt lv mk mr ms ne nl no pa pl pt ro ru sk sl sr sv ta te th tl tr uk ur vi zh';
const nova2 =
  'multi bg ca cs da da-DK de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fi fr fr-CA ' +
  'hi hi-Latn hu id it ja ko ko-KR lt lv ms nl nl-BE no pl pt pt-BR pt-PT ro ru sk sv sv-SE th ' +
  'th-TH tr uk vi zh zh-CN zh-HK zh-Hans zh-Hant zh-TW';
/** The domain-specific models support English only. */
const nova2Trades = 'en en-US';

/** Whether the model supports the language; models of older families accept any tag. */
export function isSpokenBy(model: string, language: string | undefined): boolean {
  if (language === undefined) return true;
  if (model.startsWith('nova-3')) return nova3.split(' ').includes(language);
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
  const alternative = {
    transcript: heard.text,
    confidence: heard.words.length === 0 ? 0 : 0.9951,
    words: heard.words.map((word) => ({
      word: word.text.toLowerCase().replace(/[.,?]$/, ''),
      start: word.start,
      end: word.end,
      confidence: 0.99,
      punctuated_word: word.text,
      ...(work.diarize ? { speaker: word.speaker, speaker_confidence: 0.83 } : {}),
    })),
    ...(query.language === 'multi' ? { languages: ['en'] } : {}),
  };
  return {
    metadata: {
      transaction_key: 'deprecated',
      request_id: requestId,
      sha256: fingerprint(64, work.recording),
      created: now.toISOString(),
      duration: heard.duration,
      channels: 1,
      models: [modelId],
      model_info: { [modelId]: { name: `general-${arch}`, version: '2026-10-20.0', arch } },
      ...(query.tag === undefined ? {} : { tags: [query.tag].flat() }),
      ...(extras.length === 0 ? {} : { extra: Object.fromEntries(extras) as object }),
    },
    results: {
      channels: [
        {
          ...(query.detect_language === undefined
            ? {}
            : { detected_language: 'en', language_confidence: 0.9934 }),
          alternatives: [alternative],
        },
      ],
    },
  };
}
