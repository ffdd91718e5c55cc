// The shape of OpenAI's transcription: with the official client for JavaScript, and with the
// requests that Open WebUI and AnythingLLM send.
import { beforeAll, describe, expect, test } from 'bun:test';
import OpenAI, { toFile } from 'openai';
import type { APIError } from 'openai';
import { OpenAiError, OpenAiModelList } from '@trivium/contract';
import { makeAccount, operatorToken } from '../billing/small-account.ts';
import { configureSpeech } from '../chaos/job-chaos.ts';
import { readJob } from '../jobs.ts';
import { sharedSandbox } from '../harness.ts';
import { makeWav } from './recordings.ts';
import { waitFor } from '../wait-for.ts';

const pair = sharedSandbox({ TRIVIUM_ADMIN_TOKEN: operatorToken });
const gateway = () => pair().gateway;
beforeAll(() => configureSpeech(pair().sandbox, { processing_ms: 20 }));
const talk = makeWav(60_000);

function openai(apiKey = gateway().key): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${gateway().url}/v1`, maxRetries: 0 });
}

const recording = () => toFile(talk, 'talk.wav');

async function refusal(work: Promise<unknown>): Promise<APIError> {
  return (await work.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error,
  )) as APIError;
}

interface Segment {
  speaker: string;
  text: string;
}

describe("OpenAI's own client", () => {
  test.each(['whisper-1', 'stt_a', 'Deepgram', 'auto'])(
    'transcribes a file with the model %s',
    async (model) => {
      const { data, response } = await openai()
        .audio.transcriptions.create({ file: await recording(), model })
        .withResponse();
      expect(data.text).toContain('note to myself');
      const id = response.headers.get('x-trivium-job-id') ?? '';
      const job = await readJob(gateway(), id);
      expect(job.result?.text).toBe(data.text);
      const cost = response.headers.get('x-trivium-cost-usd');
      expect(Number(cost)).toBe(job.result?.usage?.cost_usd ?? NaN);
      expect(Number(cost)).toBeGreaterThan(0);
      expect(response.headers.get('x-trivium-warnings')).toBe('[]');
    },
  );

  test.each(['gpt-4o-transcribe', 'gpt-transcribe'])(
    'may name %s, and gets a warning that another provider answers',
    async (model) => {
      const { data, response } = await openai()
        .audio.transcriptions.create({ file: await recording(), model })
        .withResponse();
      expect(data.text).toContain('note to myself');
      expect(JSON.parse(response.headers.get('x-trivium-warnings') ?? '')).toEqual([
        expect.objectContaining({ code: 'param_approximated', param: 'model' }),
      ]);
    },
  );

  test('gets the turns of speakers as diarized_json', async () => {
    const answer = await openai().audio.transcriptions.create({
      file: await recording(),
      model: 'gpt-4o-transcribe-diarize',
      response_format: 'diarized_json',
    });
    expect(answer).toMatchObject({ task: 'transcribe', duration: expect.any(Number) });
    const { segments, text } = answer as { text: string } & { segments: Segment[] };
    expect(segments[0]).toMatchObject({ type: 'transcript.text.segment', speaker: 'A' });
    expect(segments.map((one) => one.text).join(' ')).toBe(text.replaceAll('\n\n', ' '));
  });

  test('gets segments and words as verbose_json', async () => {
    const file = await recording();
    const asked = {
      file,
      model: 'stt_b',
      response_format: 'verbose_json',
      language: 'en',
    } as const;
    const both = await openai().audio.transcriptions.create({
      ...asked,
      timestamp_granularities: ['word', 'segment'],
    });
    expect([both.language, typeof both.duration]).toEqual(['english', 'number']);
    expect(both.words?.map(({ word }) => word).join(' ')).toBe(both.text.replaceAll('\n\n', ' '));
    expect(both.segments?.[0]).toMatchObject({ id: 0, start: expect.any(Number) as number });
    const usual = await openai().audio.transcriptions.create({
      ...asked,
      file: await recording(),
    });
    expect([usual.words, usual.segments?.length]).toEqual([undefined, both.segments?.length]);
    expect(usual.usage).toEqual({ type: 'duration', seconds: Math.ceil(usual.duration) });
  });

  test.each(['text', 'srt', 'vtt'] as const)('gets %s as text', async (response_format) => {
    const file = await recording();
    const answer = await openai().audio.transcriptions.create({
      file,
      model: 'stt_b',
      response_format,
    });
    const begins = { text: /^This is a note/, srt: /^1\n00:00:0\d,\d{3} --> /, vtt: /^WEBVTT\n/ };
    expect(String(answer)).toMatch(begins[response_format]);
  });

  test('gets a warning for a prompt and for what has no counterpart', async () => {
    const { response } = await openai()
      .audio.transcriptions.create({
        file: await recording(),
        model: 'stt_a',
        prompt: 'Harbor Point, HP-77 valve',
        temperature: 0.4,
        include: ['logprobs'],
      })
      .withResponse();
    const warnings = JSON.parse(response.headers.get('x-trivium-warnings') ?? '') as object[];
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'param_approximated', param: 'prompt' }),
      expect.objectContaining({ code: 'param_ignored', param: 'temperature' }),
      expect.objectContaining({ code: 'param_ignored', param: 'include' }),
    ]);
  });

  test('lists the models', async () => {
    const { data } = await openai().models.list();
    expect(data.map(({ id }) => id)).toEqual([
      ...['whisper-1', 'stt_a', 'stt_b', 'stt_c', 'assemblyai', 'deepgram', 'elevenlabs'],
    ]);
    OpenAiModelList.parse((await gateway().get('/v1/models')).body);
  });

  test.each([
    ['a stream', { stream: true }, 400, 'stream', 'unsupported'],
    ['an unknown model', { model: 'gpt-9' }, 404, 'model', 'model_not_found'],
    ['another format', { response_format: 'xml' }, 400, 'response_format', 'unsupported_value'],
    ['a language of no form', { language: 'x' }, 400, 'language', 'invalid_format'],
  ])('gets an error about %s', async (_name, change, status, param, code) => {
    const asked = { file: await recording(), model: 'whisper-1', ...change };
    const error = await refusal(openai().audio.transcriptions.create(asked as never));
    expect([error.status, error.type, error.param, error.code]).toEqual([
      ...[status, 'invalid_request_error', param, code],
    ]);
  });

  test('gets an error about a wrong key, a wrong file and an empty account', async () => {
    const create = async (client: OpenAI, bytes: Uint8Array) =>
      refusal(
        client.audio.transcriptions.create({
          file: await toFile(bytes, 'a.mp3'),
          model: 'whisper-1',
        }),
      );
    const wrong = await create(openai(`sk_live_${'a'.repeat(43)}`), talk);
    expect([wrong.status, wrong.code]).toEqual([401, 'invalid_api_key']);
    const text = await create(openai(), Buffer.from('not a recording'));
    expect([text.status, text.param, text.code]).toEqual([400, 'file', 'not_media']);
    const poor = await create(openai((await makeAccount(gateway(), 0)).key), talk);
    expect([poor.status, poor.code]).toEqual([402, 'insufficient_quota']);
  });

  test('is refused in strict mode if a parameter would be ignored', async () => {
    const error = await refusal(
      openai().audio.transcriptions.create(
        { file: await recording(), model: 'stt_b', temperature: 1 },
        { headers: { 'x-trivium-strict': 'true' } },
      ),
    );
    expect([error.status, error.message]).toEqual([
      ...[400, expect.stringContaining('temperature')],
    ]);
  });
});

describe('as applications call it', () => {
  test('Open WebUI sends the model before the file, and reads text', async () => {
    const form = new FormData();
    form.append('model', 'whisper-1');
    form.append('language', 'en');
    form.append('file', new Blob([talk]), '5f8e.wav');
    const answer = await send(form);
    expect((await answer.json()) as object).toMatchObject({ text: expect.any(String) as string });
  });

  test('AnythingLLM sends a temperature of 0', async () => {
    const client = openai();
    const { text } = await client.audio.transcriptions.create({
      file: await toFile(talk, 'audio.wav'),
      model: 'whisper-1',
      temperature: 0,
    });
    expect(text).toContain('note to myself');
  });

  test('every error below /v1/audio has their shape', async () => {
    const { url, key } = gateway();
    const authorization = `Bearer ${key}`;
    const form = formOf({ model: 'whisper-1' });
    const asked: [number, Promise<Response>][] = [
      [404, fetch(`${url}/v1/audio/speech`, { headers: { authorization } })],
      [405, fetch(`${url}/v1/audio/transcriptions`, { headers: { authorization } })],
      [401, send(form, {})],
      [401, fetch(`${url}/v1/models`)],
      [400, send(formOf({}), { authorization })],
      [400, send(formOf({ model: ['a', 'b'] }), { authorization })],
      [400, send(new FormData(), { authorization })],
      [400, send('{}', { authorization, 'content-type': 'application/json' })],
    ];
    for (const [status, answer] of asked) {
      const response = await answer;
      const { error } = OpenAiError.strict().parse(await response.json());
      expect([response.status, error.type]).toEqual([status, 'invalid_request_error']);
    }
  });

  test('a refused request leaves no upload behind', async () => {
    const folder = `${gateway().store_dir}/uploads`;
    // The file of a job is deleted just after the answer.
    await waitFor(() => Array.fromAsync(new Bun.Glob('*').scan(folder)), {
      what: 'no upload is left',
      until: ({ length }) => length === 0,
    });
  });
});

type Fields = Readonly<Record<string, string | readonly string[]>>;

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) form.append(name, String(one));
  }
  form.append('file', new Blob([talk]), 'talk.wav');
  return form;
}

function send(
  body: FormData | string,
  headers: Record<string, string> = { authorization: `Bearer ${gateway().key}` },
): Promise<Response> {
  return fetch(`${gateway().url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
}
