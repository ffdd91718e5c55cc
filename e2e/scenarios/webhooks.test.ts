// Webhooks: signed as the specification says, to endpoints and to the address of a
// request, retried, paused, rotated and sent again.
import { test } from 'bun:test';
import { verifyWebhook } from '@trivium/sdk';
import { Webhook as Reference } from 'standardwebhooks';
import { hasEnded, interview, readJob, waitForJob } from '../jobs.ts';
import { expect, proves } from '../proves.ts';
import type { Received } from '../webhook-receiver.ts';
import { webhookFixture } from '../webhook-fixture.ts';

/** Both libraries accept it, and read the same. */
async function verified(delivery: Received, secret: string) {
  const { headers, body } = delivery;
  const reference = new Reference(secret).verify(body, headers);
  const { id, payload } = await verifyWebhook({ secret, headers, body });
  proves('webhooks.signed', () => {
    expect(payload).toEqual(reference);
    expect(id).toBe(headers['webhook-id'] ?? '');
  });
  return payload as Received['event'];
}

function isSignedBy({ headers, body }: Received, secret: string): Promise<boolean> {
  return verifyWebhook({ secret, headers, body }).then(
    () => true,
    () => false,
  );
}

const fixture = webhookFixture('SQLite');

const endedJob = async (headers: Record<string, string> = {}) => {
  const { gateway } = fixture();
  const answer = await gateway.post(
    '/v1/transcriptions',
    { audio_url: interview, provider: 'stt_a' },
    headers,
  );
  expect(answer.status).toBe(202);
  const { id } = answer.body as { id: string };
  await waitForJob(gateway, id, hasEnded);
  return id;
};

test('the address of a request receives the end of its job, once', async () => {
  const { admin, receiver, account, gateway } = fixture();
  const url = `${receiver.url}/request?a=1,2`;
  const headers = { 'x-trivium-webhook': url, 'idempotency-key': `once` };
  const id = await endedJob(headers);
  expect(await endedJob(headers)).toBe(id);
  const [delivery, ...more] = await receiver.arrived('/request');
  if (!delivery) throw new Error('nothing arrived');
  const event = await verified(delivery, await admin.secret(account));
  expect(event).toMatchObject({ type: 'job.completed' });
  expect(event.data).toEqual({ ...(await readJob(gateway, id)) });
  const { text } = await gateway.get(`/v1/jobs/${id}`);
  expect(delivery.body).toEndWith(`,"data":${text}}`);
  expect(delivery.headers).toMatchObject({ 'content-type': 'application/json' });
  proves('webhooks.once', () => {
    expect(more).toEqual([]);
  });
  const [logged] = await admin.settled(`subject=${id}`, ({ state }) => state === 'delivered');
  expect(logged).toMatchObject({
    event: 'job.completed',
    account_id: account,
    webhook_id: null,
    url,
    attempts: 1,
    last_status: 200,
    last_error: null,
    next_attempt_at: null,
    event_id: delivery.headers['webhook-id'] ?? '',
  });
});

test.each([
  ['no URL', 'nowhere'],
  ['another scheme', 'ftp://hooks.example/'],
  ['a password', 'https://me:secret@hooks.example/'],
  ['a fragment', 'https://hooks.example/#a'],
  ['two addresses', 'https://hooks.example/a, https://hooks.example/b'],
  ['a long one', `https://hooks.example/${'a'.repeat(3000)}`],
])('a request with %s in x-trivium-webhook gives a 400 and starts nothing', async (_what, url) => {
  const { admin, gateway } = fixture();
  const jobs = async () => (await admin.ask('GET', '/jobs?limit=500')).text;
  const before = await jobs();
  const answer = await gateway.post(
    '/v1/transcriptions',
    { audio_url: interview },
    { 'x-trivium-webhook': url },
  );
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    error: { type: 'invalid_request', detail: { issues: [{ path: 'x-trivium-webhook' }] } },
  });
  expect(await jobs()).toBe(before);
});

