// Webhooks through the SDK and the command line, against a real gateway and a real receiver.
import { expect, test } from 'bun:test';
import { createAdminClient, createClient, verifyWebhook } from '@trivium/sdk';
import { runHere } from '../../cli/src/run-cli.ts';
import { startGateway } from '../harness.ts';
import { interview } from '../jobs.ts';
import { operatorToken } from '../webhook-admin.ts';
import { waitFor } from '../wait-for.ts';
import { webhookFixture } from '../webhook-fixture.ts';

const fixture = webhookFixture('SQLite');
const admin = () => createAdminClient({ url: fixture().gateway.url, admin_token: operatorToken });

const asOperator = () => ({
  TRIVIUM_API_KEY: fixture().gateway.key,
  TRIVIUM_ADMIN_TOKEN: operatorToken,
});

async function trivium(...args: string[]) {
  const ended = await runHere(args, fixture().gateway, asOperator());
  return { ...ended, json: JSON.parse(ended.out || 'null') as Record<string, unknown> };
}

test('the SDK manages an endpoint, and verifies what it receives', async () => {
  const { receiver, account } = fixture();
  const api = admin().webhooks;
  const url = `${receiver.url}/sdk`;
  const made = await api.create(account, { url, events: ['job.completed'] });
  expect(await api.get(made.id)).toMatchObject({ url, paused: false, description: '' });
  expect(await api.pause(made.id)).toMatchObject({ paused: true });
  expect(await api.resume(made.id)).toMatchObject({ paused: false });
  expect(await api.update(made.id, { description: 'Transcripts' })).toMatchObject({ url });
  const { id } = await api.test(made.id);
  const [first] = await receiver.arrived('/sdk');
  if (!first) throw new Error('nothing arrived');
  const { payload } = await verifyWebhook({ ...first, secret: made.secret });
  expect(payload).toMatchObject({ type: 'webhook.test', data: { webhook_id: made.id } });
  const rotated = await api.rotate(made.id, { overlap_hours: 0 });
  await api.deliveries.redeliver(id);
  const [, second] = await receiver.arrived('/sdk', 2);
  if (!second) throw new Error('nothing arrived');
  await verifyWebhook({ ...second, secret: rotated.secret });
  const seen: string[] = [];
  for await (const delivery of api.deliveries.list({ webhook_id: made.id })) seen.push(delivery.id);
  expect(seen).toEqual([id]);
  const listed: string[] = [];
  for await (const one of api.list({ account_id: account, limit: 1 })) listed.push(one.id);
  expect(listed).toContain(made.id);
  expect(await api.delete(made.id)).toEqual({ id: made.id });
});

test('the SDK sends the address of a request, and reads the secret that signs it', async () => {
  const { receiver, account, gateway } = fixture();
  const client = createClient({ url: gateway.url, api_key: gateway.key });
  const webhook = `${receiver.url}/request`;
  const { id } = await client.transcribe({ audio_url: interview, provider: 'stt_a' }, { webhook });
  const [delivery] = await receiver.arrived('/request');
  if (!delivery) throw new Error('nothing arrived');
  const { secret } = await admin().webhooks.secret(account);
  const { payload } = await verifyWebhook({ ...delivery, secret });
  expect(payload).toMatchObject({ type: 'job.completed', data: { id } });
  const rotated = await admin().webhooks.rotateSecret(account);
  expect(rotated.secret).not.toBe(secret);
  expect(await admin().accounts.update(account, { low_balance_usd: 2 })).toMatchObject({
    low_balance_usd: 2,
  });
});

