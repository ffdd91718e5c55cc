// ElevenLabs' own client against the sandbox: forms, transcripts by id, and signed webhooks.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (apiKey = 'any') =>
  new ElevenLabsClient({ apiKey, baseUrl: `${sandbox.url}/elevenlabs`, maxRetries: 0 });
const sourceUrl = 'https://recordings.example/interview.wav';

test('the client gets the transcript at once, and again by its id', async () => {
  const answer = await client().speechToText.convert({
    modelId: 'scribe_v2',
    sourceUrl,
    diarize: true,
    keyterms: ['Harbor Point', 'HP-77'],
    tagAudioEvents: false,
  });
  if (!('text' in answer)) throw new Error('no transcript');
  expect(answer.text).toStartWith('Good morning');
  expect(answer.words[1]?.type).toBe('spacing');
  const again = await client().speechToText.transcripts.get(answer.transcriptionId ?? '');
  expect(again).toMatchObject({ text: answer.text });
});

test('a webhook created by the client receives an event that the client can verify', async () => {
  const delivered = Promise.withResolvers<{ sign: string; text: string }>();
  const receiver = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const sign = request.headers.get('elevenlabs-signature') ?? '';
      delivered.resolve({ sign, text: await request.text() });
      return new Response('ok');
    },
  });
  const webhook = await client().webhooks.create({
    settings: { authType: 'hmac', name: 'judge', webhookUrl: `${receiver.url.origin}/here` },
  });
  const answer = await client().speechToText.convert({
    modelId: 'scribe_v2',
    sourceUrl,
    webhook: true,
    webhookId: webhook.webhookId,
    webhookMetadata: { attempt_id: 'attempt-3' },
  });
  expect(answer).toMatchObject({ requestId: expect.any(String) });
  const { sign, text } = await delivered.promise;
  const secret = webhook.webhookSecret ?? '';
  const event: unknown = await client().webhooks.constructEvent(text, sign, secret);
  expect(event).toMatchObject({
    type: 'speech_to_text_transcription',
    data: { webhook_metadata: { attempt_id: 'attempt-3' } },
  });
  await receiver.stop(true);
});

test('the client throws the error of the API', async () => {
  const errorOf = async (asked: PromiseLike<unknown>) => {
    try {
      return await asked;
    } catch (error) {
      return error;
    }
  };
  const convert = (modelId: string, key = 'any') =>
    errorOf(client(key).speechToText.convert({ modelId, sourceUrl, keyterms: ['x'] }));
  expect(await convert('scribe_v1')).toMatchObject({ statusCode: 400 });
  expect(await convert('scribe_v2', 'bad')).toMatchObject({ statusCode: 401 });
  expect(await errorOf(client().speechToText.transcripts.get('nonsense'))).toMatchObject({
    statusCode: 404,
  });
});
