// Holds, costs and refunds of a transcription.
import { test } from 'bun:test';
import { askExtract, askSearch } from '../asking.ts';
import { shared, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview, runJob, submitJob } from '../jobs.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { expect, proves } from '../proves.ts';

const sandbox = shared(startTestSandbox);

type Money = { balance_usd: number; held_usd: number };
const moneyOf = async (gateway: Gateway) => (await gateway.get('/v1/balance')).body as Money;
const slow = () => sandbox().fault('/assemblyai', 'slow', { times: 1, delay_ms: 3000 });
const start = (balance: string, env = {}) =>
  startGateway({
    sandbox: sandbox().url,
    env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: balance, ...env },
  });

test('a job holds an hour or the configured minutes, and settles on its duration', async () => {
  await using gateway = await start('10');
  await slow();
  const body = { provider: 'stt_a', diarize: true, keyterms: ['HP-77'] };
  await submitJob(gateway, body);
  // 0.21 an hour, 0.02 for speakers, 0.05 for terms.
  await proves('money.transcription.hold', async () =>
    expect(await moneyOf(gateway)).toMatchObject({ balance_usd: 9.72, held_usd: 0.28 }),
  );
  await using short = await start('10', { TRIVIUM_JOB_HOLD_MINUTES: '6' });
  await slow();
  await submitJob(short, body);
  await proves('money.transcription.hold-setting', async () =>
    expect((await moneyOf(short)).held_usd).toBe(0.028),
  );

  await using other = await start('10');
  const job = await runJob(other, body);
  // The service rounds 61.44 seconds up to 62.
  proves('job-result.usage-needs-duration', () => expect(job.result?.duration_seconds).toBe(62));
  await proves('money.transcription.settled-on-duration', async () => {
    expect(job.result?.usage).toEqual({ cost_usd: 0.004823, credits: 5 });
    expect(await moneyOf(other)).toMatchObject({ balance_usd: 9.995177, held_usd: 0 });
  });
});

test('one key works for all three tools, and one balance pays for them', async () => {
  await using gateway = await start('10');
  const balances = [10];
  const costs: number[] = [];
  const charge = async (costUsd: number) => {
    costs.push(costUsd);
    balances.push((await moneyOf(gateway)).balance_usd);
  };
  const found = await askSearch(gateway, { query: 'tides', provider: 'engine_a' });
  await charge(found.usage.cost_usd);
  const urls = ['https://pages.example/new-home'];
  const read = await askExtract(gateway, { urls, provider: 'engine_a' });
  await charge(read.usage.cost_usd);
  const job = await runJob(gateway, { provider: 'stt_a' });
  await charge(job.result?.usage?.cost_usd ?? 0);
  // The client sends the same key with each of the three.
  proves('conventions.one-key-for-all', () =>
    expect([found.results.length > 0, read.results.length, job.status]).toEqual([
      true,
      1,
      'completed',
    ]),
  );
  proves('conventions.one-bill-for-all', () => {
    for (const [at, cost] of costs.entries()) {
      expect(cost).toBeGreaterThan(0);
      expect(balances[at + 1]).toBeCloseTo((balances[at] ?? NaN) - cost, 6);
    }
  });
});

test('the same Idempotency-Key creates one job and returns the same answer', async () => {
  await using gateway = await start('10');
  const body = { audio_url: interview, provider: 'stt_a' };
  const key = { 'idempotency-key': 'once' };
  const first = await gateway.post('/v1/transcriptions', body, key);
  const second = await gateway.post('/v1/transcriptions', body, key);
  proves('calls.idempotency.every-post', () => {
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
  const other = await gateway.post('/v1/transcriptions', { ...body, diarize: true }, key);
  expect(other.status).toBe(409);
  for (const path of ['/v1/search', '/v1/extract']) {
    const asked = { query: 'tides', urls: ['https://pages.example/new-home'] };
    const { query, urls } = asked;
    const mine = path === '/v1/search' ? { query } : { urls, provider: 'engine_j' };
    const name = { 'idempotency-key': path };
    const one = await gateway.post(path, mine, name);
    const two = await gateway.post(path, mine, name);
    proves('calls.idempotency.every-post', () =>
      expect([one.status, two.text]).toEqual([200, one.text]),
    );
  }
});

test('a secret is generated at the first start and kept', async () => {
  await using gateway = await start('10');
  const file = Bun.file(`${gateway.store_dir}/secret`);
  const secret = await file.text();
  await proves('settings.secret.made-once', async () => {
    expect(secret.length).toBeGreaterThanOrEqual(32);
    await gateway.restart();
    expect(await file.text()).toBe(secret);
  });
});
