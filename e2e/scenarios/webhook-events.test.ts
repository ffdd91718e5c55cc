// Events about jobs and providers reach their endpoints, also those that another gateway on the same
// database caused.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'bun:test';
import { WebhookEvent } from '@trivium/contract';
import { createDatabase } from '../database.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { operatorToken, webhookAdmin } from '../webhook-admin.ts';
import { startReceiver } from '../webhook-receiver.ts';
import type { Receiver } from '../webhook-receiver.ts';
import { waitFor } from '../wait-for.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

/** Every event has the shape that the contract documents, with nothing left over. */
async function eventsAt(receiver: Receiver, path: string, count: number) {
  const arrived = await receiver.arrived(path, count);
  return arrived.map(({ event }) => {
    const parsed = WebhookEvent.parse(event);
    expect<unknown>(parsed).toStrictEqual(event);
    return parsed;
  });
}

test('two gateways share endpoints, deliveries and the health of providers', async () => {
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
});
