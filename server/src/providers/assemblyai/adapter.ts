// stt_a: AssemblyAI. A submission creates a transcript that can be polled, and found again in a
// list.
import { z } from 'zod';
import {
  providerFailure,
  readLanguage,
  readSubmission,
  retryAfterMs,
} from '../../transcription/core/index.ts';
import type { Failure, TranscriptReading } from '../../transcription/core/index.ts';
import type { Condition } from '../../negotiation/index.ts';
import type { Reply } from '../../upstream/core/index.ts';
import { fromLookup, toLookup } from './lookup.ts';
import * as row from '../shared/rows.ts';
import { refusedOptions } from '../shared/refused-options.ts';
import type { Provider } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import {
  assemblyaiLanguages,
  languageSupport,
  nativeLanguage,
} from '../shared/speech-languages.ts';
import { filled } from '../shared/text.ts';
import {
  isOn,
  labelIn,
  listIn,
  numberIn,
  objectIn,
  readWords,
  textIn,
} from '../shared/speech-words.ts';
import { speechPrice } from '../shared/speech-price.ts';
import type { Attempt, Progress, Stored } from '../shared/transcribe-product.ts';

const defaultModel = 'universal-3-5-pro';
/** Used if the first model does not support the language. */
const fallbackModel = 'universal-2';
const maxWordsPerTerm = 6;
const maxTerms = 1000;
const maxTermsOnFallback = 200;

const shortTerms: Condition = {
  reads: `no term has more than ${maxWordsPerTerm} words`,
  holds: (_asks, value) => (value as string[]).every(isShort),
};
const onFallbackModel: Condition = {
  reads: `the model is ${fallbackModel}`,
  holds: (asks) => asks['model'] === fallbackModel,
};

/** USD per hour, from readings of the vendor's price page in 2026-09 and 2026-10. */
const price = speechPrice({
  models: { 'universal-3-5-pro': 210_000, 'universal-3-pro': 210_000, 'universal-2': 150_000 },
  addOns: {
    diarize: [20_000, 'speaker_labels'],
    keyterms: [50_000, 'keyterms_prompt', 'word_boost'],
    prompt: [50_000, 'prompt'],
    'medical domain': [150_000, 'domain'],
    'entity detection': [80_000, 'entity_detection'],
    'sentiment analysis': [20_000, 'sentiment_analysis'],
    'topic detection': [150_000, 'iab_categories', 'custom_topics', 'topics'],
    'key phrases': [10_000, 'auto_highlights'],
    'PII redaction': [80_000, 'redact_pii'],
    'PII audio redaction': [50_000, 'redact_pii_audio'],
    'auto chapters': [80_000, 'auto_chapters'],
    summarization: [30_000, 'summarization'],
    'content moderation': [150_000, 'content_safety'],
    'profanity filter': [10_000, 'filter_profanity'],
    // The price is not published.
    'speech understanding': [150_000, 'speech_understanding'],
  },
  unlisted: 150_000,
  reads: ['speech_models', 'speech_model', 'multichannel', 'dual_channel'],
  free: `audio_url webhook_url webhook_auth_header_name webhook_auth_header_value
    audio_end_at audio_start_from boost_param content_safety_confidence custom_spelling disfluencies
    format_text keyterms_prompt_options language_code language_codes language_confidence_threshold
    language_detection language_detection_options punctuate redact_pii_audio_options
    redact_pii_audio_quality redact_pii_policies redact_pii_return_unredacted redact_pii_sub
    remove_audio_tags speaker_options speakers_expected speech_threshold summary_model summary_type
    temperature`,
  cost: ({ read, model, seconds, rateOf, added, channelsOf }) => {
    const asked = [read('speech_models') ?? read('speech_model') ?? defaultModel].flat();
    const models = model === undefined ? asked : [model];
    // The price of the older model includes both.
    const isOlder = models.every((name) => name === fallbackModel);
    const addOns = added(isOlder ? ['keyterms', 'prompt'] : []);
    const channels = Math.max(channelsOf('multichannel'), channelsOf('dual_channel'));
    const base = Math.max(...(models.length > 0 ? models : ['']).map(rateOf));
    return { seconds: seconds * channels, rate: base + addOns };
  },
});

