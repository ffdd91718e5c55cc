// Calls to speech providers: how long the gateway waits and on which connection, which credential each
// call uses, and when a provider is not called.
import { test } from 'bun:test';
import { leastCalls } from '../src/upstream/core/circuits.ts';
import type { Outgoing, Sent } from '../src/platform/http-client.ts';
import { providers } from '../src/providers/registry.ts';
import { sendingMs } from '../src/transcription/call-speech-provider.ts';
import { submitJob } from '../src/transcription/submit-job.ts';
import { readyInOrder } from '../src/upstream/choose-provider.ts';
import { type Guard, makeGuard } from '../src/upstream/guard.ts';
import {
  credentialName,
  type JobContext,
  nextCredential,
} from '../src/transcription/job-context.ts';
import { createTranscriptReader } from '../src/transcription/read-transcript.ts';
import type { ServiceMetrics } from '../src/requests/context.ts';
import type { JobRow } from '../src/transcription/store/jobs.ts';
import { expect, proves } from '../../e2e/proves.ts';
import { providersWith } from './configured-providers.ts';
import { noUploads } from './upload-context.ts';
import { makeJobRow } from './job-row.ts';
import { pollJob } from '../src/transcription/look-up-job.ts';

const secret = 'a secret of the gateway';
const now = 1_000_000;
const twoHoursMs = 2 * 60 * 60 * 1000;
const upstream = { key: 'k', hosts: { api: 'https://api.deepgram.com' } };
const clock = { now: () => new Date(now), ticks: () => 0, sleep: () => Promise.resolve() };

/** The job is read and called as given. */
const contextOf = (parts: object) =>
  ({
    ...{ settings: { extras: {} }, clock, prices: {}, uploads: noUploads, secret },
    ...{ reader: createTranscriptReader(), ...parts },
  }) as unknown as JobContext;

async function sentFor(
  change: Partial<JobRow>,
  more: { guard?: Guard; metrics?: Pick<ServiceMetrics, 'called' | 'adapterFailed'> } = {},
): Promise<{ outgoing: Outgoing; report: unknown }> {
  const sent: Outgoing[] = [];
  const { guard, metrics } = more;
  const configured = { provider: providers.stt_b, state: 'configured', upstream } as const;
  const jobs = contextOf({
    providers: providersWith({ stt_b: { ...configured, ...(guard ? { guard } : {}) } }),
    ...(metrics ? { metrics } : {}),
    send: (outgoing: Outgoing) => {
      sent.push(outgoing);
      return Promise.resolve({ ok: false, failure: 'timed_out', message: 'no answer' });
    },
  });
  const times = { created_at: now, submitted_at: now, deadline_at: now + twoHoursMs };
  const job = makeJobRow({ ...times, ...change });
  const report = await submitJob(jobs, job);
  const [outgoing] = sent;
  if (!outgoing || sent.length !== 1) throw new Error(`${sent.length} were sent`);
  return { outgoing, report };
}

test('a submission with a callback waits 30 seconds, on a separate connection', async () => {
  const { outgoing, report } = await sentFor({
    callback_url: 'https://gateway.example/callbacks/x',
  });
  proves('calls.timeout.submit', () =>
    expect(outgoing).toMatchObject({ timeout_ms: 30_000, fresh: true }),
  );
  expect(report).toMatchObject({ kind: 'unknown' });
});

test('a synchronous submission waits up to 15 minutes, and never past the deadline', async () => {
  await proves('jobs.submit.synchronous', async () => {
    expect((await sentFor({})).outgoing.timeout_ms).toBe(15 * 60_000);
    expect(sendingMs(1024 * 1024)).toBe(8000);
    expect((await sentFor({ deadline_at: now + 5000 })).outgoing.timeout_ms).toBe(5000);
  });
});

test('failures of a speech provider are counted, and auto chooses another one', async () => {
  const limits = { maxRunning: 1, maxWaiting: 0, maxWaitMs: 1 };
  const guard = makeGuard(upstream, limits, clock);
  const results: string[] = [];
  const metrics = {
    called: (provider: string, result: string) => results.push(provider + result),
    adapterFailed: () => undefined,
  };
  const failing = { provider: providers.stt_b, state: 'configured', upstream, guard } as const;
  const other = {
    ...failing,
    provider: providers.stt_c,
    guard: makeGuard(upstream, limits, clock),
  };
  const configured = providersWith({ stt_b: failing, stt_c: other });
  const { account_id: account } = makeJobRow({});
  const order = (accountId = account) =>
    readyInOrder(configured, ['stt_b', 'stt_c'], accountId).map((one) => one.provider.id);
  expect(order()).toEqual(['stt_b', 'stt_c']);
  for (let calls = 0; calls < leastCalls; calls += 1) await sentFor({}, { guard, metrics });
  expect(results).toEqual(Array<string>(leastCalls).fill('stt_buncertain'));
  expect(order()).toEqual(['stt_c', 'stt_b']);
  // One account does not keep another from a provider.
  expect(order('another')).toEqual(['stt_b', 'stt_c']);
});

const hosts = { api: 'https://api.assemblyai.com' };
const limits = { maxRunning: 9, maxWaiting: 0, maxWaitMs: 1 };

function contextWith(keys: string[], answer: (key: string) => Sent) {
  const used: string[] = [];
  const [key = '', ...spareKeys] = keys;
  const upstream = { key, spare_keys: spareKeys, hosts };
  const guard = makeGuard(upstream, limits, clock);
  const jobs = contextOf({
    providers: providersWith({
      stt_a: { provider: providers.stt_a, state: 'configured', upstream, guard },
    }),
    send: ({ headers: { authorization = '' } }: Outgoing) => {
      used.push(authorization);
      return Promise.resolve(answer(authorization));
    },
  });
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
