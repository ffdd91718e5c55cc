// stt_b: Deepgram. Keeps no result: it answers at once, or calls back once with everything.
import { z } from 'zod';
import {
  readLanguage,
  readSubmission,
  type TranscriptReading,
} from '../../transcription/core/index.ts';
import {
  type Condition,
  hint,
  ignoredBecause,
  native,
  trimmed,
  when,
} from '../../negotiation/index.ts';
import { audioCost } from '../../billing/core/index.ts';
import { failureIn, reasonIn, saidBy } from './errors.ts';
import { discovery } from './keys.ts';
import { fromLookup, toLookup } from './request-log.ts';
import { deepgramRefused } from '../shared/refused-options.ts';
import type { Provider } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import {
  languageSupport,
  nativeLanguage,
  nova2Languages,
  nova3Languages,
} from '../shared/speech-languages.ts';
import type { LanguageTable } from '../shared/speech-languages.ts';
import { speechPrice } from '../shared/speech-price.ts';
import type { Attempt } from '../shared/transcribe-product.ts';

const defaultModel = 'nova-3';
/** The vendor counts sub-word tokens up to 500; ours is an estimate, so it keeps a distance. */
const maxTokens = 450;

const newestTier: Condition = {
  reads: 'the model is of the nova-3 family',
  holds: (asks) => String(asks['model']).startsWith('nova-3'),
};
const fewTokens: Condition = {
  reads: `the terms come to about ${maxTokens} tokens at most`,
  holds: (_asks, value) => termsThatFit(value as string[]).length === (value as string[]).length,
};

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
  addOns: { diarize: 0, keyterms: 80_000 },
  reads: ['model'],
  cost: ({ ask, model, seconds, rateOf, addOns }) => {
    const multilingual = model.startsWith('nova-3') && isMultilingual(ask);
    const diarize = ask.diarize ? addOns.diarize : 0;
    const keyterms = ask.keyterms ? addOns.keyterms : 0;
    const rate = rateOf(multilingual ? 'nova-3 multilingual' : model);
    return audioCost(seconds, rate + diarize + keyterms);
  },
});

export const deepgram: Provider = {
  id: 'stt_b',
  credential: { env: ['DEEPGRAM_API_KEY'] },
  hosts: { api: { env: 'DEEPGRAM_BASE_URL', default: 'https://api.deepgram.com' } },
  auth: (key) => ({ authorization: `Token ${key}` }),
  transcribe: {
    supports: {
      model: native,
      language: languageSupport(({ model }) => languagesOf(model)),
      diarize: native,
      keyterms: when(
        newestTier,
        when(
          fewTokens,
          native,
          hint('only the first terms were sent: together they are too long.'),
        ),
        ignoredBecause('only the nova-3 models take keyterms, so they were dropped.'),
      ),
      timestamps: trimmed,
    },
    model: {
      option: 'model',
      default: defaultModel,
      refuse: (model) =>
        model.startsWith('flux') ? 'is for streams only; use nova-3, say' : undefined,
    },
    refused_options: deepgramRefused,
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
        reasonOf: (refused) => reasonIn(saidBy(refused)),
        failureOf: (refused) => failureIn(saidBy(refused), refused.status),
      }),
    toLookup,
    fromLookup,
    fromCallback: (body, attempt) => {
      const reading = readDocument(body, attempt);
      if (reading) return { kind: 'done', reading };
      return { kind: 'failed', failure: failureIn(body, null) };
    },
    // Nothing can be polled: these are the times at which the log is asked instead.
    poll_after_s: [5, 15, 60, 300, 600],
    lookup_after_s: [5, 10, 30, 120, 300, 600],
    callback_bound_s: (model) => (model.startsWith('whisper') ? 2700 : 1800),
    price,
  },
};

const Taken = z.object({ request_id: z.string().min(1) });
const Document = z.object({
  metadata: z.object({
    duration: z.unknown().optional(),
    model_info: z.record(z.string(), z.object({ arch: z.string().nullish() })).nullish(),
  }),
  results: z.object({
    channels: z.array(
      z.object({
        detected_language: z.string().nullish(),
        alternatives: z.array(
          z.object({
            transcript: z.string().nullish(),
            languages: z.array(z.string()).nullish(),
            words: z
              .array(
                z.object({
                  word: z.string(),
                  punctuated_word: z.string().nullish(),
                  start: z.number(),
                  end: z.number(),
                  confidence: z.number().nullish(),
                  speaker: z.number().nullish(),
                }),
              )
              .nullish(),
          }),
        ),
      }),
    ),
  }),
});

function tokensIn(term: string): number {
  return Math.ceil(term.length / 3) + term.trim().split(/\s+/).length;
}

function termsThatFit(terms: readonly string[]): string[] {
  let left = maxTokens;
  const end = terms.findIndex((term) => (left -= tokensIn(term)) < 0);
  return terms.slice(0, end < 0 ? terms.length : end);
}

/** Detection may fall back to a lesser model that takes no terms; the multilingual one does not. */
function isMultilingual({ language, keyterms }: Attempt['ask']): boolean {
  return language === 'multi' || (language === undefined && keyterms !== undefined);
}

function submitRequest({ audio_url, file, ask, token, callback }: Attempt): WireRequest {
  const multilingual = isMultilingual(ask);
  return {
    method: 'POST',
    path: '/v1/listen',
    query: {
      model: ask.model,
      language: multilingual ? 'multi' : languageOf(ask),
      detect_language: ask.language === undefined && !multilingual ? true : undefined,
      smart_format: true,
      diarize_model: ask.diarize ? 'latest' : undefined,
      keyterm: ask.keyterms && termsThatFit(ask.keyterms),
      tag: token,
      extra: `attempt_id:${token}`,
      callback: callback?.url,
    },
    ...(file ? { file } : { body: { url: audio_url } }),
  };
}

/** Undefined for older and trained models, whose languages are not known here. */
function languagesOf(model: unknown): LanguageTable | undefined {
  if (String(model).startsWith('nova-3')) return nova3Languages;
  return model === 'nova-2' || model === 'nova-2-general' ? nova2Languages : undefined;
}

function languageOf({ model, language }: Attempt['ask']): string | undefined {
  return language && nativeLanguage(language, languagesOf(model))?.code;
}

function hasResults(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'results' in body;
}

function readDocument(body: unknown, { ask }: Attempt): TranscriptReading | undefined {
  const { data } = Document.safeParse(body);
  if (!data) return undefined;
  const [channel] = data.results.channels;
  const [best] = channel?.alternatives ?? [];
  const arch = Object.values(data.metadata.model_info ?? {})[0]?.arch;
  return {
    text: best?.transcript ?? '',
    language: readLanguage(channel?.detected_language ?? best?.languages?.[0]),
    duration_seconds: data.metadata.duration,
    // Detection may have taken a lesser model than the one asked for.
    model: arch && !ask.model.startsWith(arch) ? arch : ask.model,
    words: (best?.words ?? []).map((word) => ({
      text: word.punctuated_word ?? word.word,
      start: word.start,
      end: word.end,
      confidence: word.confidence,
      speaker: word.speaker?.toString(),
    })),
  };
}
