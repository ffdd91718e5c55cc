// Native options of speech vendors, alone and combined: they are sent as the caller wrote them, and
// however they change the format of the answer, the text, the words and the length are those of the
// recording.
import { test } from 'bun:test';
import { Transcript, TranscriptionRequest } from '@trivium/contract';
import type { TranscriberId } from '@trivium/contract';
import fc from 'fast-check';
import { hear } from '../../sandbox/src/speech/recordings.ts';
import { channelsOf } from '../../sandbox/src/speech/work.ts';
import type { Work } from '../../sandbox/src/speech/work.ts';
import { describeTranscript, TranscriptBody } from '../../sandbox/src/vendors/assemblyai-wire.ts';
import { describeDocument, ListenQuery } from '../../sandbox/src/vendors/deepgram-wire.ts';
import { ConvertBody, describeEvent } from '../../sandbox/src/vendors/elevenlabs-wire.ts';
import { optionsSent } from '../../server/src/providers/shared/native-options.ts';
import { listPrices, providers } from '../../server/src/providers/registry.ts';
import { readReport } from '../../server/src/transcription/read-transcript.ts';
import { planTranscription } from '../../server/src/transcription/transcribe.ts';
import { providersWith } from '../../server/test/configured-providers.ts';
import { expect, proves } from '../proves.ts';

const recording = 'interview.wav';
const truth = hear(recording);
if (truth.kind !== 'audio') throw new Error('the recording is not one');

/** Every option that changes an answer, or might, each with values that the vendor accepts. */
const options: Readonly<Record<TranscriberId, Readonly<Record<string, readonly unknown[]>>>> = {
  stt_a: {
    multichannel: [true, false],
    speaker_labels: [true, false],
    redact_pii: [false],
    redact_pii_audio: [true],
    auto_chapters: [true],
    summarization: [true],
    sentiment_analysis: [true],
    entity_detection: [true],
    iab_categories: [true],
    content_safety: [true],
    auto_highlights: [true],
    punctuate: [false],
    prompt: ['A talk about tides.'],
    speech_threshold: [0.5],
    language_code: ['en', 'de'],
    language_detection: [true, false],
    keyterms_prompt: [['tide']],
    speech_models: [['universal-2'], ['universal-3-pro', 'universal-2']],
    filter_profanity: [true],
    disfluencies: [true],
  },
  stt_b: {
    multichannel: [true, false],
    alternatives: [1, 3],
    diarize: [true, false],
    diarize_model: ['v1', 'latest'],
    utterances: [true],
    paragraphs: [true],
    summarize: ['v2', true],
    topics: [true],
    intents: [true],
    sentiment: [true],
    detect_entities: [true],
    language: ['en', 'multi', 'pt-BR'],
    detect_language: [true, false],
    keyterm: ['tide', ['tide', 'weir']],
    smart_format: [false],
    numerals: [true],
    replace: [['tide:flood']],
    search: ['valve'],
    filler_words: [true],
    profanity_filter: [true],
    mip_opt_out: [true],
  },
  stt_c: {
    use_multi_channel: [true, false],
    multichannel_output_style: ['separate', 'combined'],
    timestamps_granularity: ['word', 'character', 'none'],
    diarize: [true, false],
    num_speakers: [2],
    additional_formats: [[{ format: 'srt' }]],
    entity_detection: ['pii', ['pii', 'phi']],
    detect_speaker_roles: [true],
    transcript_edit: ['No names.'],
    tag_audio_events: [true],
    language_code: ['en'],
    keyterms: [['tide']],
    no_verbatim: [true],
    seed: [7],
    temperature: [0.2],
  },
};

const ids = Object.keys(options) as TranscriberId[];

test.each(ids)('%s: each option is sent as it was written', (id) => {
  for (const [name, values] of Object.entries(options[id])) {
    for (const value of values) {
      const { sent, warnings } = played(id, { [name]: value }, {});
      expect([name, sent[name]]).toEqual([name, plain(id, value)]);
      expect(warnings).toEqual([]);
    }
  }
});

