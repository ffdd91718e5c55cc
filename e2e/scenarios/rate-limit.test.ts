// The limit of requests on a key: nobody has one unless the operator says so, and then gateways on
// one store share it.
import { expect } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createDatabase } from '../database.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import { SearchAnswer } from '../shapes.ts';
import { scenario } from '../verifies.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const PER_MINUTE = 3;
/** Above what two minutes let through, should one end while the test runs. */
const EACH = 5 * PER_MINUTE;
const MANY = 100;

scenario(
  'without a setting a key may ask as often as it likes, and nothing is counted',
  ['choice.429.off-by-default'],
  async () => {
    await using database = await createDatabase();
    await using gateway = await startGateway({ database_url: database.url });
    const answers = await askOften(gateway, gateway.key, MANY);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await readCounts(database.url)).toEqual([]);
  },
);

scenario(
  'two gateways share the limit of a key: above it a 429 says when to come back, at no cost',
  ['choice.429.rate-limited'],
  async () => {
    await using database = await createDatabase();
    await using sandbox = await startSandboxProcess();
    const options = {
      sandbox: sandbox.url,
      database_url: database.url,
      env: {
        TRIVIUM_SECRET: randomBytes(32).toString('base64url'),
        TRIVIUM_KEY_REQUESTS_PER_MINUTE: String(PER_MINUTE),
      },
    };
    await using first = await startGateway(options);
    const env = { ...options.env, TRIVIUM_BOOTSTRAP_KEY: first.key };
    await using second = await startGateway({ ...options, env });
    const answers = (
      await Promise.all([first, second].map((one) => askOften(one, first.key, EACH)))
    ).flat();

    const served = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    const counts = await readCounts(database.url);
    for (const requests of counts) expect(requests).toBeLessThanOrEqual(PER_MINUTE);
    expect(sum(counts)).toBe(served.length);
    expect(served.length).toBeGreaterThanOrEqual(PER_MINUTE);
    expect(refused.length).toBeGreaterThan(EACH);
    for (const { status, headers, body } of refused) {
      expect({ status, body }).toMatchObject({
        status: 429,
        body: { error: { type: 'rate_limited' } },
      });
      const wait_s = Number(headers.get('retry-after'));
      expect(wait_s).toBeGreaterThanOrEqual(1);
      expect(wait_s).toBeLessThanOrEqual(60);
    }

    expect(await sandbox.calls('/exa')).toHaveLength(served.length);
    const paid = sum(served.map(({ body }) => SearchAnswer.parse(body).usage.cost_usd));
    const money = (await first.get('/v1/balance')).body as Record<string, number>;
    expect(money['held_usd']).toBe(0);
    expect(money['balance_usd']).toBeCloseTo(10 - paid, 6);
  },
);

scenario(
  'the limit counts every tool, each key alone, and no answer that is only repeated',
  ['choice.429.rate-limited'],
  async () => {
    await using gateway = await startGateway({
      env: { TRIVIUM_KEY_REQUESTS_PER_MINUTE: '1', TRIVIUM_ADMIN_TOKEN: admin_token },
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
    // Should a minute end in between, one of them is served; of two rounds most are not.
    const statuses: number[] = [];
    for (const [path, body] of [...bodies, ...bodies]) {
      statuses.push((await gateway.post(path, body)).status);
    }
    const limited = statuses.filter((status) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(statuses.length - 1);
    expect((await gateway.get('/v1/balance')).status).toBe(200);
    const as_operator = { authorization: `Bearer ${admin_token}` };
    const made = await gateway.post(
      '/admin/v1/accounts/acct_default/keys',
      { name: 'another' },
      as_operator,
    );
    const { key } = made.body as { key: string };
    const other = await gateway.post('/v1/search', question, { authorization: `Bearer ${key}` });
    expect(other.status).toBe(200);
  },
);

const admin_token = 'operator-token-of-the-rate-limit-tests';

function askOften(gateway: Gateway, key: string, times: number) {
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
