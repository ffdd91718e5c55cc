// stt_c: ElevenLabs Scribe. It calls back with the transcript, which can also be read by its id.
// Submissions cannot be listed.
import { z } from 'zod';
import { maybe } from '../shared/schemas.ts';
import {
  providerFailure,
  readLanguage,
  readSubmission,
  retryAfterMs,
} from '../../transcription/core/index.ts';
import type { Failure, TranscriptReading } from '../../transcription/core/index.ts';
import type { Condition } from '../../negotiation/index.ts';
import * as row from '../shared/rows.ts';
import { filled } from '../shared/text.ts';
import { discovery } from './webhooks.ts';
import { refusedOptions } from '../shared/refused-options.ts';
import type { Provider } from '../provider.ts';
import type { Query, WireRequest } from '../shared/wire-request.ts';
import {
  elevenlabsLanguages,
  languageSupport,
  nativeLanguage,
} from '../shared/speech-languages.ts';
import {
  isOn,
  type Channel,
  joinChannels,
  listIn,
  numberIn,
  objectIn,
  readWords,
  textIn,
} from '../shared/speech-words.ts';
import { speechPrice } from '../shared/speech-price.ts';
import type { Attempt, CallbackReport } from '../shared/transcribe-product.ts';

const defaultModel = 'scribe_v2';
const maxTerms = 1000;
const maxTermChars = 50;
/** With more terms than this, at least this many seconds are billed. */
const manyTerms = 100;
const manyTermsSeconds = 20;
/** For an edited transcript, at least this many seconds are billed. */
const editSeconds = 10;

const newestTier: Condition = {
  reads: 'the model is of the scribe_v2 family',
  holds: (asks) => String(asks['model']).startsWith('scribe_v2'),
};
const termsTaken: Condition = {
  reads: `every term has at most ${maxTermChars} characters, at most 5 words and no brackets`,
  holds: (_asks, value) => (value as string[]).every(isTaken),
};

/** USD per hour, from the vendor's price page in 2026-09; shares of 0.22 from its API reference. */
const price = speechPrice({
  models: { scribe_v2: 220_000 },
  addOns: {
    diarize: [0, 'diarize'],
    keyterms: [50_000, 'keyterms'],
    'entity detection': [70_000, 'entity_detection'],
    'entity redaction': [66_000, 'entity_redaction'],
    'transcript edit': [66_000, 'transcript_edit'],
    'speaker roles': [22_000, 'detect_speaker_roles'],
  },
  unlisted: 70_000,
  reads: ['model_id', 'keyterms', 'transcript_edit', 'use_multi_channel'],
  free: `source_url webhook webhook_id webhook_metadata additional_formats diarization_threshold
    enable_logging entity_redaction_mode language_code multichannel_output_style no_verbatim
    num_speakers seed tag_audio_events temperature timestamps_granularity use_speaker_library`,
  cost: ({ read, model, seconds, rateOf, added, channelsOf }) => {
    const terms = [read('keyterms') ?? []].flat();
    const leastSeconds = Math.max(
      terms.length > manyTerms ? manyTermsSeconds : 0,
      isOn(read('transcript_edit')) ? editSeconds : 0,
    );
    const billed = Math.max(seconds, leastSeconds) * channelsOf('use_multi_channel');
    return { seconds: billed, rate: rateOf(model ?? read('model_id')) + added() };
  },
});

const supports = {
  model: row.at('model_id', row.native),
  language: row.replaceable(
    row.at(
      'language_code',
      languageSupport(() => elevenlabsLanguages),
      ({ ask }: Attempt) => nativeLanguage(String(ask.language), elevenlabsLanguages)?.code,
    ),
  ),
  diarize: row.replaceable(row.at('diarize', row.native, 'flag')),
  timestamps: row.at('timestamps_granularity', row.native),
  keyterms: row.replaceable(
    row.at(
      'keyterms',
      row.when(
        newestTier,
        row.when(
          termsTaken,
          row.listed(maxTerms),
          row.hint('terms of more than 50 characters or 5 words, or with brackets, were left out.'),
        ),
        row.ignoredBecause('only the scribe_v2 models support keyterms, so they were dropped.'),
      ),
      ({ ask }: Attempt) => ask.keyterms?.filter(isTaken).slice(0, maxTerms),
    ),
  ),
} satisfies row.Rows;
const submissionFields = row.fieldsFrom(supports, { tag_audio_events: false }, [
  ...['model_id', 'source_url', 'language_code', 'diarize', 'timestamps_granularity'],
  'tag_audio_events',
]);