test('the command line creates, tests, pauses, rotates and deletes an endpoint', async () => {
  const { receiver } = fixture();
  const url = `${receiver.url}/cli`;
  const events = ['--event', 'job.completed', '--event', 'job.failed'];
  const made = await trivium('webhooks', 'create', url, ...events, '--json');
  expect(made.json).toMatchObject({ url, events: ['job.completed', 'job.failed'] });
  const id = String(made.json['id']);
  await trivium('webhooks', 'test', id);
  await receiver.arrived('/cli');
  const { json } = await trivium('webhooks', 'deliveries', '--webhook', id, '--json');
  const [delivery] = json['deliveries'] as { id: string; event: string }[];
  expect(delivery?.event).toBe('webhook.test');
  await trivium('webhooks', 'redeliver', delivery?.id ?? '');
  await receiver.arrived('/cli', 2);
  const paused = await trivium('webhooks', 'pause', id);
  expect(paused.json).toMatchObject({ id, paused: true });
  const rotated = await trivium('webhooks', 'rotate', id, '--overlap-hours', '1');
  expect(String(rotated.json['secret'])).toStartWith('whsec_');
  expect((await trivium('webhooks', 'list')).out).toContain(id);
  expect((await trivium('webhooks', 'secret')).json).toMatchObject({ account_id: 'acct_default' });
  expect((await trivium('webhooks', 'delete', id, '--yes')).code).toBe(0);
  expect((await trivium('webhooks', 'get', id)).code).toBe(1);
});

test('listen prints and forwards what trigger makes, signed, and leaves no endpoint behind', async () => {
  const { receiver, gateway } = fixture();
  const env = { TRIVIUM_API_KEY: gateway.key, TRIVIUM_ADMIN_TOKEN: operatorToken };
  const stop = new AbortController();
  let [printed, notes] = ['', ''];
  const to = `${receiver.url}/listen`;
  const listening = runHere(['listen', '--forward-to', to, '--json'], gateway, env, {
    signal: stop.signal,
    out: (text) => void (printed += text),
    err: (text) => void (notes += text),
  });
  const ready = () => /"secret":"(whsec_[^"]+)"/.exec(notes)?.[1] ?? '';
  const secret = await waitFor(ready, { what: 'listen is ready' });
  const expected = ['key.created', 'key.revoked', 'cap.reached', 'job.completed', 'job.failed'];
  // A page in a browser on this machine can send requests to any port of it.
  const listened = /"url":"(http:[^"]+)"/.exec(notes)?.[1] ?? '';
  const forged = { method: 'POST', body: '{"type":"key.created","data":{}}' };
  expect((await fetch(listened, forged)).status).toBe(401);
  expect((await fetch(listened)).status).toBe(405);
  for (const event of [
    'key.created',
    'cap.reached',
    'job.completed',
    'job.failed',
    'webhook.test',
  ]) {
    expect([event, (await runHere(['trigger', event], gateway, env)).code]).toEqual([event, 0]);
  }
  const typesAt = () => receiver.received.filter(({ path }) => path === '/listen');
  const arrived = await waitFor(typesAt, {
    what: 'every event is forwarded',
    until: (all) =>
      [...expected, 'webhook.test'].every((type) => all.some((one) => one.event.type === type)),
  });
  for (const one of arrived) await verifyWebhook({ ...one, secret });
  const [line = ''] = printed.split('\n');
  expect(JSON.parse(line)).toMatchObject({
    event: { type: 'key.created', data: { name: 'trivium trigger' } },
    forwarded: { status: 200 },
  });
  stop.abort(new Error('SIGINT'));
  expect((await listening).code).toBe(130);
  expect((await trivium('webhooks', 'list')).out).not.toContain('trivium listen');

  await using strict = await startGateway({ env: { TRIVIUM_ADMIN_TOKEN: operatorToken } });
  const refused = await runHere(['listen'], strict, env);
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('TRIVIUM_ALLOW_PRIVATE_WEBHOOKS=on'),
  ]);
});

test.each([
  [['trigger'], 'Name one event: webhook.test'],
  [['trigger', 'key.creatd'], 'Did you mean trivium trigger key.created?'],
  [['trigger', 'balance.low'], 'cannot be caused without moving money'],
  [['trigger', '__proto__'], 'Name one event'],
  [['listen', '--forward-to', 'ftp://x'], 'must be an http address'],
])('%j is refused with advice', async (args, words) => {
  const env = { TRIVIUM_ADMIN_TOKEN: operatorToken };
  const { code, err } = await runHere(args, fixture().gateway, env);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

test.each([
  [['create'], 2],
  [['create', 'https://hooks.example/'], 2],
  [['create', 'https://hooks.example/', '--event', 'nothing'], 2],
  [['__proto__', 'x'], 2],
  [['rotate', 'wh_none'], 1],
])('trivium webhooks %p ends with %d', async (args, code) => {
  const ended = await runHere(['webhooks', ...args], fixture().gateway, asOperator());
  expect(ended.code).toBe(code);
});
