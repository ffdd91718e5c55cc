// Several credentials of a speech provider: submissions use them in turn, and every later call for
// a job uses the credential that submitted it.
import { expect, test } from 'bun:test';
import { leastCalls } from '../src/upstream/core/circuits.ts';
import type { Outgoing, Sent } from '../src/platform/http-client.ts';
import { providers } from '../src/providers/registry.ts';
import { pollJob } from '../src/transcription/look-up-job.ts';
import { submitJob } from '../src/transcription/submit-job.ts';
import { makeGuard } from '../src/upstream/guard.ts';
import { credentialName, nextCredential } from '../src/transcription/job-context.ts';
import type { JobContext } from '../src/transcription/job-context.ts';
import { createTranscriptReader } from '../src/transcription/read-transcript.ts';
import type { JobRow } from '../src/transcription/store/jobs.ts';
import { providersWith } from './configured-providers.ts';
import { noUploads } from './upload-context.ts';
import { makeJobRow } from './job-row.ts';

const secret = 'a secret of the gateway';
const hosts = { api: 'https://api.assemblyai.com' };
const limits = { maxRunning: 9, maxWaiting: 0, maxWaitMs: 1 };
const clock = { now: () => new Date(0), ticks: () => 0, sleep: () => Promise.resolve() };

function contextWith(keys: string[], answer: (key: string) => Sent) {
  const used: string[] = [];
  const [key = '', ...spareKeys] = keys;
  const upstream = { key, spare_keys: spareKeys, hosts };
  const guard = makeGuard(upstream, limits, clock);
  const jobs = {
    settings: { extras: {} },
    clock,
    prices: {},
    uploads: noUploads,
    secret,
    providers: providersWith({
      stt_a: { provider: providers.stt_a, state: 'configured', upstream, guard },
    }),
    reader: createTranscriptReader(),
    send: ({ headers }: Outgoing) => {
      const { authorization = '' } = headers;
      used.push(authorization);
      return Promise.resolve(answer(authorization));
    },
  } as unknown as JobContext;
  return { jobs, used };
}

const job = makeJobRow({
  provider: 'stt_a',
  model: 'universal-2',
  provider_job_id: 't1',
  callback_url: 'https://no-public-address.invalid/callbacks/stt_a/x',
  request: {
    audio_url: 'https://x.example/a.wav',
    ask: { model: 'universal-2', timestamps: 'word' },
    options: {},
  },
});

const answered = (status: number, body: object): Sent => ({
  ok: true,
  status,
  text: JSON.stringify(body),
  headers: new Headers(),
});
const accepted = () => answered(200, { id: 't1', status: 'queued' });
const withKey = (key: string): JobRow => ({ ...job, credential: credentialName(secret, key) });

test('submissions use credentials in turn, and their names reveal nothing', () => {
  const { jobs } = contextWith(['key-1', 'key-2'], accepted);
  const names = [1, 2, 3].map(() => nextCredential(jobs, 'stt_a') ?? '');
  expect(names).toEqual(['key-1', 'key-2', 'key-1'].map((key) => credentialName(secret, key)));
  expect(names.join()).not.toContain('key');
});

test('a job is submitted and polled with its own credential', async () => {
  const { jobs, used } = contextWith(['key-1', 'key-2'], accepted);
  expect(await submitJob(jobs, withKey('key-2'))).toMatchObject({ kind: 'accepted' });
  expect(await pollJob(jobs, withKey('key-2'))).toMatchObject({ kind: 'running' });
  expect(await pollJob(jobs, withKey('key-1'))).toMatchObject({ kind: 'running' });
  expect(used).toEqual(['key-2', 'key-2', 'key-1']);
});

for (const status of [401, 402, 429]) {
  test(`after a ${status} the credential is paused, and the job waits for another`, async () => {
    const { jobs } = contextWith(['key-1', 'key-2'], () => answered(status, { error: 'no' }));
    expect(await submitJob(jobs, withKey('key-1'))).toMatchObject({ kind: 'refused' });
    const next = [nextCredential(jobs, 'stt_a'), nextCredential(jobs, 'stt_a')];
    expect(next).toEqual(Array(2).fill(credentialName(secret, 'key-2')));
  });
}

test('with no other credential, a wrong one fails the job and says so', async () => {
  const { jobs } = contextWith(['key-1'], () => answered(401, { error: 'API token invalid' }));
  const report = await submitJob(jobs, withKey('key-1'));
  expect(report).toMatchObject({ kind: 'failed', failure: { provider_status: 401 } });
});

test('a job whose credential was removed is polled with no other', async () => {
  const { jobs, used } = contextWith(['key-1'], accepted);
  expect(await pollJob(jobs, withKey('key-9'))).toMatchObject({ kind: 'trouble' });
  expect(await submitJob(jobs, withKey('key-9'))).toMatchObject({ kind: 'refused' });
  expect(used).toEqual([]);
});

test('a provider that keeps failing is not called, and the job waits', async () => {
  const { jobs, used } = contextWith(['key-1'], () => answered(503, {}));
  for (let calls = 0; calls < leastCalls; calls += 1) await pollJob(jobs, job);
  const before = used.length;
  const report = await submitJob(jobs, job);
  expect(report).toMatchObject({ kind: 'refused' });
  expect((report as { retry_after_ms: number }).retry_after_ms).toBeGreaterThan(0);
  expect(await pollJob(jobs, job)).toMatchObject({ kind: 'trouble' });
  expect(used).toHaveLength(before);
});
