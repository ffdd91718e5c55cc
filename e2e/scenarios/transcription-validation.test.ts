// The bounds of a transcription request: each field refuses what lies outside.
import { expect } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { findRefused, findUnrefused } from '../refusals.ts';
import type { Spoilt } from '../refusals.ts';
import { scenario } from '../verifies.ts';

// Without a provider a valid request leads to a 503 and never to a job that would go on working.
const gateway = sharedGateway({ env: { TRIVIUM_SANDBOX: 'off' } });

const audio_url = 'https://example.org/talk.mp3';
const valid = { audio_url, provider: 'stt_a' };
const unrefused = (spoilt: Spoilt) => findUnrefused(gateway(), '/v1/transcriptions', valid, spoilt);
const refused = (variants: object[]) =>
  findRefused(gateway(), '/v1/transcriptions', valid, variants);

const MAX_URL_CHARS = 8192;

scenario(
  'audio is named by a public https address without credentials and without a fragment',
  [
    'transcription.audio-url.required',
    'transcription.audio-url.https',
    'transcription.audio-url.no-credentials',
    'transcription.audio-url.no-fragment',
    'requests.audio-url.length',
    'requests.audio-url.private-host',
  ],
  async () => {
    const hosts = [
      '127.0.0.1',
      '127.1',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '[::1]',
      '[fd00::1]',
      '[fe80::1]',
      '[::ffff:10.0.0.1]',
    ];
    const wrong = [
      undefined,
      '',
      7,
      '/talk.mp3',
      'http://example.org/talk.mp3',
      'ftp://example.org/talk.mp3',
      'https://name:word@example.org/talk.mp3',
      'https://name@example.org/talk.mp3',
      `${audio_url}#t=10`,
      `${audio_url}?${'x'.repeat(MAX_URL_CHARS - audio_url.length)}`,
      ...hosts.map((host) => `https://${host}/talk.mp3`),
    ];
    expect(
      await unrefused(wrong.map((value) => ['audio_url', { audio_url: value }] as const)),
    ).toEqual([]);
    const longest = `${audio_url}?${'x'.repeat(MAX_URL_CHARS - audio_url.length - 1)}`;
    expect(await refused([{}, { audio_url: longest }])).toEqual([]);
  },
);

scenario(
  'a provider is a speech service or auto',
  ['conventions.transcription-providers'],
  async () => {
    const strangers = ['deepgram', 'engine_a', 'stt_d', 'fusion', ''];
    expect(
      await unrefused(strangers.map((provider) => ['provider', { provider }] as const)),
    ).toEqual([]);
    const known = ['stt_a', 'stt_b', 'stt_c', 'auto'];
    expect(await refused(known.map((provider) => ({ provider })))).toEqual([]);
  },
);

scenario(
  'languages are language tags, keyterms are strings, switches are booleans',
  [
    'transcription.language.pattern',
    'transcription.diarize.boolean',
    'transcription.keyterms.strings',
    'limits.transcription.keyterms',
    'transcription.timestamps.values',
    'transcription.strict.boolean',
  ],
  async () => {
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
    expect(await unrefused(spoilt)).toEqual([]);
    const inside = [
      ...['en', 'deu', 'pt-BR', 'zh-Hant-TW'].map((language) => ({ language })),
      ...['word', 'none'].map((timestamps) => ({ timestamps })),
    ];
    expect(await refused(inside)).toEqual([]);
  },
);

scenario(
  'keys that nobody knows are refused',
  [
    'transcription.accepts-only-known-keys',
    'transcription.provider-options.keys',
    'transcription.provider-options.objects',
  ],
  async () => {
    const options = (provider_options: object) => ({ provider_options });
    const spoilt: Spoilt = [
      ['webhook_url', { webhook_url: 'https://example.org/' }],
      ['provider_options.engine_a', options({ engine_a: {} })],
      ['provider_options.deepgram', options({ deepgram: {} })],
      ['provider_options.stt_a', options({ stt_a: 'text' })],
    ];
    expect(await unrefused(spoilt)).toEqual([]);
    const inside = [options({ stt_a: {}, stt_b: { anything: null }, stt_c: {} })];
    expect(await refused(inside)).toEqual([]);
  },
);