test.each(ids)('%s: any combination of options gives the transcript of the recording', (id) => {
  const chosen = fc.record(
    Object.fromEntries(
      Object.entries(options[id]).map(([name, values]) => [name, fc.constantFrom(...values)]),
    ),
    { requiredKeys: [] },
  );
  const asked = fc.record(
    { diarize: fc.boolean(), timestamps: fc.constantFrom('word', 'none') },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(chosen, asked, (native, unified) => {
      const { sent, result, cost } = played(id, native, unified);
      const isSplit = [sent['multichannel'], sent['use_multi_channel']].some(isTrue);
      const isJoined =
        isSplit && id !== 'stt_a' && sent['multichannel_output_style'] !== 'combined';
      const channels = channelsOf(truth);
      const texts = channels.map(({ text }) => text);
      expect(result.text).toBe(isJoined ? texts.join('\n\n') : truth.text);
      const seconds = id === 'stt_a' ? Math.ceil(truth.duration) : truth.duration;
      expect(result.duration_seconds).toBe(seconds);
      const hasWords = unified.timestamps !== 'none' && sent['timestamps_granularity'] !== 'none';
      expect(result.words?.map(({ text }) => text)).toEqual(
        hasWords ? truth.words.map(({ text }) => text) : undefined,
      );
      const isLabelled =
        isSplit ||
        [sent['diarize'], sent['speaker_labels']].some(isTrue) ||
        sent['diarize_model'] !== undefined;
      const speakers = new Set(result.words?.map(({ speaker_id }) => speaker_id));
      const expected = isLabelled ? ['speaker_0', 'speaker_1'] : [undefined];
      expect([...speakers]).toEqual(hasWords ? expected : []);
      expect(cost).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});

test('only settings of the transport are refused, by name', () => {
  const transport: Readonly<Record<TranscriberId, string>> = {
    stt_a: `audio_url webhook_url webhook_auth_header_name webhook_auth_header_value api_key
      authorization headers base_url`,
    stt_b: `url callback callback_method tag extra token access_token project_id Authorization
      api_key headers base_url`,
    stt_c: `source_url cloud_storage_url file file_format webhook webhook_id webhook_metadata token
      xi-api-key api_key headers base_url`,
  };
  for (const id of ids) {
    for (const name of transport[id].split(/\s+/)) {
      proves(
        [
          'transcription.provider-options.transport-refused',
          'requests.options.transport-stt-a',
          'requests.options.transport-stt-b',
          'requests.options.transport-stt-c',
        ],
        () =>
          expect(() => planOf(id, { [name]: 'x' }, {})).toThrow(`provider_options.${id}.${name}`),
      );
    }
    for (const value of [null, -1, 1e308, 'x', [], {}, true]) {
      expect(() => planOf(id, { unheard_of: value, constructor_: value }, {})).not.toThrow();
    }
  }
});

test('a parameter whose native name is also set is not sent, and causes a warning', () => {
  const asked = { language: 'fr', diarize: true, keyterms: ['quai'] };
  const native: Readonly<Record<TranscriberId, object>> = {
    stt_a: { language_code: 'de', speaker_labels: false, keyterms_prompt: ['Hafen'] },
    stt_b: { language: 'de', diarize: false, keyterm: ['Hafen'] },
    stt_c: { language_code: 'de', diarize: false, keyterms: ['Hafen'] },
  };
  for (const id of ids) {
    const { sent, warnings, result } = played(id, native[id], asked);
    expect(JSON.stringify(sent)).not.toMatch(/fr"|quai|latest/);
    expect(warnings.map(({ param }) => param)).toEqual(['language', 'diarize', 'keyterms']);
    expect([id, result.language]).toEqual([id, 'de']);
    expect(result.words?.some(({ speaker_id }) => speaker_id !== undefined)).toBe(false);
  }
});

function planOf(id: TranscriberId, native: object, asked: object) {
  const configured = { provider: providers[id], state: 'configured' } as const;
  const clock = { now: () => new Date('2026-11-17T12:00:00Z') };
  const request = TranscriptionRequest.parse({
    audio_url: 'https://recordings.example/interview.wav',
    provider: id,
    provider_options: { [id]: native },
    ...asked,
  });
  return planTranscription({ providers: providersWith({ [id]: configured }), clock }, id, request);
}

/** Sends it to the sandbox's reading of the vendor, and reads what that answers. */
function played(id: TranscriberId, native: object, asked: object) {
  const { product, ask, options: given, warnings } = planOf(id, native, asked);
  const attempt = {
    audio_url: 'https://recordings.example/interview.wav',
    ask,
    options: given,
    token: 'job.1',
    callback: { url: 'https://gateway.example/callbacks', secret: 's' },
    submitted_at: new Date(0),
    extras: {},
  };
  const sent = optionsSent(product, attempt);
  const report = readReport({
    source: id === 'stt_a' ? 'poll' : 'callback',
    provider: id,
    status: 200,
    headers: [],
    texts: [JSON.stringify(answers[id](sent))],
    attempt,
    ...(ask.language === undefined ? {} : { language: ask.language }),
    heldSeconds: 3600,
    rates: listPrices[id]?.transcribe ?? {},
  });
  if (report.kind !== 'done') throw new Error(`${id}: ${JSON.stringify(report)}`);
  const { parts, cost } = report.written;
  return { sent, warnings, cost, result: Transcript.parse(JSON.parse(parts.join(''))) };
}

const work: Work = {
  recording,
  model: 'any',
  diarize: false,
  language: null,
  failing: false,
  at: 0,
  number: 1,
};

const answers: Readonly<Record<TranscriberId, (sent: Record<string, unknown>) => object>> = {
  stt_a: (sent) => {
    const body = TranscriptBody.parse(sent);
    const { speaker_labels, multichannel, language_code } = body;
    const made = { ...work, diarize: speaker_labels === true, split: multichannel === true };
    const spoken = { ...made, language: language_code ?? null };
    return describeTranscript('id', spoken, 'completed', body);
  },
  stt_b: (sent) => {
    const query = ListenQuery.parse(texts(sent));
    const diarize = query.diarize === 'true' || query.diarize_model !== undefined;
    const made = { ...work, model: 'nova-3', diarize, split: query.multichannel === 'true' };
    return describeDocument(made, 'id', query, new Date(0));
  },
  stt_c: ({ enable_logging: _inQuery, ...sent }) => {
    const body = ConvertBody.parse(texts(sent));
    const { language_code, diarize, use_multi_channel } = body;
    const made = { ...work, diarize: diarize === 'true', split: use_multi_channel === 'true' };
    return describeEvent({ ...made, language: language_code ?? null }, body, 'id', new Date(0));
  },
};

/** As they are in a query or in a form. */
function texts(sent: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  );
}

/** A list of objects is one field of a form. */
function plain(id: TranscriberId, value: unknown): unknown {
  const hasObjects = Array.isArray(value) && value.some((one) => typeof one === 'object');
  return id === 'stt_c' && hasObjects ? JSON.stringify(value) : value;
}

function isTrue(value: unknown): boolean {
  return value === true;
}
