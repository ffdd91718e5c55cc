// Rate limits per key: off by default, and shared by the gateways on one store.
import { test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createDatabase } from '../database.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { SearchAnswer } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const perMinute = 3;
/** More than two minutes allow, in case a minute ends during the test. */
const each = 5 * perMinute;
const many = 100;

test('without the setting a key has no limit, and nothing is counted', async () => {
  await using database = await createDatabase();
  await using gateway = await startGateway({ database_url: database.url });
  const answers = await postRepeatedly(gateway, gateway.key, many);
  await proves('choice.429.off-by-default', async () => {
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await readCounts(database.url)).toEqual([]);
  });
});

test('two gateways share the limit of a key, and a 429 above it costs nothing', async () => {
  await using database = await createDatabase();
  await using sandbox = await startTestSandbox();
  const options = {
    sandbox: sandbox.url,
    database_url: database.url,
    env: {
      TRIVIUM_SECRET: randomBytes(32).toString('base64url'),
      TRIVIUM_KEY_REQUESTS_PER_MINUTE: String(perMinute),
    },
  };
  await using first = await startGateway(options);
  const env = { ...options.env, TRIVIUM_BOOTSTRAP_KEY: first.key };
  await using second = await startGateway({ ...options, env });
  const answers = (
    await Promise.all([first, second].map((one) => postRepeatedly(one, first.key, each)))
  ).flat();

  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  const counts = await readCounts(database.url);
  for (const requests of counts) expect(requests).toBeLessThanOrEqual(perMinute);
  expect(sum(counts)).toBe(served.length);
  expect(served.length).toBeGreaterThanOrEqual(perMinute);
  expect(refused.length).toBeGreaterThan(each);
  proves('choice.429.rate-limited', () => {
    for (const { status, headers, body } of refused) {
      expect({ status, body }).toMatchObject({
        status: 429,
        body: { error: { type: 'rate_limited' } },
      });
      const waitS = Number(headers.get('retry-after'));
      expect(waitS).toBeGreaterThanOrEqual(1);
      expect(waitS).toBeLessThanOrEqual(60);
    }
  });

  expect(await sandbox.calls('/exa')).toHaveLength(served.length);
  const paid = sum(served.map(({ body }) => SearchAnswer.parse(body).usage.cost_usd));
  const money = (await first.get('/v1/balance')).body as Record<string, number>;
  expect(money['held_usd']).toBe(0);
  expect(money['balance_usd']).toBeCloseTo(10 - paid, 6);
});

test('the limit covers every tool, applies per key, and counts replays', async () => {
  await using gateway = await startGateway({
    env: { TRIVIUM_KEY_REQUESTS_PER_MINUTE: '2', TRIVIUM_ADMIN_TOKEN: adminToken },
  });
  const once = { 'idempotency-key': 'once' };
  const before = await gateway.post('/v1/search', question, once);
  const again = await gateway.post('/v1/search', question, once);
  expect([before.status, again.text]).toEqual([200, before.text]);
  const bodies = [
    ['/v1/extract', { urls: ['https://pages.example/new-home'], provider: 'engine_j' }],
    ['/v1/transcriptions', { audio_url: interview }],
    ['/v1/search', { ...question, provider: 'fusion' }],
  ] as const;
  // If a minute ends in between, one of them is served; over two rounds most are not.
  const statuses: number[] = [];
  for (const [path, body] of [...bodies, ...bodies]) {
    statuses.push((await gateway.post(path, body)).status);
  }
  const limited = statuses.filter((status) => status === 429);
  proves('choice.429.rate-limited', () =>
    expect(limited.length).toBeGreaterThanOrEqual(statuses.length - 1),
  );
  expect((await gateway.get('/v1/balance')).status).toBe(200);
  const asOperator = { authorization: `Bearer ${adminToken}` };
  const made = await gateway.post(
    '/admin/v1/accounts/acct_default/keys',
    { name: 'another' },
    asOperator,
  );
  const { key } = made.body as { key: string };
  const other = await gateway.post('/v1/search', question, { authorization: `Bearer ${key}` });
  expect(other.status).toBe(200);
});

const adminToken = 'operator-token-of-the-rate-limit-tests';

function postRepeatedly(gateway: Gateway, key: string, times: number) {
  const headers = { authorization: `Bearer ${key}` };
  return Promise.all(
    Array.from({ length: times }, () => gateway.post('/v1/search', question, headers)),
  );
}

/** How many requests the store counted, minute by minute. */
async function readCounts(url: string): Promise<number[]> {
  const sql = new Bun.SQL(url, { max: 1 });
  const rows = (await sql.unsafe('select requests from key_minutes')) as { requests: unknown }[];
  await sql.end();
  return rows.map(({ requests }) => Number(requests));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, one) => total + one, 0);
}
