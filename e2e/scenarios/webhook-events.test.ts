// Events about money, keys and providers reach their endpoints, also those that another gateway on
// the same database caused.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'bun:test';
import { WebhookEvent } from '@trivium/contract';
import { createDatabase } from '../database.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { member, operator } from '../security/visitor.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { operatorToken, webhookAdmin } from '../webhook-admin.ts';
import type { WebhookAdmin } from '../webhook-admin.ts';
import { startReceiver } from '../webhook-receiver.ts';
import type { Receiver } from '../webhook-receiver.ts';
import { webhookFixture } from '../webhook-fixture.ts';
import { waitFor } from '../wait-for.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const limitMs = 120_000;

/** Every event has the shape that the contract documents, with nothing left over. */
async function eventsAt(receiver: Receiver, path: string, count: number) {
  const arrived = await receiver.arrived(path, count);
  return arrived.map(({ event }) => {
    const parsed = WebhookEvent.parse(event);
    expect<unknown>(parsed).toStrictEqual(event);
    return parsed;
  });
}

async function make(admin: WebhookAdmin, path: string, body: object) {
  const answer = await admin.ask('POST', path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
  return answer.body as { id: string; key: string };
}

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  const fixture = webhookFixture(engine);

  test('a low balance, a reached cap, and new and revoked keys cause events', async () => {
    const { admin, receiver, gateway } = fixture();
    const { id: account } = await make(admin, '/accounts', { name: 'Small' });
    await make(admin, `/accounts/${account}/topups`, { amount_usd: 0.02, reason: 'test' });
    const threshold = await admin.ask('PATCH', `/accounts/${account}`, { low_balance_usd: 0.015 });
    expect(threshold.body).toMatchObject({ low_balance_usd: 0.015 });
    const url = (name: string) => `${receiver.url}/${name}`;
    await admin.create({ url: url('balance'), events: ['balance.low'] }, account);
    await admin.create({ url: url('caps'), events: ['cap.reached'] }, account);
    await admin.create({ url: url('keys'), events: ['key.created', 'key.revoked'] }, account);
    const limits = { name: 'capped', daily_cap_usd: 0.01 };
    const key = await make(admin, `/accounts/${account}/keys`, limits);
    const asKey = { authorization: `Bearer ${key.key}` };
    expect((await gateway.post('/v1/search', question, asKey)).status).toBe(200);
    const [low] = await eventsAt(receiver, '/balance', 1);
    expect(low).toMatchObject({
      type: 'balance.low',
      data: { account_id: account, balance_usd: 0.013, low_balance_usd: 0.015 },
    });
    for (let at = 0; at < 2; at += 1) {
      expect((await gateway.post('/v1/search', question, asKey)).status).toBe(402);
    }
    const [cap] = await eventsAt(receiver, '/caps', 1);
    expect(cap).toMatchObject({
      type: 'cap.reached',
      data: {
        account_id: account,
        key_id: key.id,
        cap: 'daily',
        cap_usd: 0.01,
        spent_usd: 0.007,
      },
    });
    await admin.ask('DELETE', `/keys/${key.id}`);
    const keys = await eventsAt(receiver, '/keys', 2);
    expect(keys.map(({ type }) => type)).toEqual(['key.created', 'key.revoked']);
    expect(JSON.stringify(keys)).not.toContain(key.key);
    for (const path of ['/balance', '/caps']) {
      expect(await receiver.arrived(path)).toHaveLength(1);
    }
  });

  test('the threshold of an account is validated, and only operators may set it', async () => {
    const { admin, account, gateway } = fixture();
    const change = { low_balance_usd: 2 };
    for (const wrong of [-1, 0.000_000_1, 1e9, '1', null]) {
      const answer = await admin.ask('PATCH', `/accounts/${account}`, { low_balance_usd: wrong });
      expect([wrong, answer.status]).toEqual([wrong, 400]);
    }
    expect(
      (await admin.ask('PATCH', '/accounts/acct_of_no_one', { low_balance_usd: 1 })).status,
    ).toBe(404);
    const byKey = await gateway.ask('PATCH', `/admin/v1/accounts/${account}`, change);
    expect(byKey.status).toBe(401);
    const bob = await member(gateway, await operator(gateway), account, 'bob@example.org');
    const byMember = await bob.ask('PATCH', `/admin/v1/accounts/${account}`, { body: change });
    expect(byMember.status).toBe(403);
    expect((await admin.ask('GET', `/accounts/${account}`)).body).toMatchObject({
      low_balance_usd: 1,
    });
  });
});

test(
  'two gateways share endpoints, deliveries and the health of providers',
  async () => {
    await using database = await createDatabase();
    await using sandbox = await startTestSandbox();
    await using receiver = startReceiver();
    const env = {
      TRIVIUM_ADMIN_TOKEN: operatorToken,
      // Covers the most that all jobs can cost at once.
      TRIVIUM_BOOTSTRAP_BALANCE_USD: '100',
      TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: '1',
      TRIVIUM_SECRET: randomBytes(32).toString('base64url'),
      TRIVIUM_BOOTSTRAP_KEY: `sk_live_${randomBytes(32).toString('base64url')}`,
    };
    const options = { sandbox: sandbox.url, database_url: database.url, env };
    await using first = await startGateway(options);
    await using second = await startGateway(options);
    const admin = webhookAdmin(() => first);
    const account = await admin.account();
    await admin.create({ url: `${receiver.url}/jobs`, events: ['job.completed'] }, account);
    const health = ['provider.unhealthy', 'provider.recovered'];
    await admin.create({ url: `${receiver.url}/health`, events: health });

    const jobs = 12;
    await Promise.all(
      Array.from({ length: jobs }, (_, at) => {
        const url = `${interview}?n=${at}`;
        return second.post('/v1/transcriptions', { audio_url: url, provider: 'stt_a' });
      }),
    );
    const ended = await eventsAt(receiver, '/jobs', jobs);
    expect(new Set(ended.map(({ data }) => (data as { id: string }).id)).size).toBe(jobs);

    await sandbox.fault('/exa', 'server_error');
    const fail = (gateway: Gateway) =>
      Promise.all(Array.from({ length: 40 }, () => gateway.post('/v1/search', question)));
    await Promise.all([fail(first), fail(second)]);
    const [sick] = await eventsAt(receiver, '/health', 1);
    expect(sick).toMatchObject({ type: 'provider.unhealthy', data: { provider: 'engine_a' } });
    await sandbox.clearFaults();
    const searchAgain = async () => {
      await Promise.all([first.post('/v1/search', question), second.post('/v1/search', question)]);
      return receiver.received.filter(({ path }) => path === '/health').length;
    };
    await waitFor(searchAgain, { what: 'the provider recovers', until: (events) => events > 1 });
    const [, well, ...more] = await eventsAt(receiver, '/health', 2);
    expect(well).toMatchObject({ type: 'provider.recovered', data: { provider: 'engine_a' } });
    expect(more).toEqual([]);
  },
  limitMs,
);
