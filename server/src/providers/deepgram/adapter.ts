// stt_b: Deepgram. It stores no results: it answers synchronously, or calls back once with
// everything.
import * as row from '../shared/rows.ts';
import { z } from 'zod';
import type { Condition } from '../../negotiation/index.ts';
import {
  type Failure,
  type TranscriptReading,
  baseLanguage,
  providerFailure,
  readLanguage,
  readSubmission,
} from '../../transcription/core/index.ts';
import type { Reply } from '../../upstream/core/index.ts';
import type { Provider } from '../provider.ts';
import { refusedOptions } from '../shared/refused-options.ts';
import {
  type LanguageTable,
  languageSupport,
  nativeLanguage,
  nova2Languages,
  nova3Languages,
} from '../shared/speech-languages.ts';
import { speechPrice } from '../shared/speech-price.ts';
import {
  type Channel,
  isObject,
  isOn,
  joinChannels,
  labelIn,
  listIn,
  objectIn,
  readWords,
  textIn,
} from '../shared/speech-words.ts';
import { filled } from '../shared/text.ts';
import type { Attempt } from '../shared/transcribe-product.ts';
import type { Query, WireRequest } from '../shared/wire-request.ts';
import { discovery } from './keys.ts';
import { fromLookup, toLookup } from './request-log.ts';

const defaultModel = 'nova-3';
/** The vendor's limit is 500 sub-word tokens. Our count is an estimate, so it stays below that. */
const maxTokens = 450;

const newestTier: Condition = {
  reads: 'the model is of the nova-3 family',
  holds: (asks) => String(asks['model']).startsWith('nova-3'),
};
/** The medical model refuses every language but English. */
const medicalEnglish: Condition = {
  reads: 'the language is English, or the model is not nova-3-medical',
  holds: (asks, value) => !isMedical(asks['model']) || isEnglish(String(value)),
};
/**
 * Detection may find a language that the medical model does not support. Another model is then
 * used.
 */
const staysOnModel: Condition = {
  reads: 'a language is given, or the model is not nova-3-medical',
  holds: (asks) => !isMedical(asks['model']) || asks['language'] !== undefined,
};
const fewTokens: Condition = {
  reads: `the terms have at most about ${maxTokens} tokens`,
  holds: (_asks, value) => termsThatFit(value as string[]).length === (value as string[]).length,
};

/** USD per hour, from readings of the vendor's price page between 2026-05 and 2026-09. */
const price = speechPrice({
  models: {
    'nova-3': 258_000,
    'nova-3 multilingual': 312_000,
    'nova-2': 258_000,
    nova: 258_000,
    whisper: 288_000,
    enhanced: 870_000,
    base: 750_000,
  },
  addOns: {
    diarize: [0, 'diarize', 'diarize_model'],
    keyterms: [80_000, 'keyterm'],
    redaction: [120_000, 'redact'],
    'entity detection': [102_000, 'detect_entities'],
    // Billed by tokens, whose number is not known. The amount covers an hour of dense speech.
    summarize: [50_000, 'summarize'],
    topics: [50_000, 'topics', 'custom_topic'],
    intents: [50_000, 'intents', 'custom_intent'],
    sentiment: [50_000, 'sentiment'],
    // The listed prices are discounted for recordings that the vendor may use for training.
    'no model improvement': [240_000, 'mip_opt_out'],
  },
  unlisted: 120_000,
  reads: ['model', 'language', 'multichannel'],
  free: `url callback callback_method tag extra alternatives channels custom_intent_mode
    custom_topic_mode detect_language diarize_version dictation encoding filler_words keywords
    language_hint measurements numerals paragraphs profanity_filter punctuate replace sample_rate
    search smart_format utt_split utterances version`,
  cost: ({ read, seconds, rateOf, added, channelsOf, model: ran }) => {
    const model = ran ?? read('model');
    const isNova3 = typeof model === 'string' && model.startsWith('nova-3');
    const isMultilingual = isNova3 && isSeveral(read('language'));
    const rate = rateOf(isMultilingual ? 'nova-3 multilingual' : model);
    return { seconds: seconds * channelsOf('multichannel'), rate: rate + added() };
  },
});

