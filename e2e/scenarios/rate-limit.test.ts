// The rate limit of a key counts for every tool.
import { test } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { expect, proves } from '../proves.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

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
  const answers: Awaited<ReturnType<Gateway['post']>>[] = [];
  for (const [path, body] of [...bodies, ...bodies]) answers.push(await gateway.post(path, body));
  const limited = answers.filter(({ status }) => status === 429);
  proves('choice.429.rate-limited', () => {
    expect(limited.length).toBeGreaterThanOrEqual(answers.length - 1);
    for (const { headers, body } of limited) {
      expect(body).toMatchObject({ error: { type: 'rate_limited' } });
      expect(Number(headers.get('retry-after'))).toBeWithin(1, 61);
    }
  });
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
