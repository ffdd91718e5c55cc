// Deepgram's own client against the sandbox: synchronous, by callback, and through the request log.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DeepgramClient } from '@deepgram/sdk';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (apiKey = 'any') =>
  new DeepgramClient({ apiKey, baseUrl: `${sandbox.url}/deepgram`, maxRetries: 0 });
const url = 'https://recordings.example/interview.wav';

test('the client gets the transcript at once', async () => {
  const answer = await client().listen.v1.media.transcribeUrl({
    url,
    model: 'nova-3',
    smart_format: true,
    diarize_model: 'latest',
    detect_language: true,
    keyterm: ['HP-77'],
    tag: 'attempt-1',
  });
  if (!('results' in answer)) throw new Error('no results');
  expect(answer.metadata.duration).toBe(61.44);
  const [channel] = answer.results.channels;
  expect(channel?.detected_language).toBe('en');
  expect(channel?.alternatives?.[0]?.transcript).toStartWith('Good morning');
  expect(channel?.alternatives?.[0]?.words?.at(-1)?.speaker).toBe(1);
});

test('with a callback the client gets a receipt, and the callback the document', async () => {
  const delivered = Promise.withResolvers<{ token: string | null; body: unknown }>();
  const receiver = Bun.serve({
    port: 0,
    fetch: async (request) => {
      delivered.resolve({ token: request.headers.get('dg-token'), body: await request.json() });
      return new Response('ok');
    },
  });
  const answer = await client().listen.v1.media.transcribeUrl({
    url,
    model: 'nova-3',
    tag: 'attempt-2',
    callback: `${receiver.url.origin}/here`,
  });
  expect(answer).toEqual({ request_id: expect.any(String) });
  const { token, body } = await delivered.promise;
  expect(token).toMatch(/^[0-9a-f-]{36}$/);
  expect(body).toMatchObject({ metadata: { tags: ['attempt-2'] }, results: { channels: [{}] } });
  await receiver.stop(true);
});

test('the client can read the request log', async () => {
  const { projects } = await client().manage.v1.projects.list();
  const project = projects?.[0]?.project_id ?? '';
  const { requests } = await client().manage.v1.projects.requests.list(project, { limit: 100 });
  const paths = requests?.map((one) => (one as { path?: string }).path ?? '') ?? [];
  expect(paths.some((path) => path.includes('tag=attempt-1'))).toBe(true);
});

test('the client throws the error of the API', async () => {
  const errorOf = async (asked: PromiseLike<unknown>) => {
    try {
      return await asked;
    } catch (error) {
      return error;
    }
  };
  const missing = 'https://recordings.example/missing.wav';
  expect(await errorOf(client().listen.v1.media.transcribeUrl({ url: missing }))).toMatchObject({
    statusCode: 400,
  });
  expect(await errorOf(client('bad').listen.v1.media.transcribeUrl({ url }))).toMatchObject({
    statusCode: 401,
  });
  expect(
    await errorOf(client().listen.v1.media.transcribeUrl({ url, model: 'nova-2', keyterm: 'x' })),
  ).toMatchObject({ statusCode: 400 });
});

test('the client may set a version and opt out of training', async () => {
  const answer = await client().listen.v1.media.transcribeUrl({
    url,
    model: 'nova-3',
    version: 'latest',
    encoding: 'linear16',
    mip_opt_out: true,
  });
  expect(answer).toHaveProperty('results');
});
