// Hostile receivers of webhooks, and addresses that a gateway must not reach.
import { describe, expect, test } from 'bun:test';
import { startGateway } from '../harness.ts';
import { interview, submitJob } from '../jobs.ts';
import { operatorToken, webhookAdmin } from '../webhook-admin.ts';
import { webhookFixture } from '../webhook-fixture.ts';
import { waitFor } from '../wait-for.ts';

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  const fixture = webhookFixture(engine);

  test('410 ends a delivery and pauses its endpoint', async () => {
    const { admin, receiver, account } = fixture();
    receiver.answer('/gone', 410);
    const hook = await admin.create(
      { url: `${receiver.url}/gone`, events: ['job.completed'] },
      account,
    );
    await admin.test(hook.id);
    const [gone] = await admin.settled(`webhook_id=${hook.id}`, ({ state }) => state === 'failed');
    expect(gone).toMatchObject({ attempts: 1, last_status: 410 });
    await waitFor(() => admin.ask('GET', `/webhooks/${hook.id}`), {
      what: 'the endpoint is paused',
      until: ({ body }) => (body as { paused: boolean }).paused,
    });
  });

  test('redirects are not followed, and an endless answer is not read', async () => {
    const { admin, receiver, account } = fixture();
    for (const path of ['/redirect', '/huge']) {
      const hook = await admin.create(
        { url: receiver.url + path, events: ['job.completed'] },
        account,
      );
      await admin.test(hook.id);
      const [ended] = await admin.settled(
        `webhook_id=${hook.id}`,
        ({ last_status }) => last_status !== null,
      );
      expect(ended?.state).toBe(path === '/huge' ? 'delivered' : 'pending');
      expect(ended?.last_status).toBe(path === '/huge' ? 200 : 302);
      await admin.ask('DELETE', `/webhooks/${hook.id}`);
    }
    expect(receiver.received.filter(({ path }) => path === '/followed')).toEqual([]);
    const sent = receiver.sentBytes.get('/huge') ?? 0;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('a receiver that does not answer delays no other one', async () => {
    const { admin, receiver, account } = fixture();
    const slow = await admin.create(
      { url: `${receiver.url}/slow`, events: ['job.completed'] },
      account,
    );
    for (let at = 0; at < 20; at += 1) await admin.test(slow.id);
    const quick = await admin.create(
      { url: `${receiver.url}/quick`, events: ['job.completed'] },
      account,
    );
    await admin.test(quick.id);
    await admin.settled(`webhook_id=${quick.id}`, ({ state }) => state === 'delivered');
    const stuck = await admin.deliveries(`webhook_id=${slow.id}&limit=100`);
    expect(stuck.every(({ state }) => state === 'pending')).toBe(true);
    await admin.ask('DELETE', `/webhooks/${slow.id}`);
    await admin.ask('DELETE', `/webhooks/${quick.id}`);
  });
});

test('without the setting, private addresses and http are refused', async () => {
  await using gateway = await startGateway({ env: { TRIVIUM_ADMIN_TOKEN: operatorToken } });
  const admin = webhookAdmin(() => gateway);
  const account = await admin.account();
  for (const url of [
    'http://hooks.example/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest',
    'https://168.63.129.16/',
    'https://[::ffff:168.63.129.16]/',
    'https://[64:ff9b::168.63.129.16]/',
    'https://[2002:a83f:8110::1]/',
    'https://gateway.internal/',
    'https://host/',
  ]) {
    const made = await admin.ask('POST', `/webhooks?account_id=${account}`, {
      url,
      events: ['job.failed'],
    });
    expect([url, made.status]).toEqual([url, 400]);
    const sent = await gateway.post(
      '/v1/transcriptions',
      { audio_url: interview },
      { 'x-trivium-webhook': url },
    );
    expect([url, sent.status]).toEqual([url, 400]);
  }
  await submitJob(gateway, {});
});