export const elevenlabs: Provider = {
  id: 'stt_c',
  credential: { env: ['ELEVENLABS_API_KEY'] },
  hosts: { api: { env: 'ELEVENLABS_BASE_URL', default: 'https://api.elevenlabs.io' } },
  auth: (key) => ({ 'xi-api-key': key }),
  transcribe: {
    supports,
    model: {
      option: 'model_id',
      default: defaultModel,
      refuse: (model) =>
        model.includes('realtime')
          ? 'is for streaming only; use scribe_v2, for example'
          : undefined,
    },
    refused_options: refusedOptions(
      'source_url cloud_storage_url file file_format',
      'webhook webhook_id webhook_metadata token xi-api-key',
    ),
    options_go_to: 'form',
    query_options: ['enable_logging'],
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
    // There is no list to request. The vendor answers 404 for a missing transcript if the credential
    // is valid.
    check: {
      wire: { method: 'GET', path: '/v1/speech-to-text/transcripts/none' },
      statuses: [404],
    },
    toSubmit: submitRequest,
    fromSubmit: (reply, attempt) =>
      readSubmission(reply, {
        uncertain: [408, 409],
        accepted: ({ body }) => {
          const taken = Taken.safeParse(body).data;
          const reading = readTranscript(body, attempt);
          // Without an id, nothing can be polled: the job ends by its webhook or its deadline.
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
    fromPoll: (reply, attempt) => {
      // There is no status to request: an unfinished or failed transcript is not found.
      if (reply.status === 404) return { kind: 'running' };
      const reading = reply.status < 300 ? readTranscript(reply.body, attempt) : undefined;
      if (reading) return { kind: 'done', reading };
      const reason = `it answered with status ${reply.status}`;
      return { kind: 'trouble', reason, ...retryAfterMs(reply.headers) };
    },
    fromCallback: newsOf,
    // Quotes inside JSON text are escaped, so only the field itself can match this.
    tokenIn: (text) => /"attempt_id"\s*:\s*"([^"\\]{1,100})"/.exec(text)?.[1],
    poll_after_s: [1, 2, ...Array<number>(12).fill(5), 20],
    lookup_after_s: [60, 300, 900],
    // The vendor publishes no limit. The gateway ends a synchronous call after this time.
    processing_bound_s: () => 900,
    price,
  },
};

const Taken = z.object({ request_id: maybe.text, transcription_id: maybe.text });
const Event = z.object({
  type: z.string(),
  // Events for failures are not documented. A reason is read if there is one.
  data: z.looseObject({ transcription: z.unknown().optional() }),
});
const Trouble = z.object({
  detail: z.union([
    z.string(),
    z.array(z.object({ msg: z.string() })),
    z.object({ code: maybe.text, status: maybe.text, message: maybe.text }),
  ]),
});

function isTaken(term: string): boolean {
  const words = term.trim().split(/\s+/);
  return [...term].length <= maxTermChars && words.length <= 5 && !/[<>{}[\]\\]/.test(term);
}

function submitRequest(attempt: Attempt): WireRequest {
  const { audio_url, file, token, callback, extras } = attempt;
  const form = submissionFields(attempt) as Query;
  if (!file) form['source_url'] = audio_url;
  if (callback) {
    form['webhook'] = true;
    form['webhook_id'] = extras['ELEVENLABS_WEBHOOK_ID'];
    form['webhook_metadata'] = JSON.stringify({ attempt_id: token });
  }
  const sent = file ? { file: { ...file, field: 'file' } } : {};
  return { method: 'POST', path: '/v1/speech-to-text', form, ...sent };
}

function newsOf(body: unknown, attempt: Attempt): CallbackReport {
  const event = Event.safeParse(body).data;
  if (!event?.type.startsWith('speech_to_text')) return { kind: 'nothing' };
  const reading = readTranscript(event.data.transcription, attempt);
  if (!reading) {
    const { error, message } = event.data;
    const detail = filled(textIn(error)) ?? filled(textIn(message)) ?? 'it reported a failure';
    return { kind: 'failed', failure: failureOf({ detail }, null) };
  }
  const id = Taken.safeParse(event.data.transcription).data?.transcription_id;
  return { kind: 'done', reading, ...(id ? { provider_job_id: id } : {}) };
}

function readTranscript(body: unknown, attempt: Attempt): TranscriptReading | undefined {
  const document = objectIn(body);
  const { ask, options } = attempt;
  const isSplit = isOn(options['use_multi_channel']);
  const split = listIn(document['transcripts']).map(objectIn);
  // The answer to an accepted submission has none of these.
  const isTranscript = split.length > 0 || 'text' in document || 'words' in document;
  if (!isTranscript) return undefined;
  const channels = (split.length > 0 ? split : [document]).map((one, at) =>
    readChannel(one, isSplit ? at : undefined),
  );
  const { text, words, ...heard } = joinChannels(channels);
  const [first = document] = split;
  const indexes = new Set(words.map(({ speaker }) => speaker));
  const count = split.length > 0 ? split.length : indexes.size;
  const isTimed = (options['timestamps_granularity'] ?? ask.timestamps) !== 'none';
  return {
    text,
    language: readLanguage(textIn(first['language_code'])),
    duration_seconds: durationIn(document, split, heard.heard_until),
    // Without timestamps every word would be unreadable, but the caller asked for no timestamps.
    ...(isTimed ? { words, ...heard } : { words: undefined }),
    has_speakers: ask.diarize === true || isOn(options['diarize']) || isSplit,
    ...(isSplit && count > 0 ? { channels: count } : {}),
  };
}

/** `channel`: the number of the channel, if each channel is one speaker. */
function readChannel(one: Entry, channel: number | undefined): Channel {
  const found = readWords(one['words'], (word) => {
    const logprob = numberIn(word['logprob']);
    return {
      text: word['text'],
      start: word['start'],
      end: word['end'],
      confidence: logprob === undefined ? undefined : Math.exp(logprob),
      speaker:
        channel === undefined
          ? word['speaker_id']
          : (word['channel_index'] ?? one['channel_index'] ?? channel),
      isSound: typeof word['type'] === 'string' && word['type'] !== 'word',
    };
  });
  return { text: textIn(one['text']) ?? '', ...found };
}

/**
 * With a transcript for each channel, the reported duration is the sum over all channels, unless
 * speech occurs later than one channel's share of it.
 */
function durationIn(document: Entry, split: readonly Entry[], heardUntil: number): unknown {
  const whole = document['audio_duration_secs'];
  if (split.length < 2) return whole ?? split[0]?.['audio_duration_secs'];
  const each = split.flatMap((one) => numberIn(one['audio_duration_secs']) ?? []);
  if (each.length > 0) return Math.max(...each);
  const share = typeof whole === 'number' ? whole / split.length : undefined;
  return share === undefined || heardUntil > share ? whole : share;
}

type Entry = Readonly<Record<string, unknown>>;

function troubleOf(body: unknown): { code: string | null; text: string } {
  const detail = Trouble.safeParse(body).data?.detail ?? 'no reason was given';
  if (typeof detail === 'string') return { code: null, text: detail };
  if (Array.isArray(detail)) return { code: null, text: detail.map(({ msg }) => msg).join('; ') };
  const code = detail.code ?? detail.status ?? null;
  return { code, text: detail.message ?? code ?? 'no reason was given' };
}

function failureOf(body: unknown, status: number | null): Failure {
  const { code, text } = troubleOf(body);
  const message = `stt_c could not transcribe the recording: ${text}`;
  const unreachable = /failed to download/i.test(text);
  return providerFailure(message, status, { code, unreachable });
}
