// AssemblyAI's own client against the sandbox: it submits, polls, lists and reads transcripts.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AssemblyAI } from 'assemblyai';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (apiKey = 'any') => new AssemblyAI({ apiKey, baseUrl: `${sandbox.url}/assemblyai` });
const audio = 'https://recordings.example/interview.wav';

test('the client transcribes, with speakers, by polling', async () => {
  const transcript = await client().transcripts.transcribe(
    { audio, speaker_labels: true, speech_models: ['universal-3-5-pro', 'universal-2'] },
    { pollingInterval: 100 },
  );
  expect(transcript.status).toBe('completed');
  expect(transcript.text).toStartWith('Good morning');
  expect(transcript.audio_duration).toBe(62);
  const speakers = new Set(transcript.words?.map(({ speaker }) => speaker));
  expect(speakers).toEqual(new Set(['A', 'B']));
});

test('the client finds its transcript in the listing', async () => {
  const { id } = await client().transcripts.submit({
    audio: `${audio}?n=1`,
    webhook_url: 'https://gateway.invalid/attempt-7',
  });
  const page = await client().transcripts.list({ limit: 200 });
  const found = page.transcripts.find((one) => one.id === id);
  expect(found?.audio_url).toBe(`${audio}?n=1`);
  const resource = await client().transcripts.get(id);
  expect(resource.webhook_url).toBe('https://gateway.invalid/attempt-7');
});

test('the client throws the error of the API', async () => {
  const missing = await client().transcripts.transcribe(
    { audio: 'https://recordings.example/missing.wav' },
    { pollingInterval: 100 },
  );
  expect(missing.status).toBe('error');
  expect(missing.error).toStartWith('Download error');
  const errorOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => String(error));
  expect(await errorOf(client('bad').transcripts.submit({ audio }))).toContain('not valid');
  expect(await errorOf(client().transcripts.get('nonsense'))).toContain('not found');
});
