// stt_c: ElevenLabs Scribe. Calls back with the transcript, which can also be read by its id;
// submissions cannot be listed.
import { z } from 'zod';
import {
  type Failure,
  readLanguage,
  readSubmission,
  retryAfterMs,
  type TranscriptReading,
} from '../../transcription/core/index.ts';
import {
  type Condition,
  hint,
  ignoredBecause,
  listed,
  native,
  when,
} from '../../negotiation/index.ts';
import { audioCost } from '../../billing/core/index.ts';
import { filled } from '../shared/text.ts';
import { discovery } from './webhooks.ts';
import { elevenlabsRefused } from '../shared/refused-options.ts';
import type { Provider } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import {
  elevenlabsLanguages,
  languageSupport,
  nativeLanguage,
} from '../shared/speech-languages.ts';
import { speechPrice } from '../shared/speech-price.ts';
import type { Attempt, CallbackReport } from '../shared/transcribe-product.ts';

const defaultModel = 'scribe_v2';
const maxTerms = 1000;
const maxTermChars = 50;
/** More terms than this are billed for at least so many seconds. */
const manyTerms = 100;
const manyTermsSeconds = 20;

const newestTier: Condition = {
  reads: 'the model is of the scribe_v2 family',
  holds: (asks) => String(asks['model']).startsWith('scribe_v2'),
};
const termsTaken: Condition = {
  reads: `every term has at most ${maxTermChars} characters, at most 5 words and no brackets`,
  holds: (_asks, value) => (value as string[]).every(isTaken),
};

const price = speechPrice({
  models: { scribe_v2: 220_000 },
  addOns: { diarize: 0, keyterms: 50_000 },
  reads: ['model_id'],
  cost: ({ ask, model, seconds, rateOf, addOns }) => {
    const diarize = ask.diarize ? addOns.diarize : 0;
    const keyterms = ask.keyterms ? addOns.keyterms : 0;
    const many = (ask.keyterms?.length ?? 0) > manyTerms;
    const billed = many ? Math.max(manyTermsSeconds, seconds) : seconds;
    return audioCost(billed, rateOf(model) + diarize + keyterms);
  },
});

export const elevenlabs: Provider = {
  id: 'stt_c',
  credential: { env: ['ELEVENLABS_API_KEY'] },
  hosts: { api: { env: 'ELEVENLABS_BASE_URL', default: 'https://api.elevenlabs.io' } },
  auth: (key) => ({ 'xi-api-key': key }),
  transcribe: {
    supports: {
      model: native,
      language: languageSupport(() => elevenlabsLanguages),
      diarize: native,
      keyterms: when(
        newestTier,
        when(
          termsTaken,
          listed(maxTerms),
          hint('terms of more than 50 characters or 5 words, or with brackets, were left out.'),
        ),
        ignoredBecause('only the scribe_v2 models take keyterms, so they were dropped.'),
      ),
      timestamps: native,
    },
    model: {
      option: 'model_id',
      default: defaultModel,
      refuse: (model) =>
        model.includes('realtime') ? 'is for streams only; use scribe_v2, say' : undefined,
    },
    refused_options: elevenlabsRefused,
    options_go_to: 'form',
    concurrency: 12,
    callback: {
      proof: {
        kind: 'signed_body',
        header: 'elevenlabs-signature',
        setting: 'ELEVENLABS_WEBHOOK_SECRET',
        tolerance_s: 1800,
      },
      fixed_address: true,
      needs: ['TRIVIUM_PUBLIC_URL', 'ELEVENLABS_WEBHOOK_SECRET'],
      otherwise: 'synchronous',
    },
    discovery,
    // It has no list: a transcript that is not there is denied to strangers only.
    check: {
      wire: { method: 'GET', path: '/v1/speech-to-text/transcripts/none' },
      statuses: [404],
    },
    toSubmit: submitRequest,
    fromSubmit: (reply) =>
      readSubmission(reply, {
        uncertain: [408, 409],
        accepted: ({ body }) => {
          const taken = Taken.safeParse(body).data;
          const reading = readTranscript(body);
          // Without an id nothing can be polled: the job ends by its webhook or its deadline.
          const providerJobId = filled(taken?.transcription_id) ?? null;
          if (reading) return { kind: 'done', reading, provider_job_id: providerJobId };
          return filled(taken?.request_id)
            ? { kind: 'accepted', provider_job_id: providerJobId }
            : undefined;
        },
        reasonOf: ({ body }) => troubleOf(body).text,
        failureOf: ({ body, status }) => failureOf(body, status),
      }),
    toPoll: (id) => ({
      method: 'GET',
      path: `/v1/speech-to-text/transcripts/${encodeURIComponent(id)}`,
    }),
    fromPoll: (reply) => {
      // There is no status to ask for: what is not finished, or failed, is not found.
      if (reply.status === 404) return { kind: 'running' };
      const reading = reply.status < 300 ? readTranscript(reply.body) : undefined;
      if (reading) return { kind: 'done', reading };
      const reason = `it answered with status ${reply.status}`;
      return { kind: 'trouble', reason, ...retryAfterMs(reply.headers) };
    },
    fromCallback: newsOf,
    // Within a text of JSON quotes are escaped, so only the name itself can look like this.
    tokenIn: (text) => /"attempt_id"\s*:\s*"([^"\\]{1,100})"/.exec(text)?.[1],
    poll_after_s: [1, 2, ...Array<number>(12).fill(5), 20],
    lookup_after_s: [60, 300, 900],
    price,
  },
};

