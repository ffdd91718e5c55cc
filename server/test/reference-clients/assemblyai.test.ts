// AssemblyAI's own client as reference: given the same parameters, it sends what our fixtures send.
import { afterAll, expect, test } from 'bun:test';
import { AssemblyAI } from 'assemblyai';
import type { TranscribeParams } from 'assemblyai';
import { assemblyai } from '../../src/providers/assemblyai/adapter.ts';
import { listenFor, submissions } from './sent-speech.ts';

const recorder = listenFor({ id: 'x', status: 'queued' });
afterAll(recorder.stop);
const client = new AssemblyAI({ apiKey: 'test-key', baseUrl: recorder.url });

for (const { file, sent } of submissions('assemblyai')) {
  test(`${file} sends what the client would send`, async () => {
    recorder.received.length = 0;
    // The compiler does not check the client's type here; the request that it sends is the proof.
    await client.transcripts.submit(sent.body as TranscribeParams);
    expect(recorder.received).toMatchObject([
      {
        method: sent.method,
        path: new URL(sent.url).pathname,
        authorization: assemblyai.auth('test-key')['authorization'],
      },
    ]);
    expect(recorder.received[0]?.body).toEqual(sent.body);
  });
}

/** Fields of the client's own type: a misspelt or missing one does not compile. */
const known = [
  'audio_url' as keyof TranscribeParams,
  'speech_models',
  'language_code',
  'language_detection',
  'language_detection_options',
  'punctuate',
  'format_text',
  'speaker_labels',
  'speaker_options',
  'filter_profanity',
  'keyterms_prompt',
  'webhook_url',
  'webhook_auth_header_name',
  'webhook_auth_header_value',
  'audio_end_at',
  'audio_start_from',
  'auto_chapters',
  'auto_highlights',
  'boost_param',
  'content_safety',
  'content_safety_confidence',
  'custom_spelling',
  'custom_topics',
  'disfluencies',
  'domain',
  'dual_channel',
  'entity_detection',
  'iab_categories',
  'keyterms_prompt_options',
  'language_confidence_threshold',
  'multichannel',
  'prompt',
  'redact_pii',
  'redact_pii_audio',
  'redact_pii_audio_quality',
  'redact_pii_policies',
  'redact_pii_return_unredacted',
  'redact_pii_sub',
  'remove_audio_tags',
  'sentiment_analysis',
  'speakers_expected',
  'speech_model',
  'speech_threshold',
  'speech_understanding',
  'summarization',
  'summary_model',
  'summary_type',
  'temperature',
  'topics',
  'word_boost',
] as const satisfies (keyof TranscribeParams)[];
type Missing = Exclude<keyof TranscribeParams, (typeof known)[number] | 'audio'>;
const missing: Missing[] = [];
missing satisfies never[];

test('no submission carries a field that the client does not have', () => {
  const fields = submissions('assemblyai').flatMap(({ sent }) => Object.keys(sent.body as object));
  expect([...new Set(fields)].filter((name) => !known.some((one) => one === name))).toEqual([]);
});

test('every option of the client can be set by a caller, or belongs to the transport', () => {
  const price = assemblyai.transcribe?.price;
  if (!price) throw new Error('there is no price');
  const hour = (sent: object) => price.cost({ sent: { ...sent }, seconds: 3600, rates: {} });
  const usual = hour({});
  // An unknown option costs more, so the price knows all of these.
  for (const name of known) {
    expect([name, price.reads.includes(name) || hour({ [name]: 'x' }) === usual]).toEqual([
      name,
      true,
    ]);
  }
});
