// Recordings whose length is known only afterwards cannot overspend the balance of two gateways that
// share a PostgreSQL.
import { afterAll, beforeAll, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { startPair } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import type { Answer } from '../http-client.ts';
import { hasEnded, interview, JobAnswer } from '../jobs.ts';
import { expect, proves } from '../proves.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { asOperator, makeAccount, operatorToken } from './small-account.ts';
import type { SmallAccount } from './small-account.ts';
import { startSpeechVendor } from './speech-vendor.ts';
import type { SpeechVendor } from './speech-vendor.ts';
import { waitFor } from '../wait-for.ts';

const hour = 3600;
/** An hour of stt_a costs 0.21 USD, which is held; the highest cost is that of ten hours. */
const asked = { audio_url: interview, provider: 'stt_a' };

type Money = { balance_usd: number; held_usd: number; exposed_usd: number };
type Refusal = { error: { type: string; message: string; detail: Record<string, unknown> } };
const refusalIn = ({ body }: Answer) => (body as Refusal).error;

const stack = new AsyncDisposableStack();
let gateways: readonly Gateway[] = [];
let vendor: SpeechVendor;
let store: Gateway['store'];

beforeAll(async () => {
  const sandbox = stack.use(await startTestSandbox());
  vendor = stack.use(startSpeechVendor(sandbox.url));
  const env = {
    ...vendor.env,
    TRIVIUM_ADMIN_TOKEN: operatorToken,
    LOG_LEVEL: 'error',
  };
  const { gateway: one, other } = stack.use(await startPair('PostgreSQL', { env }));
  gateways = [...new Set([one, other])];
  ({ store } = one);
});
afterAll(() => stack.disposeAsync());

const gateway = (at = 0): Gateway => {
  const one = gateways[at % gateways.length];
  if (!one) throw new Error('The gateways run only while the tests do.');
  return one;
};
const account = (balanceUsd: number, limits = {}) => makeAccount(gateway(), balanceUsd, limits);
const transcribe = (of: SmallAccount, headers = {}, at = 0, body: object = asked) =>
  of.on(gateway(at)).post('/v1/transcriptions', body, headers);
const moneyOf = async (of: SmallAccount) =>
  (await of.on(gateway()).get('/v1/balance')).body as Money;
const end = async (of: SmallAccount, { body, text }: Answer): Promise<JobAnswer> => {
  const { id } = body as { id?: string };
  if (id === undefined) throw new Error(`not accepted: ${text}`);
  const read = async () => JobAnswer.parse((await of.on(gateway()).get(`/v1/jobs/${id}`)).body);
  return waitFor(read, { what: `${id} ends`, until: hasEnded });
};
const set = async (of: SmallAccount, policy: object) => {
  const path = `/admin/v1/accounts/${of.id}`;
  const answer = await gateway().ask('PATCH', path, policy, asOperator);
  expect(answer.status).toBe(200);
};

test('half a cent accepts no recording of unknown length', async () => {
  vendor.seconds = 38 * hour;
  const poor = await account(0.005);
  const refused = await transcribe(poor);
  proves(['money.transcription.hold-in-full', 'errors.transcription.402'], () => {
    expect(refused.status).toBe(402);
    expect(refusalIn(refused)).toMatchObject({
      type: 'insufficient_credits',
      detail: { balance_usd: 0.005, needed_usd: 0.21 },
    });
    expect(refusalIn(refused).message).toContain('Upload the recording');
  });
  expect(await moneyOf(poor)).toMatchObject({ balance_usd: 0.005, held_usd: 0 });
});

test('twenty jobs at once are accepted up to the overdraft limit, whatever they cost', async () => {
  vendor.seconds = 10 * hour;
  vendor.isBusy = true;
  const one = await account(2.6);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => transcribe(one, {}, at)));
  const accepted = answers.filter(({ status }) => status === 202);
  const [refused] = answers.filter(({ status }) => status === 402);
  // 2.60 of balance and 5 of overdraft cover 2.10 three times.
  proves('money.transcription.exposure', () => {
    expect([accepted.length, answers.length]).toEqual([3, 20]);
    expect(refused && refusalIn(refused)).toMatchObject({
      detail: { balance_usd: 1.97, overdraft_usd: 5, exposed_usd: 5.67, needed_usd: 2.1 },
    });
  });
  expect(refused && refusalIn(refused).message).toContain('recording of up to 600 minutes');
  expect(await moneyOf(one)).toMatchObject({
    balance_usd: 1.97,
    held_usd: 0.63,
    exposed_usd: 5.67,
  });
  await proves('money.transcription.exposure-searches', async () => {
    const search = await one
      .on(gateway(1))
      .post('/v1/search', { query: 'tides', provider: 'engine_c' });
    expect(search.status).toBe(200);
  });
  vendor.isBusy = false;
  for (const answer of accepted) expect((await end(one, answer)).status).toBe('completed');
  const after = await moneyOf(one);
  expect(after).toMatchObject({ held_usd: 0, exposed_usd: 0 });
  expect(after.balance_usd).toBeLessThan(0);
  expect(after.balance_usd).toBeGreaterThanOrEqual(-5);
});

