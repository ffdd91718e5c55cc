// Every call of the TypeScript client is a route of the gateway, and every POST that changes
// something carries an idempotency key that the route keeps. The Python client has the same test.
import { expect, test } from 'bun:test';
import { createAdminClient, createClient } from '@trivium/sdk';
import { openApiDocument } from '@trivium/contract/openapi';
import { sharedGateway } from '../harness.ts';
import { routeTable } from '../security/route-table.ts';

const withoutKey = [
  // Of two uploads one is deleted unused, and none costs anything.
  '/v1/uploads',
  // An estimate changes nothing.
  '/v1/estimates/search',
  // Repeated feedback changes nothing.
  '/v1/feedback',
  // A second link ends the first.
  '/admin/v1/people/x_1/reset',
  // Changes nothing.
  '/admin/v1/providers/x_1/check',
];
const operatorToken = 'operator-token-of-the-tests-0123456789';

interface Sent {
  method: string;
  path: string;
  key: string | null;
}

/** Calls every function of both clients, and returns what each one sent first. */
async function everyCall(): Promise<Sent[]> {
  const sent: Sent[] = [];
  const fetch = (url: string, { method = 'GET', headers }: RequestInit) => {
    const { pathname } = new URL(url);
    sent.push({ method, path: pathname, key: new Headers(headers).get('idempotency-key') });
    return Promise.resolve(
      Response.json({ error: { type: 'not_found', message: 'x' } }, { status: 404 }),
    );
  };
  const options = { url: 'http://gateway.example', fetch };
  await callAll(createClient({ ...options, api_key: 'sk_live_x' }));
  await callAll(createAdminClient({ ...options, admin_token: 'operator' }));
  return sent;
}

async function callAll(part: object, given: readonly unknown[] = [{}]): Promise<void> {
  for (const [name, member] of Object.entries(part) as [string, unknown][]) {
    if (typeof member === 'object' && member !== null) await callAll(member, ['x_1', {}, {}]);
    if (typeof member !== 'function') continue;
    const isUpload = name === 'create' && 'delete' in part;
    const args = isUpload ? [new Blob(['x'])] : name === 'estimate' ? ['search', {}] : given;
    const call = Reflect.apply(member, undefined, name === 'list' ? [] : args) as Promise<unknown>;
    await call.catch(() => undefined);
  }
}

function fits(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}

test('every call is a route, and every change has a key that the route keeps', async () => {
  const routes = routeTable();
  const { paths } = openApiDocument() as unknown as {
    paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
  };
  const sent = await everyCall();
  expect(sent.filter(({ method }) => method !== 'GET').length).toBeGreaterThan(20);
  for (const { method, path, key } of sent) {
    const fitting = routes.filter((one) => one.method === method && fits(one.path, path));
    const route = fitting.find((one) => one.path === path) ?? fitting[0];
    expect([method, path, route !== undefined]).toEqual([method, path, true]);
    if (method !== 'POST' || withoutKey.includes(path)) continue;
    expect([path, key]).toEqual([path, expect.stringMatching(/^[0-9a-f-]{36}$/) as string]);
    const named = paths[(route?.path ?? '').replaceAll(/:(\w+)/g, '{$1}')]?.['post'];
    expect([path, named?.parameters?.map(({ name }) => name)]).toEqual([
      path,
      expect.arrayContaining(['Idempotency-Key']) as string[],
    ]);
  }
});

const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: operatorToken } });

test('a budget and a redelivery under a repeated key happen once', async () => {
  const admin = createAdminClient({ url: gateway().url, admin_token: operatorToken });
  const account = await admin.accounts.create('Research');
  const once = { idempotency_key: 'once' };
  const budget = { tag: 'team', value: 'blue', daily_cap_usd: 1 };
  const made = await admin.budgets.set(account.id, budget, once).withResponse();
  await admin.budgets.delete(account.id, budget);
  const again = await admin.budgets.set(account.id, budget, once).withResponse();
  expect([made.replayed, again.replayed]).toEqual([false, true]);
  expect((await admin.budgets.list(account.id)).budgets).toEqual([]);
  const url = 'https://receiver.invalid/hook';
  const webhook = await admin.webhooks.create(account.id, { url, events: ['job.failed'] });
  const { id } = await admin.webhooks.test(webhook.id);
  const sent = { idempotency_key: 'redelivered' };
  await admin.webhooks.deliveries.redeliver(id, sent);
  expect((await admin.webhooks.deliveries.redeliver(id, sent).withResponse()).replayed).toBe(true);
  const { entries } = await admin.audit.list({ action: 'webhook.redelivered' });
  expect(entries).toHaveLength(1);
});
