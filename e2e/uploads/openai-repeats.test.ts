// An Idempotency-Key on OpenAI's transcription: the official client sends it as an extra header. A
// repeated request gets the job of the first one; another file or another field is refused.
import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import type { APIError } from 'openai';
import { configureSpeech } from '../chaos/job-chaos.ts';
import { sharedSandbox } from '../harness.ts';
import { acceptedBy, makeWav, sha256 } from './recordings.ts';
import { waitFor } from '../wait-for.ts';

const pair = sharedSandbox();
const gateway = () => pair().gateway;
beforeAll(() => configureSpeech(pair().sandbox, { processing_ms: 20 }));
const talk = makeWav(60_000);
const replayed = 'idempotent-replayed';

interface Asked {
  key?: string;
  bytes?: Uint8Array;
  fields?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** With the client's own retries, as applications use it. */
async function transcribe({ key, bytes = talk, ...more }: Asked) {
  const client = new OpenAI({ apiKey: gateway().key, baseURL: `${gateway().url}/v1` });
  const { data, response } = await client.audio.transcriptions
    .create(
      { file: await toFile(bytes, 'talk.wav'), model: 'stt_b', ...more.fields },
      {
        headers: { ...(key === undefined ? {} : { 'Idempotency-Key': key }), ...more.headers },
        ...(more.signal ? { signal: more.signal } : {}),
      },
    )
    .withResponse();
  return { data, headers: response.headers, job: response.headers.get('x-trivium-job-id') };
}

async function refusal(asked: Asked): Promise<APIError> {
  return (await transcribe(asked).then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error,
  )) as APIError;
}

describe('the same request', () => {
  test('gets the same job and the same answer, is submitted once and charged once', async () => {
    const bytes = makeWav(70_000, 2);
    const made = await transcribe({ key: 'one-talk', bytes });
    const paid = await balance();
    for (let again = 0; again < 3; again += 1) {
      const repeated = await transcribe({ key: 'one-talk', bytes });
      expect([repeated.job, repeated.data]).toEqual([made.job, made.data]);
      expect([made.headers.get(replayed), repeated.headers.get(replayed)]).toEqual([
        ...[null, 'true'],
      ]);
      const cost = 'x-trivium-cost-usd';
      expect(repeated.headers.get(cost)).toBe(made.headers.get(cost));
    }
    expect(await balance()).toBe(paid);
    expect(await timesAccepted(bytes)).toBe(1);
    expect(left()).toEqual([]);
  });

  test('sent several times at once is one job', async () => {
    const bytes = makeWav(80_000, 3);
    const all = await Promise.all([1, 2, 3].map(() => transcribe({ key: 'at-once', bytes })));
    expect(new Set(all.map(({ job }) => job)).size).toBe(1);
    expect(await timesAccepted(bytes)).toBe(1);
  });

  test('gets the job of the caller who left', async () => {
    const bytes = makeWav(90_000, 4);
    const before = (await listedJobs()).length;
    const leaving = new AbortController();
    const asked = { key: 'left', bytes, signal: leaving.signal };
    const lost = transcribe(asked).catch(() => undefined);
    const jobs = await waitFor(listedJobs, {
      what: 'the job is listed',
      until: ({ length }) => length > before,
    });
    leaving.abort();
    await lost;
    const again = await transcribe({ key: 'left', bytes });
    expect([again.job, again.headers.get(replayed)]).toEqual([jobs[0]?.id ?? '', 'true']);
    expect(await timesAccepted(bytes)).toBe(1);
  });

  test('of a job that failed gets the failure again, and is not submitted again', async () => {
    const bytes = makeWav(50_000, 5);
    await pair().sandbox.fault('/deepgram', 'failing', { times: 1 });
    const first = await refusal({ key: 'failing', bytes });
    const again = await refusal({ key: 'failing', bytes });
    const jobOf = (error: APIError) => error.headers?.get('x-trivium-job-id');
    expect([again.status, jobOf(again)]).toEqual([502, jobOf(first)]);
    expect(await timesAccepted(bytes)).toBeLessThanOrEqual(1);
  });

  test('may have its fields in another order', async () => {
    const forms = [
      [...fields, file],
      [file, ...fields.toReversed()],
    ];
    const ids = [];
    for (const form of forms) {
      const body = new FormData();
      for (const [name, value] of form) body.append(name, value);
      const { url, key } = gateway();
      const answer = await fetch(`${url}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'order' },
        body,
      });
      ids.push(answer.headers.get('x-trivium-job-id'));
    }
    expect(ids[0]).toStartWith('job_');
    expect(ids[1]).toBe(ids[0]);
  });
});

describe('another request', () => {
  test.each<[string, Asked]>([
    ['another file', { bytes: makeWav(60_000, 6) }],
    ['another model', { fields: { model: 'stt_a' } }],
    ['a language', { fields: { language: 'en' } }],
    ['strict', { headers: { 'x-trivium-strict': 'true' } }],
  ])(
    'with %s under the key gives a 409, is sent once, and leaves nothing',
    async (_name, change) => {
      await transcribe({ key: 'taken' });
      const [jobs, spent] = [(await listedJobs()).length, await balance()];
      const error = await refusal({ key: 'taken', ...change });
      expect([error.status, error.type]).toEqual([409, 'invalid_request_error']);
      expect(error.headers?.get('x-should-retry')).toBe('false');
      expect([(await listedJobs()).length, await balance(), left()]).toEqual([jobs, spent, []]);
    },
  );

  test.each(['', 'a b', 'x'.repeat(256)])(
    'with the key %p gives a 400 that names the header',
    async (key) => {
      const error = await refusal({ key });
      expect([error.status, error.param]).toEqual([400, 'idempotency-key']);
      expect(left()).toEqual([]);
    },
  );
});

test('the other headers of a job count too', async () => {
  const bad = (name: string, value: string) => refusal({ headers: { [name]: value } });
  expect((await bad('x-trivium-webhook', 'http://127.0.0.1/hook')).status).toBe(400);
  expect((await bad('x-trivium-tags', '=')).status).toBe(400);
  expect((await bad('x-trivium-cache', '60')).status).toBe(400);
  expect((await bad('x-max-cost-usd', '0.000001')).status).toBe(402);
  expect(left()).toEqual([]);
});

const fields: [string, string][] = [
  ['model', 'stt_b'],
  ['language', 'en'],
  ['timestamp_granularities[]', 'word'],
];
const file: [string, Blob] = ['file', new Blob([makeWav(40_000, 7)])];

async function timesAccepted(bytes: Uint8Array): Promise<number> {
  const all = await acceptedBy(pair().sandbox.url);
  return all.filter((one) => one.file?.sha256 === sha256(bytes)).length;
}

async function balance(): Promise<unknown> {
  return ((await gateway().get('/v1/balance')).body as { balance_usd: number }).balance_usd;
}

async function listedJobs(): Promise<{ id: string }[]> {
  const { body } = await gateway().get('/v1/jobs?limit=100');
  return (body as { jobs: { id: string }[] }).jobs;
}

function left(): string[] {
  const folder = join(gateway().store_dir, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
}