test('a search refuses x-trivium-webhook, which would have no effect', async () => {
  const url = 'https://receiver.example/hook';
  const answer = await fixture().gateway.post(
    '/v1/search',
    { query: 'tides' },
    { 'x-trivium-webhook': url },
  );
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    error: {
      type: 'invalid_request',
      message: expect.stringContaining('Only transcriptions send events.') as string,
      detail: { issues: [{ path: 'x-trivium-webhook' }] },
    },
  });
});

test('an endpoint receives the events it asks for, and rotates its secret', async () => {
  const { admin, receiver, account } = fixture();
  const events = ['job.completed', 'job.failed'];
  const hook = await admin.create({ url: `${receiver.url}/hook`, events }, account);
  expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const other = await admin.create(
    { url: `${receiver.url}/failed`, events: ['job.failed'] },
    account,
  );
  await endedJob();
  const [first] = await receiver.arrived('/hook');
  if (!first) throw new Error('nothing arrived');
  await verified(first, hook.secret);
  expect(await isSignedBy(first, other.secret)).toBe(false);
  expect(await isSignedBy(first, await admin.secret(account))).toBe(false);

  const rotated = await admin.rotate(hook.id);
  expect(rotated.secret).not.toBe(hook.secret);
  expect(rotated.old_secret_until).not.toBeNull();
  await admin.test(hook.id);
  const [, second] = await receiver.arrived('/hook', 2);
  if (!second) throw new Error('nothing arrived');
  expect(second.event.type).toBe('webhook.test');
  expect(second.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  await proves('webhooks.rotation', async () => {
    await verified(second, rotated.secret);
    await verified(second, hook.secret);
  });

  const last = await admin.rotate(hook.id, { overlap_hours: 0 });
  await admin.test(hook.id);
  const [, , third] = await receiver.arrived('/hook', 3);
  if (!third) throw new Error('nothing arrived');
  await verified(third, last.secret);
  expect(await isSignedBy(third, rotated.secret)).toBe(false);

  const read = await admin.ask('GET', `/webhooks/${hook.id}`);
  expect(read.text).not.toContain('whsec_');
  expect(receiver.received.filter(({ path }) => path === '/failed')).toEqual([]);
  for (const { id } of [hook, other]) {
    expect((await admin.ask('DELETE', `/webhooks/${id}`)).status).toBe(200);
    expect((await admin.ask('GET', `/webhooks/${id}`)).status).toBe(404);
  }
});

test('a paused endpoint keeps its events; those about one key arrive in order later', async () => {
  const { admin, receiver, account } = fixture();
  const events = ['key.created', 'key.revoked'];
  const hook = await admin.create({ url: `${receiver.url}/paused`, events }, account);
  await admin.change(hook.id, { paused: true });
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const { body } = await admin.ask('POST', `/accounts/${account}/keys`, { name });
    const { id } = body as { id: string };
    expect((await admin.ask('DELETE', `/keys/${id}`)).status).toBe(200);
    ids.push(id);
  }
  const waiting = await admin.deliveries(`webhook_id=${hook.id}`);
  const kept = { state: 'pending', attempts: 0, next_attempt_at: null };
  expect(waiting).toMatchObject(Array.from({ length: 2 * ids.length }, () => kept));
  await admin.test(hook.id);
  const [tested] = await receiver.arrived('/paused');
  expect(tested?.event.type).toBe('webhook.test');
  await admin.change(hook.id, { paused: false, url: `${receiver.url}/moved` });
  const moved = await receiver.arrived('/moved', 2 * ids.length);
  for (const id of ids) {
    const about = moved.filter(({ event }) => event.data['id'] === id);
    proves('webhooks.paused', () => {
      expect(about.map(({ event }) => event.type)).toEqual(events);
    });
  }
  await admin.ask('DELETE', `/webhooks/${hook.id}`);
});

