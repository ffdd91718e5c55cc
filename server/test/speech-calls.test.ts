// How long the gateway waits for a submission, and which connection it uses.
import { test } from 'bun:test';
import { leastCalls } from '../src/upstream/core/circuits.ts';
import type { Outgoing } from '../src/platform/http-client.ts';
import { providers } from '../src/providers/registry.ts';
import { sendingMs } from '../src/transcription/call-speech-provider.ts';
import { submitJob } from '../src/transcription/submit-job.ts';
import { readyInOrder } from '../src/upstream/choose-provider.ts';
import { type Guard, makeGuard } from '../src/upstream/guard.ts';
import type { JobContext } from '../src/transcription/job-context.ts';
import { createTranscriptReader } from '../src/transcription/read-transcript.ts';
import type { ServiceMetrics } from '../src/requests/context.ts';
import type { JobRow } from '../src/transcription/store/jobs.ts';
import { expect, proves } from '../../e2e/proves.ts';
import { providersWith } from './configured-providers.ts';
import { noUploads } from './upload-context.ts';
import { makeJobRow } from './job-row.ts';

const now = 1_000_000;
const twoHoursMs = 2 * 60 * 60 * 1000;
const upstream = { key: 'k', hosts: { api: 'https://api.deepgram.com' } };
const clock = { now: () => new Date(now), ticks: () => 0, sleep: () => Promise.resolve() };

async function sentFor(
  change: Partial<JobRow>,
  more: { guard?: Guard; metrics?: Pick<ServiceMetrics, 'called' | 'adapterFailed'> } = {},
): Promise<{ outgoing: Outgoing; report: unknown }> {
  const sent: Outgoing[] = [];
  const { guard, metrics } = more;
  const configured = { provider: providers.stt_b, state: 'configured', upstream } as const;
  const jobs = {
    settings: { extras: {} },
    clock,
    prices: {},
    uploads: noUploads,
    secret: 's',
    providers: providersWith({ stt_b: { ...configured, ...(guard ? { guard } : {}) } }),
    reader: createTranscriptReader(),
    ...(metrics ? { metrics } : {}),
    send: (outgoing: Outgoing) => {
      sent.push(outgoing);
      return Promise.resolve({ ok: false, failure: 'timed_out', message: 'no answer' });
    },
  } as unknown as JobContext;
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
