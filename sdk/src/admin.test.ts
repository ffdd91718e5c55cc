// The operator's client retries every change with the same idempotency key.
import { expect, test } from 'bun:test';
import { createAdminClient } from './admin.ts';
import type { AdminClient } from './admin.ts';
import { startStubGateway } from './stub-gateway.ts';

const made = { id: 'x_1', account_id: 'acct_1', tag: 'team', value: 'blue', secret: 'whsec_x' };
const busy = () => {
  const error = { type: 'rate_limited', message: 'Later.' };
  return Response.json({ error }, { status: 429, headers: { 'retry-after': '0' } });
};

const changes: [string, (admin: AdminClient) => Promise<unknown>][] = [
  ['accounts.create', (admin) => admin.accounts.create('Research')],
  ['accounts.topUp', (admin) => admin.accounts.topUp('acct_1', { amount_usd: 1, reason: 'x' })],
  ['keys.create', (admin) => admin.keys.create('acct_1', { name: 'laptop' })],
  ['keys.rotate', (admin) => admin.keys.rotate('key_1')],
  [
    'webhooks.create',
    (admin) =>
      admin.webhooks.create('acct_1', { url: 'https://a.example', events: ['job.failed'] }),
  ],
  ['webhooks.rotate', (admin) => admin.webhooks.rotate('we_1')],
  ['webhooks.test', (admin) => admin.webhooks.test('we_1')],
  ['webhooks.deliveries.redeliver', (admin) => admin.webhooks.deliveries.redeliver('dlv_1')],
  [
    'budgets.set',
    (admin) => admin.budgets.set('acct_1', { tag: 'team', value: 'blue', daily_cap_usd: 1 }),
  ],
  ['webhooks.rotateSecret', (admin) => admin.webhooks.rotateSecret('acct_1')],
];

test.each(changes)('%s is repeated under one key', async (_name, change) => {
  await using gateway = startStubGateway([busy, () => Response.json(made)]);
  await change(createAdminClient({ url: gateway.url, admin_token: 'operator' }));
  const keys = gateway.requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0] ?? '']);
});

test('a budget is removed by setting it without caps', async () => {
  await using gateway = startStubGateway([() => Response.json(made)]);
  const { budgets } = createAdminClient({ url: gateway.url, admin_token: 'operator' });
  await budgets.delete('acct_1', { tag: 'team', value: 'blue' });
  expect(gateway.requests[0]?.body).toEqual({ tag: 'team', value: 'blue' });
});
