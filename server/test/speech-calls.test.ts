// How long a submission is waited for, and on what connection it goes out.
import { expect, test } from 'bun:test';
import { least_calls } from '../src/domain/resilience/circuit.ts';
import type { Outgoing } from '../src/platform/http.ts';
import { providers } from '../src/providers/index.ts';
import { submit } from '../src/services/ask-speech-provider.ts';
import { readyInOrder } from '../src/services/choose-provider.ts';
import { makeGuard } from '../src/services/guard.ts';
import type { Guard } from '../src/services/guard.ts';
import type { House } from '../src/services/house.ts';
import type { JobDesk } from '../src/services/job-desk.ts';
import { makeUnprovenRoom } from '../src/services/delivery-body.ts';
import { makeReader } from '../src/services/read-transcript.ts';
import type { Watch } from '../src/services/watch.ts';
import type { JobRow } from '../src/store/jobs.ts';
import { proves } from '../../e2e/verifies.ts';

const now = 1_000_000;
const two_hours_ms = 2 * 60 * 60 * 1000;
const upstream = { key: 'k', hosts: { api: 'https://api.deepgram.com' } };
const clock = { now: () => new Date(now), ticks: () => 0, sleep: () => Promise.resolve() };

async function sentFor(
  change: Partial<JobRow>,
  more: { guard?: Guard; watch?: Pick<Watch, 'called'> } = {},
): Promise<{ outgoing: Outgoing; news: unknown }> {
  const sent: Outgoing[] = [];
  const provider = providers.stt_b;
  const house = {
    settings: { extras: {}, max_request_usd: 10 },
    clock,
    prices: {},
    stations: { stt_b: { provider, state: 'configured', upstream, guard: more.guard } },
    watch: more.watch,
    send: (outgoing: Outgoing) => {
      sent.push(outgoing);
      return Promise.resolve({ ok: false, failure: 'timed_out', message: 'no answer' });
    },
  } as unknown as House;
  const reader = makeReader();
  const desk: JobDesk = {
    house,
    secret: 's',
    owner: 'o',
    reader,
    chance: () => 0,
    nudge: () => undefined,
    unproven: makeUnprovenRoom(() => 0),
  };
  const job = {
    id: 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d',
    provider: 'stt_b',
    attempt: 1,
    callback_url: null,
    credential: null,
    created_at: now,
    submitted_at: now,
    deadline_at: now + two_hours_ms,
    request: {
      audio_url: 'https://x.example/',
      ask: { model: 'nova-3', timestamps: 'word' },
      options: {},
    },
    ...change,
  } as unknown as JobRow;
  const news = await submit(desk, job);
  const [outgoing] = sent;
  if (!outgoing || sent.length !== 1) throw new Error(`${sent.length} were sent`);
  return { outgoing, news };
}

test('a submission that is called back waits 30 seconds, on a connection of its own', async () => {
  proves('calls.timeout.submit');
  const { outgoing, news } = await sentFor({ callback_url: 'https://gateway.example/callbacks/x' });
  expect(outgoing).toMatchObject({ timeout_ms: 30_000, fresh: true });
  expect(news).toMatchObject({ kind: 'unknown' });
});

test('a synchronous one waits up to 15 minutes, and never past the deadline', async () => {
  proves('jobs.submit.synchronous');
  expect((await sentFor({})).outgoing.timeout_ms).toBe(15 * 60_000);
  expect((await sentFor({ deadline_at: now + 5000 })).outgoing.timeout_ms).toBe(5000);
});

test('a speech provider that keeps failing is counted, and auto asks another one', async () => {
  const limits = { most_running: 1, most_waiting: 0, longest_wait_ms: 1 };
  const guard = makeGuard(upstream, limits, clock);
  const results: string[] = [];
  const watch = { called: (provider: string, result: string) => results.push(provider + result) };
  const failing = { provider: providers.stt_b, state: 'configured', upstream, guard } as const;
  const other = {
    ...failing,
    provider: providers.stt_c,
    guard: makeGuard(upstream, limits, clock),
  };
  const stations = { stt_b: failing, stt_c: other } as unknown as House['stations'];
  const order = () => readyInOrder(stations, ['stt_b', 'stt_c']).map((one) => one.provider.id);
  expect(order()).toEqual(['stt_b', 'stt_c']);
  for (let calls = 0; calls < least_calls; calls += 1) await sentFor({}, { guard, watch });
  expect(results).toEqual(Array<string>(least_calls).fill('stt_buncertain'));
  expect(order()).toEqual(['stt_c', 'stt_b']);
});
