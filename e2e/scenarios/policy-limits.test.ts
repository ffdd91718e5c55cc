// Limits of policies on gateways that share a store: rates, changes, and who may set them.
import { test } from 'bun:test';
import { Account, AuditList } from '@trivium/contract';
import type { Gateway } from '../harness.ts';
import { pages, policyFixture, question } from '../policy-fixture.ts';
import { expect, proves } from '../proves.ts';
import { member, operator } from '../security/visitor.ts';
import { SearchAnswer } from '../shapes.ts';
import { waitFor } from '../wait-for.ts';

// The store's own tests have both engines, and gateways that die.
const fixture = policyFixture('PostgreSQL');

test('estimates count like requests', async () => {
  const { other, make } = fixture();
  const { post } = await make({ requests_per_minute: 3 });
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, at) =>
      at % 3 === 0
        ? post('/v1/search', question)
        : post('/v1/estimates/search', question, at % 3 === 1 ? other : undefined),
    ),
  );
  // A minute may end in between.
  expect([3, 4, 5, 6]).toContain(answers.filter(({ status }) => status === 200).length);
  const refused = answers.find(({ status }) => status !== 200);
  expect(refused?.status).toBe(429);
  expect(refused?.body).toMatchObject({ error: { detail: { requests_per_minute: 3 } } });
});

test('a change applies at once here, and within a second on the other gateway', async () => {
  const { gateway, other, admin, make } = fixture();
  const { account, id, post } = await make();
  const count = async (at: Gateway) =>
    SearchAnswer.parse((await post('/v1/search', question, at)).body).results.length;
  await proves('settings.database-url.shared', async () =>
    expect([await count(gateway), await count(other)]).toEqual([5, 5]),
  );
  await admin('PATCH', `/accounts/${account.id}`, { blocked_domains: ['blocked.example'] });
  expect(await count(gateway)).toBe(2);
  await waitFor(() => count(other), {
    what: 'the other gateway knows the change',
    until: (found) => found === 2,
  });
  await admin('PATCH', `/accounts/${account.id}`, { blocked_domains: null });
  await admin('PATCH', `/keys/${id}`, { allowed_domains: ['good.example'] });
  expect(await count(gateway)).toBe(1);
  const [entry] = AuditList.parse(
    (await admin('GET', `/audit?target=${account.id}&action=account.changed`)).body,
  ).entries;
  expect(entry).toMatchObject({
    before: { blocked_domains: ['blocked.example'] },
    after: { blocked_domains: null },
  });
});

test('members read policies and cannot change them', async () => {
  const { gateway, make } = fixture();
  const ada = await operator(gateway);
  const { account, id } = await make({ tools: ['search'] });
  const bob = await member(gateway, ada, account.id, 'bob@example.org');
  const own = `/admin/v1/accounts/${account.id}`;
  expect(Account.parse(await (await bob.ask('GET', own)).json()).tools).toEqual(['search']);
  const status = async (method: string, path: string, body: object) =>
    (await bob.ask(method, path, { body })).status;
  expect(await status('PATCH', own, { tools: null })).toBe(403);
  expect(await status('PATCH', `/admin/v1/keys/${id}`, { tools: null })).toBe(403);
  expect(await status('POST', `${own}/keys`, { name: 'n', requests_at_once: 9 })).toBe(403);
  expect(await status('PATCH', `/admin/v1/keys/${id}`, { providers: ['engine_a'] })).toBe(200);
  // A request in the dashboard belongs to the account.
  expect(await status('POST', '/v1/extract', { urls: pages })).toBe(400);
});
