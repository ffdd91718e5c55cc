// stt_a: AssemblyAI. A submission makes a transcript that can be polled and found again in a
// listing.
import { z } from 'zod';
import {
  type Failure,
  readLanguage,
  readSubmission,
  retryAfterMs,
} from '../../transcription/core/index.ts';
import { type Condition, hint, listed, native, trimmed, when } from '../../negotiation/index.ts';
import { audioCost } from '../../billing/core/index.ts';
import type { Reply } from '../../upstream/core/index.ts';
import { fromLookup, toLookup } from './lookup.ts';
import { assemblyaiRefused } from '../shared/refused-options.ts';
import type { Provider } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import {
  assemblyaiLanguages,
  languageSupport,
  nativeLanguage,
} from '../shared/speech-languages.ts';
import { speechPrice } from '../shared/speech-price.ts';
import type { Attempt, Progress, Stored } from '../shared/transcribe-product.ts';

const defaultModel = 'universal-3-5-pro';
/** Takes over where the first model lacks the language. */
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

const price = speechPrice({
  models: { 'universal-3-5-pro': 210_000, 'universal-3-pro': 210_000, 'universal-2': 150_000 },
  addOns: { diarize: 20_000, keyterms: 50_000 },
  reads: ['model'],
  cost: ({ ask, model, seconds, rateOf, addOns }) => {
    const diarize = ask.diarize ? addOns.diarize : 0;
    const keyterms = ask.keyterms && model !== fallbackModel ? addOns.keyterms : 0;
    return audioCost(seconds, rateOf(model) + diarize + keyterms);
  },
});

export const assemblyai: Provider = {
  id: 'stt_a',
  credential: { env: ['ASSEMBLYAI_API_KEY'] },
  hosts: { api: { env: 'ASSEMBLYAI_BASE_URL', default: 'https://api.assemblyai.com' } },
  auth: (key) => ({ authorization: key }),
  transcribe: {
    supports: {
      model: native,
      language: languageSupport(() => assemblyaiLanguages),
      diarize: native,
      keyterms: when(
        shortTerms,
        when(onFallbackModel, listed(maxTermsOnFallback), listed(maxTerms)),
        hint(`terms of more than ${maxWordsPerTerm} words were left out.`),
      ),
      timestamps: trimmed,
    },
    model: { option: 'model', default: defaultModel },
    refused_options: assemblyaiRefused,
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
        // The vendor wants this type for every file.
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
const Transcript = z.object({
  status: z.enum(['queued', 'processing', 'completed', 'error']),
  text: z.string().nullish(),
  error: z.string().nullish(),
  language_code: z.string().nullish(),
  audio_duration: z.unknown().optional(),
  speech_model_used: z.string().nullish(),
  words: z
    .array(
      z.object({
        text: z.string(),
        start: z.number(),
        end: z.number(),
        confidence: z.number().nullish(),
        speaker: z.string().nullish(),
      }),
    )
    .nullish(),
});

function isShort(term: string): boolean {
  return term.trim().split(/\s+/).length <= maxWordsPerTerm;
}

function termsTakenBy(model: string): number {
  return model === fallbackModel ? maxTermsOnFallback : maxTerms;
}

function submitRequest({ audio_url, ask, callback }: Attempt): WireRequest {
  const { model, language } = ask;
  return {
    method: 'POST',
    path: '/v2/transcript',
    body: {
      audio_url,
      speech_models: model === defaultModel ? [defaultModel, fallbackModel] : [model],
      language_code: language && nativeLanguage(language, assemblyaiLanguages)?.code,
      language_detection: language === undefined,
      // Silence is a result, not a failure.
      language_detection_options:
        language === undefined
          ? { on_no_speech_detected: 'fallback', fallback_language: 'en' }
          : undefined,
      punctuate: true,
      format_text: true,
      speaker_labels: ask.diarize ? true : undefined,
      keyterms_prompt: ask.keyterms?.filter(isShort).slice(0, termsTakenBy(model)),
      webhook_url: callback?.url,
      webhook_auth_header_name: callback && 'X-Trivium-Callback-Secret',
      webhook_auth_header_value: callback?.secret,
    },
  };
}

function storedAt(reply: Reply): Stored {
  const { status, body } = reply;
  const { data } = StoredFile.safeParse(body);
  if (status < 300 && data) return { kind: 'stored', audio_url: data.upload_url };
  const certain = status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (certain) return { kind: 'failed', failure: failureOf(reply) };
  return { kind: 'trouble', reason: `it answered with status ${status}` };
}

function progressOf(reply: Reply): Progress {
  if (reply.status === 400 || reply.status === 404) {
    return { kind: 'failed', failure: { ...failureOf(reply), type: 'result_lost' } };
  }
  const { data } = Transcript.safeParse(reply.body);
  if (reply.status >= 300 || !data) {
    const reason = `it answered with status ${reply.status}`;
    return { kind: 'trouble', reason, ...retryAfterMs(reply.headers) };
  }
  if (data.status === 'queued' || data.status === 'processing') return { kind: 'running' };
  const silent = data.error?.includes('no spoken audio') ?? false;
  if (data.status === 'error' && !silent) {
    return { kind: 'failed', failure: jobFailure(data.error ?? 'no reason was given') };
  }
  return {
    kind: 'done',
    reading: {
      text: data.text ?? '',
      language: readLanguage(data.language_code),
      duration_seconds: data.audio_duration,
      model: data.speech_model_used,
      words: (data.words ?? []).map(({ text, start, end, confidence, speaker }) => ({
        text,
        start: start / 1000,
        end: end / 1000,
        confidence,
        speaker,
      })),
    },
  };
}

function sentenceOf({ body, status }: Reply): string {
  return Sentence.safeParse(body).data?.error ?? `it answered with status ${status}`;
}

function failureOf(reply: Reply): Failure {
  return {
    type: 'provider_error',
    message: `stt_a refused the recording: ${sentenceOf(reply)}`,
    provider_status: reply.status,
    provider_code: null,
    retryable: false,
  };
}

function jobFailure(sentence: string): Failure {
  const unreachable = /^download error|unable to download/i.test(sentence);
  return {
    type: unreachable ? 'audio_unreachable' : 'provider_error',
    message: `stt_a could not transcribe the recording: ${sentence}`,
    provider_status: null,
    provider_code: null,
    retryable: unreachable || /server error/i.test(sentence),
  };
}
