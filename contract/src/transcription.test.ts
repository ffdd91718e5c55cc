// Checks the transcription request and the job: defaults, limits, and accepted audio URLs.
import { describe, test } from 'bun:test';
import { expect, proves } from '../../e2e/proves.ts';
import { completedJob, failedJob, transcriptionAccepted } from './examples/tools.ts';
import { issuesOf } from './issues.ts';
import {
  Job,
  JobError,
  Transcript,
  TranscriptionAccepted,
  TranscriptionRequest,
  transcriptionRequestAllowing,
  Word,
} from './transcription.ts';

const audioUrl = 'https://example.org/a.mp3';

function faultsOf(fields: object, schema = TranscriptionRequest): string[] {
  const parsed = schema.safeParse({ audio_url: audioUrl, ...fields });
  return parsed.success ? [] : issuesOf(parsed.error).map((issue) => `${issue.path} ${issue.code}`);
}

test('a URL is enough, and the defaults are filled in', () => {
  expect(TranscriptionRequest.parse({ audio_url: audioUrl })).toEqual({
    audio_url: audioUrl,
    provider: 'auto',
    diarize: false,
    timestamps: 'word',
    strict: false,
  });
});

const accepted: object[] = [
  ...['stt_a', 'stt_b', 'stt_c', 'auto'].map((provider) => ({ provider })),
  ...['stt_a', 'stt_b', 'stt_c'].map((id) => ({ provider_options: { [id]: { model: null } } })),
  { language: 'en' },
  ...['deu', 'pt-BR', 'zh-Hant-TW'].map((language) => ({ language })),
  { diarize: true },
  { keyterms: ['tea'] },
  { timestamps: 'none' },
  { strict: true },
];

const refused: [fields: object, fault: string][] = [
  [{ audio_url: undefined }, 'audio_url invalid_type'],
  [{ audio_url: 5 }, 'audio_url invalid_type'],
  [{ provider: 'engine_a' }, 'provider invalid_value'],
  [{ provider: 'deepgram' }, 'provider invalid_value'],
  [{ language: 'english' }, 'language invalid_format'],
  ...['', 'e', 'en-', 'en_GB', 'en-x', 'en-123456789'].map((language): [object, string] => [
    { language },
    'language invalid_format',
  ]),
  [{ diarize: 'yes' }, 'diarize invalid_type'],
  [{ keyterms: [] }, 'keyterms too_small'],
  [{ keyterms: '' }, 'keyterms invalid_type'],
  [{ keyterms: ['a', 1] }, 'keyterms.1 invalid_type'],
  [{ keyterms: ['a', '\t\u3000'] }, 'keyterms.1 blank'],
  [{ timestamps: 'sentence' }, 'timestamps invalid_value'],
  [{ strict: null }, 'strict invalid_type'],
  [{ webhook: 'https://example.org' }, 'webhook unrecognized_keys'],
  [{ provider_options: { engine_a: {} } }, 'provider_options.engine_a unrecognized_keys'],
  [{ provider_options: { stt_a: 1 } }, 'provider_options.stt_a invalid_type'],
];

describe('one field at a time', () => {
  test.each(accepted)('%j is accepted', (fields) => {
    proves(
      [
        'conventions.transcription-providers',
        'transcription.language.pattern',
        'transcription.timestamps.values',
        'transcription.provider-options.keys',
        'transcription.provider-options.objects',
      ],
      () => expect(faultsOf(fields)).toEqual([]),
    );
  });
  test.each(refused)('%j is refused with %s', (fields, fault) => {
    proves(
      [
        'transcription.audio-url.required',
        'conventions.transcription-providers',
        'transcription.language.pattern',
        'transcription.diarize.boolean',
        'transcription.keyterms.strings',
        'requests.blank',
        'limits.transcription.keyterms',
        'transcription.timestamps.values',
        'transcription.strict.boolean',
        'transcription.accepts-only-known-keys',
        'transcription.provider-options.keys',
        'transcription.provider-options.objects',
      ],
      () => expect(faultsOf(fields)).toEqual([fault]),
    );
  });
});

