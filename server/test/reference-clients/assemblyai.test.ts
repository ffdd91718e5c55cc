// AssemblyAI's own client as reference: given the same parameters it sends what our fixtures send.
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
    // The compiler holds the client's type against nothing here; its own request is the proof.
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

/** Fields of the client's own type that we use; a misspelt one does not compile. */
const known: (keyof TranscribeParams)[] = [
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
];

test('no submission carries a field that the client does not have', () => {
  const fields = submissions('assemblyai').flatMap(({ sent }) => Object.keys(sent.body as object));
  expect([...new Set(fields)].filter((name) => !known.some((one) => one === name))).toEqual([]);
});