const Taken = z.object({
  request_id: z.string().nullish(),
  transcription_id: z.string().nullish(),
});
const Transcript = z.object({
  text: z.string(),
  language_code: z.string().nullish(),
  audio_duration_secs: z.unknown().optional(),
  words: z
    .array(
      z.object({
        text: z.string(),
        type: z.string(),
        start: z.number().nullish(),
        end: z.number().nullish(),
        speaker_id: z.string().nullish(),
        logprob: z.number().nullish(),
      }),
    )
    .nullish(),
});
const Event = z.object({
  type: z.string(),
  data: z.object({
    webhook_metadata: z.object({ attempt_id: z.string() }).nullish(),
    transcription: z.unknown().optional(),
  }),
});
const Trouble = z.object({
  detail: z.union([
    z.string(),
    z.array(z.object({ msg: z.string() })),
    z.object({
      code: z.string().nullish(),
      status: z.string().nullish(),
      message: z.string().nullish(),
    }),
  ]),
});

function isTaken(term: string): boolean {
  const words = term.trim().split(/\s+/);
  return [...term].length <= maxTermChars && words.length <= 5 && !/[<>{}[\]\\]/.test(term);
}

function submitRequest(attempt: Attempt): WireRequest {
  const { audio_url, file, ask, token, callback, extras } = attempt;
  return {
    method: 'POST',
    path: '/v1/speech-to-text',
    form: {
      model_id: ask.model,
      source_url: file ? undefined : audio_url,
      language_code: ask.language && nativeLanguage(ask.language, elevenlabsLanguages)?.code,
      diarize: ask.diarize ? true : undefined,
      timestamps_granularity: ask.timestamps,
      tag_audio_events: false,
      keyterms: ask.keyterms?.filter(isTaken).slice(0, maxTerms),
      webhook: callback ? true : undefined,
      webhook_id: callback && extras['ELEVENLABS_WEBHOOK_ID'],
      webhook_metadata: callback && JSON.stringify({ attempt_id: token }),
    },
    ...(file ? { file: { ...file, field: 'file' } } : {}),
  };
}

function newsOf(body: unknown): CallbackReport {
  const event = Event.safeParse(body).data;
  if (!event?.type.startsWith('speech_to_text')) return { kind: 'nothing' };
  const reading = readTranscript(event.data.transcription);
  if (!reading) {
    return { kind: 'failed', failure: failureOf({ detail: 'it reported a failure' }, null) };
  }
  const id = Taken.safeParse(event.data.transcription).data?.transcription_id;
  return { kind: 'done', reading, ...(id ? { provider_job_id: id } : {}) };
}

function readTranscript(body: unknown): TranscriptReading | undefined {
  const { data } = Transcript.safeParse(body);
  if (!data) return undefined;
  return {
    text: data.text,
    language: readLanguage(data.language_code),
    duration_seconds: data.audio_duration_secs,
    words: (data.words ?? []).flatMap(({ text, type, start, end, speaker_id, logprob }) => {
      if (type !== 'word' || typeof start !== 'number' || typeof end !== 'number') return [];
      return {
        text,
        start,
        end,
        confidence: typeof logprob === 'number' ? Math.exp(logprob) : undefined,
        speaker: speaker_id,
      };
    }),
  };
}

function troubleOf(body: unknown): { code: string | null; text: string } {
  const detail = Trouble.safeParse(body).data?.detail ?? 'no reason was given';
  if (typeof detail === 'string') return { code: null, text: detail };
  if (Array.isArray(detail)) return { code: null, text: detail.map(({ msg }) => msg).join('; ') };
  const code = detail.code ?? detail.status ?? null;
  return { code, text: detail.message ?? code ?? 'no reason was given' };
}

function failureOf(body: unknown, status: number | null): Failure {
  const { code, text } = troubleOf(body);
  const unreachable = /failed to download/i.test(text);
  return {
    type: unreachable ? 'audio_unreachable' : 'provider_error',
    message: `stt_c could not transcribe the recording: ${text}`,
    provider_status: status,
    provider_code: code,
    retryable: unreachable,
  };
}