describe('audio', () => {
  const long = (length: number) => audioUrl + 'a'.repeat(length - audioUrl.length);

  test.each([
    'https://example.org/a.mp3?signature=a%2Bb&user=x@y',
    'https://8.8.8.8/a.mp3',
    'https://[2606:4700::1111]:8443/a',
    long(8192),
  ])('%s is taken', (url) => {
    proves('requests.audio-url.length', () => expect(faultsOf({ audio_url: url })).toEqual([]));
  });

  test.each([
    ['http://example.org/a.mp3', 'invalid_url'],
    ['ftp://example.org/a.mp3', 'invalid_url'],
    ['example.org/a.mp3', 'invalid_url'],
    ['https://example.org\\@127.0.0.1/', 'invalid_url'],
    ['https://example.org\\b', 'invalid_url'],
    ['https://example.org/\tb', 'invalid_url'],
    ['https://example.org/a b', 'invalid_url'],
    ['https://exa\nmple.org/', 'invalid_url'],
    [' https://example.org/', 'invalid_url'],
    ['https://example.org/\u0000', 'invalid_url'],
    ['https://u:p@example.org/a.mp3', 'invalid_url'],
    ['https://example.org/a.mp3#t=5', 'invalid_url'],
    ['https://example.org/a.mp3#', 'invalid_url'],
    ['https://localhost/a.mp3', 'private_host'],
    ['https://127.0.0.1:8080/a.mp3', 'private_host'],
    ['https://0x7f000001/a.mp3', 'private_host'],
    ['https://[::1]/a.mp3', 'private_host'],
    ['https://[::ffff:192.168.0.1]/a.mp3', 'private_host'],
    [long(8193), 'too_big'],
  ])('%s is refused with %s', (url, code) => {
    proves(
      [
        'transcription.audio-url.https',
        'transcription.audio-url.no-credentials',
        'transcription.audio-url.no-fragment',
        'requests.audio-url.length',
        'requests.audio-url.private-host',
        'requests.audio-url.as-checked',
      ],
      () => expect(faultsOf({ audio_url: url })).toEqual([`audio_url ${code}`]),
    );
  });

  test('every fault of a URL is reported', () => {
    const url = 'http://u:p@10.0.0.1/a#b';
    expect(faultsOf({ audio_url: url })).toEqual([
      'audio_url invalid_url',
      'audio_url invalid_url',
      'audio_url invalid_url',
      'audio_url private_host',
    ]);
  });

  test('a private host is accepted only if the deployment allows it', () => {
    const schema = transcriptionRequestAllowing(['127.0.0.1:9100', 'localhost']);
    expect(faultsOf({ audio_url: 'https://127.0.0.1:9100/a.mp3' }, schema)).toEqual([]);
    expect(faultsOf({ audio_url: 'https://localhost:1/a.mp3' }, schema)).toEqual([]);
    for (const url of ['https://127.0.0.1:9101/a', 'https://10.0.0.1/a']) {
      expect(faultsOf({ audio_url: url }, schema)).toEqual(['audio_url private_host']);
    }
  });
});

test('every fault is reported at once', () => {
  const fields = { audio_url: 'x', language: '!', keyterms: [], timestamps: 1, extra: 1 };
  expect(faultsOf(fields).toSorted()).toEqual([
    'audio_url invalid_url',
    'extra unrecognized_keys',
    'keyterms too_small',
    'language invalid_format',
    'timestamps invalid_value',
  ]);
});

describe('responses', () => {
  const word = { text: 'a', start: 0, end: 0 };

  test.each([
    {},
    { confidence: 0 },
    { confidence: 1 },
    { speaker_id: 'speaker_0' },
    { speaker_id: 'speaker_10' },
  ])('a word may have %j', (fields) => {
    expect(Word.safeParse({ ...word, ...fields }).success).toBe(true);
  });

  test.each([
    { start: -0.1 },
    { end: -0.1 },
    { confidence: -0.1 },
    { confidence: 1.1 },
    { speaker_id: 'speaker_01' },
    { speaker_id: 'speaker_' },
    { speaker_id: 'A' },
  ])('a word may not have %j', (fields) => {
    expect(Word.safeParse({ ...word, ...fields }).success).toBe(false);
  });

  test('a transcript may be empty', () => {
    const silence = { text: '', words: [], duration_seconds: 0, provider: 'stt_a', model: null };
    expect(Transcript.safeParse(silence).success).toBe(true);
    expect(Transcript.safeParse({ ...silence, duration_seconds: -1 }).success).toBe(false);
    expect(Transcript.safeParse({ ...silence, language: 'english' }).success).toBe(false);
  });

  test('the credits of a transcript are a whole number', () => {
    const usage = { cost_usd: 0.0001, credits: 0.1 };
    const transcript = { text: '', provider: 'stt_a', model: null, usage };
    expect(Transcript.safeParse(transcript).success).toBe(false);
    const whole = { ...transcript, usage: { ...usage, credits: 1 } };
    expect(Transcript.safeParse(whole).success).toBe(true);
  });

  test('the error of a failed job keeps unknown keys', () => {
    const error: unknown = failedJob.error;
    expect(JobError.parse(error)).toMatchObject({ provider_status: 400, retryable: false });
    expect(JobError.safeParse({ type: 'bored', message: 'm' }).success).toBe(false);
  });

  test.each(Object.keys(completedJob))('a job always has %s', (field) => {
    expect(Job.safeParse({ ...completedJob, [field]: undefined }).success).toBe(false);
  });

  test.each(Object.keys(transcriptionAccepted))('a receipt always has %s', (field) => {
    const receipt = { ...transcriptionAccepted, [field]: undefined };
    expect(TranscriptionAccepted.safeParse(receipt).success).toBe(false);
  });
});
