// Several credentials of a speech provider: submissions use them in turn, and whatever is asked
// later about a job is asked with the one it was submitted with.
import { expect, test } from 'bun:test';
import { least_calls } from '../src/domain/resilience/circuit.ts';
import type { Outgoing, Sent } from '../src/platform/http.ts';
import { providers } from '../src/providers/index.ts';
import { askProvider, submit } from '../src/services/ask-speech-provider.ts';
import { makeGuard } from '../src/services/guard.ts';
import type { House } from '../src/services/house.ts';
import { credentialName, nextCredential } from '../src/services/job-desk.ts';
import type { JobDesk } from '../src/services/job-desk.ts';
import { makeUnprovenRoom } from '../src/services/delivery-body.ts';
import { makeReader } from '../src/services/read-transcript.ts';
import type { JobRow } from '../src/store/jobs.ts';

const secret = 'a secret of the house';
const hosts = { api: 'https://api.assemblyai.com' };
const limits = { most_running: 9, most_waiting: 0, longest_wait_ms: 1 };
const clock = { now: () => new Date(0), ticks: () => 0, sleep: () => Promise.resolve() };

function deskWith(keys: string[], answer: (key: string) => Sent) {
  const used: string[] = [];
  const [key = '', ...spare_keys] = keys;
  const upstream = { key, spare_keys, hosts };
  const guard = makeGuard(upstream, limits, clock);
  const house = {
    settings: { extras: {}, max_request_usd: 10 },
    clock,
    prices: {},
    stations: { stt_a: { provider: providers.stt_a, state: 'configured', upstream, guard } },
    send: ({ headers }: Outgoing) => {
      const { authorization = '' } = headers;
      used.push(authorization);
      return Promise.resolve(answer(authorization));
    },
  } as unknown as House;
  const nudge = () => undefined;
  const reader = makeReader();
  const unproven = makeUnprovenRoom(() => 0);
  const desk: JobDesk = { house, secret, owner: 'o', reader, chance: () => 0, nudge, unproven };
  return { desk, used };
}

const job = {
  id: 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d',
  provider: 'stt_a',
  provider_job_id: 't1',
  attempt: 1,
  callback_url: 'https://no-public-address.invalid/callbacks/stt_a/x',
  credential: null,
  submitted_at: 0,
  deadline_at: 60_000,
  request: {
    audio_url: 'https://x.example/a.wav',
    ask: { model: 'universal-2', timestamps: 'word' },
    options: {},
  },
} as unknown as JobRow;

const answered = (status: number, body: object): Sent => ({
  ok: true,
  status,
  text: JSON.stringify(body),
  headers: new Headers(),
});
const accepted = () => answered(200, { id: 't1', status: 'queued' });
const withKey = (key: string): JobRow => ({ ...job, credential: credentialName(secret, key) });

test('submissions take credentials in turn, and their names give nothing away', () => {
  const { desk } = deskWith(['key-1', 'key-2'], accepted);
  const names = [1, 2, 3].map(() => nextCredential(desk, 'stt_a') ?? '');
  expect(names).toEqual(['key-1', 'key-2', 'key-1'].map((key) => credentialName(secret, key)));
  expect(names.join()).not.toContain('key');
});

test('a job is submitted and asked after with its own credential', async () => {
  const { desk, used } = deskWith(['key-1', 'key-2'], accepted);
  expect(await submit(desk, withKey('key-2'))).toMatchObject({ kind: 'accepted' });
  expect(await askProvider(desk, withKey('key-2'))).toMatchObject({ kind: 'running' });
  expect(await askProvider(desk, withKey('key-1'))).toMatchObject({ kind: 'running' });
  expect(used).toEqual(['key-2', 'key-2', 'key-1']);
});

for (const status of [401, 402, 429]) {
  test(`after a ${status} the credential rests, and the job waits for another`, async () => {
    const { desk } = deskWith(['key-1', 'key-2'], () => answered(status, { error: 'no' }));
    expect(await submit(desk, withKey('key-1'))).toMatchObject({ kind: 'refused' });
    const next = [nextCredential(desk, 'stt_a'), nextCredential(desk, 'stt_a')];
    expect(next).toEqual(Array(2).fill(credentialName(secret, 'key-2')));
  });
}

test('with no other credential, a wrong one fails the job and says so', async () => {
  const { desk } = deskWith(['key-1'], () => answered(401, { error: 'API token invalid' }));
  const news = await submit(desk, withKey('key-1'));
  expect(news).toMatchObject({ kind: 'failed', failure: { provider_status: 401 } });
});

test('a job whose credential was taken away is asked after with no other', async () => {
  const { desk, used } = deskWith(['key-1'], accepted);
  expect(await askProvider(desk, withKey('key-9'))).toMatchObject({ kind: 'trouble' });
  expect(await submit(desk, withKey('key-9'))).toMatchObject({ kind: 'refused' });
  expect(used).toEqual([]);
});

test('a provider that keeps failing is left alone, and the job waits', async () => {
  const { desk, used } = deskWith(['key-1'], () => answered(503, {}));
  for (let calls = 0; calls < least_calls; calls += 1) await askProvider(desk, job);
  const before = used.length;
  const news = await submit(desk, job);
  expect(news).toMatchObject({ kind: 'refused' });
  expect((news as { retry_after_ms: number }).retry_after_ms).toBeGreaterThan(0);
  expect(await askProvider(desk, job)).toMatchObject({ kind: 'trouble' });
  expect(used).toHaveLength(before);
});
