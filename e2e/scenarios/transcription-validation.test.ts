// The bounds of a transcription request: outside is a 400, inside is accepted.
import { test } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { findRefused, findUnrefused } from '../refusals.ts';
import type { Spoilt } from '../refusals.ts';
import { expect, proves } from '../proves.ts';

// Without a configured provider a valid request is a 503, so that no job is created.
const gateway = sharedGateway({ env: { TRIVIUM_SANDBOX: 'off' } });

const audioUrl = 'https://example.org/talk.mp3';
const valid = { audio_url: audioUrl, provider: 'stt_a' };
const unrefused = (spoilt: Spoilt) => findUnrefused(gateway(), '/v1/transcriptions', valid, spoilt);
const refused = (variants: object[]) =>
  findRefused(gateway(), '/v1/transcriptions', valid, variants);

const maxUrlChars = 8192;

test('audio_url is a public https URL without credentials and without a fragment', async () => {
  const wrong = [
    undefined,
    '',
    7,
    '/talk.mp3',
    'http://example.org/talk.mp3',
    'ftp://example.org/talk.mp3',
    'https://name:word@example.org/talk.mp3',
    'https://name@example.org/talk.mp3',
    `${audioUrl}#t=10`,
    `${audioUrl}?${'x'.repeat(maxUrlChars - audioUrl.length)}`,
    'https://127.1/talk.mp3',
    'https://[::ffff:10.0.0.1]/talk.mp3',
  ];
  await proves(
    [
      'transcription.audio-url.required',
      'transcription.audio-url.https',
      'transcription.audio-url.no-credentials',
      'transcription.audio-url.no-fragment',
      'requests.audio-url.length',
      'requests.audio-url.private-host',
    ],
    async () =>
      expect(
        await unrefused(wrong.map((value) => ['audio_url', { audio_url: value }] as const)),
      ).toEqual([]),
  );
  const longest = `${audioUrl}?${'x'.repeat(maxUrlChars - audioUrl.length - 1)}`;
  await proves('requests.audio-url.length', async () =>
    expect(await refused([{}, { audio_url: longest }])).toEqual([]),
  );
});

test('a provider is a speech service or auto', async () => {
  const unknown = ['deepgram', 'engine_a', 'stt_d', 'fusion', ''];
  await proves('conventions.transcription-providers', async () =>
    expect(await unrefused(unknown.map((provider) => ['provider', { provider }] as const))).toEqual(
      [],
    ),
  );
  const known = ['stt_a', 'stt_b', 'stt_c', 'auto'];
  await proves('conventions.transcription-providers', async () =>
    expect(await refused(known.map((provider) => ({ provider })))).toEqual([]),
  );
});

test('languages are language tags, keyterms are strings, switches are booleans', async () => {
  const tags = ['', 'e', 'english', 'en_GB', 'en-', 'en-x', 'en-123456789'];
  const spoilt: Spoilt = [
    ...tags.map((language) => ['language', { language }] as const),
    ['diarize', { diarize: 'yes' }],
    ['keyterms', { keyterms: [] }],
    ['keyterms', { keyterms: 'term' }],
    ['keyterms.1', { keyterms: ['term', 7] }],
    ['timestamps', { timestamps: 'segment' }],
    ['strict', { strict: 1 }],
  ];
  await proves(
    [
      'transcription.language.pattern',
      'transcription.diarize.boolean',
      'transcription.keyterms.strings',
      'limits.transcription.keyterms',
      'transcription.timestamps.values',
      'transcription.strict.boolean',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const inside = [
    ...['en', 'deu', 'pt-BR', 'zh-Hant-TW'].map((language) => ({ language })),
    ...['word', 'none'].map((timestamps) => ({ timestamps })),
  ];
  await proves(['transcription.language.pattern', 'transcription.timestamps.values'], async () =>
    expect(await refused(inside)).toEqual([]),
  );
});

test('unknown keys are refused', async () => {
  const options = (providerOptions: object) => ({ provider_options: providerOptions });
  const spoilt: Spoilt = [
    ['webhook_url', { webhook_url: 'https://example.org/' }],
    ['provider_options.engine_a', options({ engine_a: {} })],
    ['provider_options.deepgram', options({ deepgram: {} })],
    ['provider_options.stt_a', options({ stt_a: 'text' })],
  ];
  await proves(
    [
      'transcription.accepts-only-known-keys',
      'transcription.provider-options.keys',
      'transcription.provider-options.objects',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  // Each service serves its own, so that its options are those that are read.
  const values = [null, 0, -1.5, 'text', [], ['a', null], {}, { deep: { value: null } }, true];
  const inside = ['stt_a', 'stt_b', 'stt_c'].flatMap((provider) =>
    values.map((value) => ({ provider, ...options({ [provider]: { anything: value } }) })),
  );
  await proves(
    ['transcription.provider-options.keys', 'transcription.provider-options.objects'],
    async () => expect(await refused(inside)).toEqual([]),
  );
});