const supports = {
  model: row.at('speech_models', row.native, ({ ask, options }: Attempt) =>
    'speech_model' in options ? undefined : modelsFor(ask.model),
  ),
  language: row.replaceable(
    row.at(
      'language_code',
      languageSupport(() => assemblyaiLanguages),
      ({ ask }: Attempt) => nativeLanguage(String(ask.language), assemblyaiLanguages)?.code,
    ),
    ['language_code', 'language_codes', 'language_detection'],
  ),
  diarize: row.replaceable(row.at('speaker_labels', row.native, 'flag')),
  keyterms: row.replaceable(
    row.at(
      'keyterms_prompt',
      row.when(
        shortTerms,
        row.when(onFallbackModel, row.listed(maxTermsOnFallback), row.listed(maxTerms)),
        row.hint(`terms of more than ${maxWordsPerTerm} words were left out.`),
      ),
      ({ ask: { keyterms, model } }: Attempt) =>
        keyterms?.filter(isShort).slice(0, model === fallbackModel ? maxTermsOnFallback : maxTerms),
    ),
    ['keyterms_prompt', 'word_boost'],
  ),
  timestamps: row.trimmed,
} satisfies row.Rows;
const submissionFields = row.fieldsFrom(supports, { punctuate: true, format_text: true }, [
  ...['audio_url', 'speech_models', 'language_code', 'language_detection'],
  ...['language_detection_options', 'punctuate', 'format_text'],
]);

export const assemblyai: Provider = {
  id: 'stt_a',
  credential: { env: ['ASSEMBLYAI_API_KEY'] },
  hosts: { api: { env: 'ASSEMBLYAI_BASE_URL', default: 'https://api.assemblyai.com' } },
  auth: (key) => ({ authorization: key }),
  transcribe: {
    supports,
    model: {
      option: 'model',
      default: defaultModel,
      named: ({ speech_models: several, speech_model: one }) =>
        filled(textIn(listIn(several)[0])) ?? filled(textIn(one)),
    },
    refused_options: refusedOptions(
      'audio_url',
      'webhook_url webhook_auth_header_name webhook_auth_header_value',
    ),
    options_go_to: 'body',
    concurrency: 200,
    callback: {
      proof: { kind: 'attempt_secret', header: 'x-trivium-callback-secret' },
      fixed_address: false,
      needs: [],
      otherwise: 'polled',
    },
    check: {
      wire: { method: 'GET', path: '/v2/transcript', query: { limit: 1 } },
      statuses: [200],
    },
    storage: {
      toStore: (file) => ({
        method: 'POST',
        path: '/v2/upload',
        // The vendor expects this type for every file.
        file: { ...file, type: 'application/octet-stream' },
      }),
      fromStore: storedAt,
    },
    toSubmit: submitRequest,
    fromSubmit: (reply) =>
      readSubmission(reply, {
        uncertain: [408],
        accepted: ({ body }) => {
          const { data } = Made.safeParse(body);
          return data && { kind: 'accepted', provider_job_id: data.id };
        },
        reasonOf: sentenceOf,
        failureOf,
      }),
    toPoll: (id) => ({ method: 'GET', path: `/v2/transcript/${encodeURIComponent(id)}` }),
    fromPoll: progressOf,
    toLookup,
    fromLookup,
    fromCallback: (body) => {
      const { data } = Delivery.safeParse(body);
      if (!data) return { kind: 'nothing' };
      return { kind: 'hint', provider_job_id: data.transcript_id };
    },
    poll_after_s: [1, 2, ...Array<number>(19).fill(3), 15],
    lookup_after_s: [2, 5, 15, 45, 120, 300],
    price,
  },
};

const Made = z.object({ id: z.string().min(1) });
const maxUrlChars = 2000;
const StoredFile = z.object({ upload_url: z.url({ protocol: /^https?$/ }).max(maxUrlChars) });
const Delivery = z.object({
  transcript_id: z.string().min(1),
  status: z.enum(['completed', 'error']),
});
const Sentence = z.object({ error: z.string() });
/** Only the deciding fields are required. The rest of a transcript is read as far as possible. */
const Transcript = z.looseObject({
  status: z.enum(['queued', 'processing', 'completed', 'error']),
});

function isShort(term: string): boolean {
  return term.trim().split(/\s+/).length <= maxWordsPerTerm;
}