test('a recording longer than expected is charged in full, and later requests are refused', async () => {
  vendor.seconds = 47.9 * hour;
  vendor.isBusy = false;
  const one = await account(3);
  const job = await end(one, await transcribe(one));
  proves('money.transcription.long-in-full', () =>
    expect(job.result?.usage?.cost_usd).toBe(10.059),
  );
  await proves('money.transcription.below-zero', async () =>
    expect((await moneyOf(one)).balance_usd).toBe(-7.059),
  );
  await proves('money.transcription.below-zero-then-402', async () => {
    expect((await transcribe(one)).status).toBe(402);
    const search = await one.on(gateway()).post('/v1/search', { query: 'tides' });
    expect(search.status).toBe(402);
  });
});

test('a report of 49 hours without words is billed as held', async () => {
  vendor.seconds = 49 * hour;
  vendor.isBusy = false;
  vendor.hasWords = false;
  const one = await account(5);
  const silent = await end(one, await transcribe(one));
  vendor.hasWords = true;
  expect(silent.result?.usage).toMatchObject({ cost_usd: 0.21 });
  await proves('money.transcription.no-report', async () =>
    expect((await moneyOf(one)).balance_usd).toBe(4.79),
  );
});

// That several jobs together exceed no limit: server/src/billing/core/exposure.test.ts.
test('headers, policies and caps are compared with the highest cost', async () => {
  vendor.isBusy = true;
  const one = await account(100);
  const byHeader = await transcribe(one, { 'x-max-cost-usd': '0.30' });
  const capped = await account(100, { daily_cap_usd: 1 });
  const byCap = await transcribe(capped);
  const monthly = await account(100, { monthly_cap_usd: 2.09 });
  const byMonth = await transcribe(monthly);
  const limited = await account(100, { max_cost_usd: 0.3 });
  const byPolicy = await transcribe(limited);
  proves('money.transcription.worst-case-limits', () => {
    expect([byHeader, byCap, byMonth].map(({ status }) => status)).toEqual([402, 402, 402]);
    expect(byPolicy.status).toBe(400);
    for (const answer of [byHeader, byCap, byMonth, byPolicy]) {
      const { message } = refusalIn(answer);
      expect(message).toContain('a recording of up to 600 minutes may cost 2.1 USD');
      expect(message).toContain('Upload the recording');
      expect(message).toContain('longest length');
    }
  });
  // A policy of the account or the key lowers the longest length, and sets the overdraft limit.
  await set(capped, { max_audio_minutes: 30 });
  const short = await transcribe(capped, { 'x-max-cost-usd': '0.105' });
  expect([short.status, short.text]).toEqual([202, short.text]);
  const own = await account(0.3);
  await set(own, { overdraft_usd: 0 });
  expect(refusalIn(await transcribe(own)).detail).toMatchObject({ overdraft_usd: 0 });
  await set(own, { overdraft_usd: 1.8 });
  expect((await transcribe(own)).status).toBe(202);
  vendor.isBusy = false;
});

test('an estimate says what is held and what it can cost', async () => {
  const one = await account(10);
  const body = (await one.on(gateway()).post('/v1/estimates/transcription', asked)).body;
  expect(body).toMatchObject({ max_cost_usd: 2.1, held_usd: 0.21, hour_cost_usd: 0.21 });
});

test('the books are in order', async () => {
  for (const one of gateways) await one.stop();
  await auditStore(store);
});
