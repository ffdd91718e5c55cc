// AssemblyAI's own client as judge: given the same parameters it sends what our fixtures send.
import { afterAll, expect, test } from 'bun:test';
import { AssemblyAI } from 'assemblyai';
import type { TranscribeParams } from 'assemblyai';
import { assemblyai } from '../../src/providers/assemblyai.ts';
import { listenFor, submissions } from './sent-speech.ts';

const ear = listenFor({ id: 'x', status: 'queued' });
afterAll(ear.stop);
const client = new AssemblyAI({ apiKey: 'judge', baseUrl: ear.url });

for (const { file, sent } of submissions('assemblyai')) {
  test(`${file} sends what the client would send`, async () => {
    ear.heard.length = 0;
    // The compiler holds the client's type against nothing here; its own request is the proof.
    await client.transcripts.submit(sent.body as TranscribeParams);
    expect(ear.heard).toMatchObject([
      {
        method: sent.method,
        path: new URL(sent.url).pathname,
        authorization: assemblyai.auth('judge')['authorization'],
      },
    ]);
    expect(ear.heard[0]?.body).toEqual(sent.body);
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