function submitRequest(attempt: Attempt): WireRequest {
  const { ask, options, callback } = attempt;
  const isNamed = 'language_code' in options || 'language_codes' in options;
  const isSet = isNamed || 'language_detection' in options;
  const detects = isSet ? isOn(options['language_detection']) : ask.language === undefined;
  const body = submissionFields(attempt);
  body['audio_url'] = attempt.audio_url;
  if (!isSet) body['language_detection'] = detects;
  // Silence is a result, not a failure.
  const onSilence = { on_no_speech_detected: 'fallback', fallback_language: 'en' };
  if (detects) body['language_detection_options'] = onSilence;
  if (callback) {
    body['webhook_url'] = callback.url;
    body['webhook_auth_header_name'] = 'X-Trivium-Callback-Secret';
    body['webhook_auth_header_value'] = callback.secret;
  }
  return { method: 'POST', path: '/v2/transcript', body };
}

function modelsFor(model: string): string[] {
  return model === defaultModel ? [defaultModel, fallbackModel] : [model];
}

function storedAt(reply: Reply): Stored {
  const { status, body } = reply;
  const { data } = StoredFile.safeParse(body);
  if (status < 300 && data) return { kind: 'stored', audio_url: data.upload_url };
  const certain = status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (certain) return { kind: 'failed', failure: failureOf(reply) };
  return { kind: 'trouble', reason: `it answered with status ${status}` };
}

function progressOf(reply: Reply, attempt: Attempt): Progress {
  if (reply.status === 400 || reply.status === 404) {
    return { kind: 'failed', failure: { ...failureOf(reply), type: 'result_lost' } };
  }
  const { data } = Transcript.safeParse(reply.body);
  if (reply.status >= 300 || !data) {
    const reason = `it answered with status ${reply.status}`;
    return { kind: 'trouble', reason, ...retryAfterMs(reply.headers) };
  }
  if (data.status === 'queued' || data.status === 'processing') return { kind: 'running' };
  const error = textIn(data['error']);
  const silent = error?.includes('no spoken audio') ?? false;
  if (data.status === 'error' && !silent) {
    return { kind: 'failed', failure: jobFailure(error ?? 'no reason was given') };
  }
  const reading = readingOf(data, attempt);
  // The vendor does not charge for a transcript that ends in an error.
  return { kind: 'done', reading: silent ? { ...reading, is_free: true } : reading };
}

function readingOf(data: Readonly<Record<string, unknown>>, attempt: Attempt): TranscriptReading {
  const { ask, options } = attempt;
  const isSplit = isOn(options['multichannel']) || isOn(options['dual_channel']);
  const seconds = (value: unknown) => (numberIn(value) ?? NaN) / 1000;
  const { words, ...heard } = readWords(data['words'], (word) => ({
    text: word['text'],
    start: seconds(word['start']),
    end: seconds(word['end']),
    confidence: word['confidence'],
    speaker: word['speaker'] ?? word['channel'],
  }));
  const channels = isSplit ? { channels: channelsIn(data) } : {};
  return {
    text: textIn(data['text']) ?? '',
    language: readLanguage(textIn(data['language_code'])),
    duration_seconds: data['audio_duration'],
    model: textIn(data['speech_model_used']),
    words,
    has_speakers: ask.diarize === true || isOn(options['speaker_labels']) || isSplit,
    ...heard,
    ...channels,
  };
}

/** If the vendor does not report the number, the channels with speech are counted. */
function channelsIn(data: Readonly<Record<string, unknown>>): number | undefined {
  const counted = new Set(listIn(data['words']).map((word) => labelIn(objectIn(word)['channel'])));
  counted.delete(undefined);
  return numberIn(data['audio_channels']) ?? (counted.size > 0 ? counted.size : undefined);
}

function sentenceOf({ body, status }: Reply): string {
  return Sentence.safeParse(body).data?.error ?? `it answered with status ${status}`;
}

function failureOf(reply: Reply): Failure {
  return providerFailure(`stt_a refused the recording: ${sentenceOf(reply)}`, reply.status);
}

function jobFailure(sentence: string): Failure {
  const unreachable = /^download error|unable to download/i.test(sentence);
  const message = `stt_a could not transcribe the recording: ${sentence}`;
  const retryable = unreachable || /server error/i.test(sentence);
  return providerFailure(message, null, { unreachable, retryable });
}