test('a delivery to a failing receiver is retried, and can be repeated', async () => {
  const { admin, receiver, account } = fixture();
  const path = '/broken';
  receiver.answer(path, 500);
  const hook = await admin.create({ url: receiver.url + path, events: ['job.completed'] }, account);
  const { id } = await admin.test(hook.id);
  const [retried] = await admin.settled(
    `webhook_id=${hook.id}`,
    ({ attempts, last_status }) => attempts >= 1 && last_status === 500,
  );
  proves('webhooks.retried', () => {
    expect(retried).toMatchObject({ id, state: 'pending' });
    expect(retried?.last_error).toContain('500');
    expect(Date.parse(retried?.next_attempt_at ?? '')).toBeGreaterThan(
      Date.parse(retried?.last_attempt_at ?? ''),
    );
  });
  receiver.answer(path, 204);
  // By itself, after a few seconds.
  await receiver.arrived(path, 2);
  const [delivered] = await admin.settled(
    `webhook_id=${hook.id}`,
    ({ state }) => state === 'delivered',
  );
  expect(delivered).toMatchObject({ attempts: 2, last_status: 204, last_error: null });
  const ids = (await receiver.arrived(path, 2)).map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  await admin.redeliver(id);
  await receiver.arrived(path, 3);
  await admin.ask('DELETE', `/webhooks/${hook.id}`);
  expect((await admin.ask('POST', `/webhooks/deliveries/${id}/redeliver`)).status).toBe(409);
});

type Refused = { error: { detail?: { issues: { path: string }[] } } };

test('bad input gives a 400 with its path, and changes nothing', async () => {
  const { admin, receiver, account } = fixture();
  const url = `${receiver.url}/x`;
  const hook = await admin.create({ url, events: ['job.completed'] }, account);
  const before = (await admin.ask('GET', '/webhooks?limit=500')).text;
  const created = `/webhooks?account_id=${account}`;
  const changed = `/webhooks/${hook.id}`;
  const cases: [string, string, unknown, string][] = [
    ['POST', created, {}, 'url'],
    ['POST', created, { url, events: [] }, 'events'],
    ['POST', created, { url, events: ['__proto__'] }, 'events.0'],
    ['POST', created, { url, events: ['job.failed', 'job.failed'] }, 'events.1'],
    ['POST', created, { url, events: Array<string>(100_000).fill('a') }, 'events'],
    ['POST', created, { url, events: ['provider.unhealthy'] }, 'events.0'],
    ['POST', '/webhooks', { url, events: ['job.completed'] }, 'events.0'],
    ['POST', created, { url, events: ['job.failed'], description: '\0' }, 'description'],
    ['POST', created, { url, events: ['job.failed'], secret: 'mine' }, 'secret'],
    ['POST', `${created}&x=1`, { url, events: ['job.failed'] }, 'x'],
    ['PATCH', changed, { paused: 1 }, 'paused'],
    ['PATCH', changed, { url: 'http://' }, 'url'],
    ['PATCH', changed, { account_id: 'other' }, 'account_id'],
    ['PATCH', changed, { events: ['provider.recovered'] }, 'events.0'],
    ['POST', `${changed}/rotate`, { overlap_hours: -1 }, 'overlap_hours'],
    ['POST', `${changed}/rotate`, { overlap_hours: 1.5 }, 'overlap_hours'],
    ['POST', `${changed}/rotate`, { overlap_hours: 1e9 }, 'overlap_hours'],
    ['GET', '/webhooks/deliveries?state=odd', undefined, 'state'],
    ['GET', '/webhooks/deliveries?cursor=odd', undefined, 'cursor'],
    ['GET', '/webhooks?limit=0', undefined, 'limit'],
  ];
  for (const [method, path, body, place] of cases) {
    const answer = await admin.ask(method, path, body);
    const { error } = answer.body as Refused;
    const shown = [answer.status, error.detail?.issues[0]?.path];
    expect([method, path, ...shown]).toEqual([method, path, 400, place]);
  }
  expect((await admin.ask('GET', '/webhooks?limit=500')).text).toBe(before);
  const unknown = await admin.ask('POST', '/webhooks?account_id=acct_of_no_one', {
    url,
    events: ['job.failed'],
  });
  expect(unknown.status).toBe(404);
  await admin.ask('DELETE', changed);
});
