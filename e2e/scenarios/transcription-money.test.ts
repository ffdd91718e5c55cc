// What a transcription holds, costs and gives back.
import { afterAll, beforeAll, expect } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview, passTime, runJob, submitJob } from '../jobs.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import type { SandboxProcess } from '../sandbox-process.ts';
import { scenario } from '../verifies.ts';

let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
});
afterAll(() => sandbox.stop());

type Money = { balance_usd: number; held_usd: number };
const moneyOf = async (gateway: Gateway) => (await gateway.get('/v1/balance')).body as Money;
const slow = () => sandbox.fault('/assemblyai', 'slow', { times: 1, delay_ms: 3000 });
const start = (balance: string, env = {}) =>
  startGateway({
    sandbox: sandbox.url,
    env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: balance, ...env },
  });

scenario(
  'a job holds an hour with its options, or what the operator says, and is settled on its length',
  [
    'money.transcription.hold',
    'money.transcription.hold-setting',
    'money.transcription.settled-on-duration',
    'job-result.usage-needs-duration',
    'conventions.one-bill-for-all',
    'conventions.one-key-for-all',
  ],
  async () => {
    await using gateway = await start('10');
    await slow();
    const body = { provider: 'stt_a', diarize: true, keyterms: ['HP-77'] };
    await submitJob(gateway, body);
    // 0.21 an hour, 0.02 for speakers, 0.05 for terms.
    expect(await moneyOf(gateway)).toMatchObject({ balance_usd: 9.72, held_usd: 0.28 });
    await using short = await start('10', { TRIVIUM_JOB_HOLD_MINUTES: '6' });
    await slow();
    await submitJob(short, body);
    expect((await moneyOf(short)).held_usd).toBe(0.028);

    await using other = await start('10');
    const job = await runJob(other, body);
    // The service rounds 61.44 seconds up to 62.
    expect(job.result?.duration_seconds).toBe(62);
    expect(job.result?.usage).toEqual({ cost_usd: 0.004823, credits: 5 });
    expect(await moneyOf(other)).toMatchObject({ balance_usd: 9.995177, held_usd: 0 });
    const search = await other.post('/v1/search', { query: 'tides', provider: 'engine_a' });
    expect(search.status).toBe(200);
    expect((await moneyOf(other)).balance_usd).toBeLessThan(9.995177);
  },
);

scenario(
  'a job holds no more than there is, but at least a minute, else it is a 402',
  [
    'money.transcription.hold-within-balance',
    'money.transcription.hold-one-minute',
    'money.transcription.below-zero',
    'money.transcription.below-zero-then-402',
    'errors.transcription.402',
  ],
  async () => {
    await using gateway = await start('0.01');
    await slow();
    await submitJob(gateway, { provider: 'stt_a' });
    expect(await moneyOf(gateway)).toMatchObject({ balance_usd: 0, held_usd: 0.01 });
    const second = await gateway.post('/v1/transcriptions', { audio_url: interview });
    expect(second.status).toBe(402);
    expect(second.body).toMatchObject({ error: { type: 'insufficient_credits' } });

    await using poor = await start('0.01');
    const audio_url = 'https://recordings.example/lecture.wav';
    const job = await runJob(poor, { provider: 'stt_a', audio_url });
    expect(job.result?.usage?.cost_usd).toBe(2.1);
    expect((await moneyOf(poor)).balance_usd).toBe(-2.09);
    expect((await poor.post('/v1/transcriptions', { audio_url: interview })).status).toBe(402);
    expect((await poor.post('/v1/search', { query: 'tides' })).status).toBe(402);
    expect((await poor.get(`/v1/jobs/${job.id}`)).status).toBe(200);
  },
);

scenario(
  'the same Idempotency-Key makes one job and gives the same receipt',
  ['calls.idempotency.every-post'],
  async () => {
    await using gateway = await start('10');
    const body = { audio_url: interview, provider: 'stt_a' };
    const key = { 'idempotency-key': 'once' };
    const first = await gateway.post('/v1/transcriptions', body, key);
    const second = await gateway.post('/v1/transcriptions', body, key);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const other = await gateway.post('/v1/transcriptions', { ...body, diarize: true }, key);
    expect(other.status).toBe(409);
    for (const path of ['/v1/search', '/v1/extract']) {
      const asked = { query: 'tides', urls: ['https://pages.example/new-home'] };
      const { query, urls } = asked;
      const mine = path === '/v1/search' ? { query } : { urls, provider: 'engine_j' };
      const name = { 'idempotency-key': path };
      const one = await gateway.post(path, mine, name);
      const two = await gateway.post(path, mine, name);
      expect([one.status, two.text]).toEqual([200, one.text]);
    }
  },
);

scenario(
  'a secret is made at the first start and kept',
  ['settings.secret.made-once'],
  async () => {
    await using gateway = await start('10');
    const file = Bun.file(`${gateway.data_dir}/secret`);
    const secret = await file.text();
    expect(secret.length).toBeGreaterThanOrEqual(32);
    await passTime(gateway, 'select 1');
    expect(await file.text()).toBe(secret);
  },
);