const supports = {
  model: row.at('model', row.native),
  language: row.replaceable(
    row.at(
      'language',
      row.when(
        medicalEnglish,
        languageSupport(({ model }) => languagesOf(model)),
        row.hint('the medical model supports only English and multi, so multi was sent.'),
      ),
      ({ ask }: Attempt) => languageOf(ask),
    ),
    ['language', 'detect_language'],
  ),
  diarize: row.replaceable(row.at('diarize_model', row.native, { true: 'latest' }), [
    ...['diarize', 'diarize_model', 'diarize_version'],
  ]),
  keyterms: row.replaceable(
    row.at(
      'keyterm',
      row.when(
        newestTier,
        row.when(
          fewTokens,
          row.when(
            staysOnModel,
            row.native,
            row.hint('if the detected language is not English, a model without keyterms is used.'),
          ),
          row.hint('only the first terms were sent, because all of them together are too long.'),
        ),
        row.ignoredBecause('only the nova-3 models support keyterms, so they were dropped.'),
      ),
      ({ ask }: Attempt) => termsThatFit(ask.keyterms ?? []),
    ),
  ),
  timestamps: row.trimmed,
} satisfies row.Rows;
const submissionFields = row.fieldsFrom(supports, { smart_format: true }, [
  ...['model', 'language', 'detect_language', 'smart_format'],
]);

export const deepgram: Provider = {
  id: 'stt_b',
  credential: { env: ['DEEPGRAM_API_KEY'] },
  hosts: { api: { env: 'DEEPGRAM_BASE_URL', default: 'https://api.deepgram.com' } },
  auth: (key) => ({ authorization: `Token ${key}` }),
  transcribe: {
    supports,
    model: {
      option: 'model',
      default: defaultModel,
      refuse: (model) =>
        model.startsWith('flux') ? 'is for streaming only; use nova-3, for example' : undefined,
    },
    refused_options: refusedOptions(
      'url',
      'callback callback_method tag extra token access_token project_id',
    ),
    options_go_to: 'query',
    concurrency: 100,
    callback: {
      proof: { kind: 'known_value', header: 'dg-token', setting: 'DEEPGRAM_KEY_ID' },
      fixed_address: false,
      needs: ['TRIVIUM_PUBLIC_URL'],
      otherwise: 'synchronous',
    },
    discovery,
    check: { wire: { method: 'GET', path: '/v1/projects' }, statuses: [200] },
    toSubmit: submitRequest,
    fromSubmit: (reply, attempt) =>
      readSubmission(reply, {
        uncertain: [408, 499],
        accepted: ({ body }) => {
          const providerJobId = Taken.safeParse(body).data?.request_id ?? null;
          if (!hasResults(body)) {
            return providerJobId === null
              ? undefined
              : { kind: 'accepted', provider_job_id: providerJobId };
          }
          const reading = readDocument(body, attempt);
          return reading && { kind: 'done', reading, provider_job_id: providerJobId };
        },
        reasonOf: (refused) => troubleIn(saidBy(refused)).text,
        failureOf: (refused) => failureIn(saidBy(refused), refused.status),
      }),
    toLookup,
    fromLookup,
    fromCallback: (body, attempt) => {
      const reading = readDocument(body, attempt);
      if (reading) return { kind: 'done', reading };
      return { kind: 'failed', failure: failureIn(body, null) };
    },
    // Nothing can be polled. At these times, the request log is checked instead.
    poll_after_s: [5, 15, 60, 300, 600],
    lookup_after_s: [5, 10, 30, 120, 300, 600],
    callback_bound_s: (model) => (model.startsWith('whisper') ? 2700 : 1800),
    // The vendor stops with status 504 then.
    processing_bound_s: (model) => (model.startsWith('whisper') ? 1200 : 600),
    price,
  },
};

const Taken = z.object({ request_id: z.string().min(1) });
function tokensIn(term: string): number {
  return Math.ceil(term.length / 3) + term.trim().split(/\s+/).length;
}

function termsThatFit(terms: readonly string[]): string[] {
  let left = maxTokens;
  const end = terms.findIndex((term) => (left -= tokensIn(term)) < 0);
  return terms.slice(0, end < 0 ? terms.length : end);
}

function submitRequest(attempt: Attempt): WireRequest {
  const { audio_url, file, ask, options, token, callback } = attempt;
  const query = submissionFields(attempt) as Query;
  // Detection costs less than the multilingual model, and also supports the terms.
  const detects = ask.language === undefined && !('language' in options);
  if (detects) query['detect_language'] = true;
  query['tag'] = token;
  query['extra'] = `attempt_id:${token}`;
  query['callback'] = callback?.url;
  const source = file ? { file } : { body: { url: audio_url } };
  return { method: 'POST', path: '/v1/listen', query, ...source };
}

/** Undefined for older and custom models, whose languages are not known here. */
function languagesOf(model: unknown): LanguageTable | undefined {
  if (String(model).startsWith('nova-3')) return nova3Languages;
  return model === 'nova-2' || model === 'nova-2-general' ? nova2Languages : undefined;
}

function languageOf({ model, language }: Attempt['ask']): string | undefined {
  if (language === undefined) return undefined;
  if (isMedical(model) && !isEnglish(language)) return 'multi';
  return nativeLanguage(language, languagesOf(model))?.code;
}

/** A value that is not a language tag counts as the more expensive of the two. */
function isSeveral(language: unknown): boolean {
  if (language === undefined) return false;
  return typeof language !== 'string' || language.toLowerCase() === 'multi';
}

function isMedical(model: unknown): boolean {
  return String(model).startsWith('nova-3-medical');
}

function isEnglish(language: string): boolean {
  return baseLanguage(readLanguage(language) ?? language) === 'en';
}

function hasResults(body: unknown): boolean {
  return isObject(objectIn(body)['results']);
}

function readDocument(body: unknown, { ask, options }: Attempt): TranscriptReading | undefined {
  if (!hasResults(body)) return undefined;
  const { metadata, results } = body as Record<string, unknown>;
  const given = listIn(objectIn(results)['channels']).map(objectIn);
  const isSplit = isOn(options['multichannel']);
  const diarizes =
    ask.diarize === true || isOn(options['diarize']) || isOn(options['diarize_model']);
  const channels = isSplit ? given : given.slice(0, 1);
  const { text, words, ...heard } = joinChannels(
    channels.map((channel, at) => readChannel(channel, isSplit ? at : undefined)),
  );
  const [first = {}] = given;
  const { arch } = objectIn(Object.values(objectIn(objectIn(metadata)['model_info']))[0]);
  const { model } = ask;
  const ran = textIn(arch);
  const detected =
    textIn(first['detected_language']) ?? textIn(listIn(bestOf(first)['languages'])[0]);
  return {
    text,
    language: readLanguage(detected ?? textIn(options['language'])),
    duration_seconds: objectIn(metadata)['duration'],
    // Detection may have used a lesser model than the requested one.
    model: ran !== undefined && !model.startsWith(ran) ? ran : model,
    words,
    has_speakers: isSplit || diarizes,
    ...heard,
    ...(isSplit && given.length > 0 ? { channels: given.length } : {}),
  };
}

function readChannel(channel: Readonly<Record<string, unknown>>, at: number | undefined): Channel {
  const best = bestOf(channel);
  const found = readWords(best['words'], (word) => ({
    text: textIn(word['punctuated_word']) ?? word['word'],
    start: word['start'],
    end: word['end'],
    confidence: word['confidence'],
    speaker: at === undefined ? word['speaker'] : `${at} ${labelIn(word['speaker']) ?? ''}`,
  }));
  return { text: textIn(best['transcript']) ?? '', ...found };
}

/** The alternatives are listed with the most likely first. */
function bestOf(channel: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return objectIn(listIn(channel['alternatives'])[0]);
}

const maxReasonChars = 500;

const Text = z.string().nullish().catch(undefined);
/** An error in either of the vendor's formats. */
const Trouble = z.object({
  // The older format.
  err_code: Text,
  err_msg: Text,
  // The newer format.
  category: Text,
  message: Text,
  details: Text,
  error: Text,
});

/** An answer that is not JSON, or has no reason in its body, is still reported. */
function saidBy({ body, text, headers }: Reply): unknown {
  return body ?? filled(text) ?? filled(headers.get('dg-error'));
}

function failureIn(said: unknown, status: number | null): Failure {
  const { code, text } = troubleIn(said);
  const message = `stt_b could not transcribe the recording: ${text}`;
  const unreachable = code === 'REMOTE_CONTENT_ERROR';
  return providerFailure(message, status, { code, unreachable });
}

function troubleIn(said: unknown): { code: string | null; text: string } {
  const data = Trouble.safeParse(said).data;
  const code = filled(data?.err_code) ?? filled(data?.category) ?? null;
  const reported = filled(data?.err_msg) ?? filled(data?.message) ?? filled(data?.error);
  const details = filled(data?.details);
  const reason =
    reported && details ? `${reported} (${details})` : (reported ?? details ?? plainReason(said));
  return { code, text: reason.slice(0, maxReasonChars) };
}

/** An HTML page comes from an intermediary, and explains nothing. */
function plainReason(said: unknown): string {
  const text = typeof said === 'string' ? said.trim() : JSON.stringify(said ?? '');
  return text === '""' || text === '{}' || text === '' || text.startsWith('<')
    ? 'no reason was given'
    : text;
}
