// Limits of policies on both stores, shared by the gateways on one store: rates, changes, who may
// set them, and a gateway that is killed.
import { describe, expect, test } from 'bun:test';
import { Account, AuditList, Key } from '@trivium/contract';
import { engines, startPairOfProcesses } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { issuesOf, pages, policyFixture, question } from '../policy-fixture.ts';
import { member, operator } from '../security/visitor.ts';
import { SearchAnswer } from '../shapes.ts';
import { waitFor } from '../wait-for.ts';

describe.each(engines)('on %s', (engine) => {
  const fixture = policyFixture(engine, startPairOfProcesses);

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
    expect([await count(gateway), await count(other)]).toEqual([5, 5]);
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

  test('a refused change names its field, and changes nothing', async () => {
    const { admin, make } = fixture();
    const { account, id } = await make({ requests_per_minute: 5 }, { tools: ['search'] });
    const many = Array.from({ length: 30_000 }, (_, at) => `d${at}.example`);
    for (const [field, value] of [
      ['requests_per_minute', -1],
      ['requests_at_once', 0.5],
      ['max_cost_usd', 1e9],
      ['keep_query_hours', -1],
      ['low_balance_usd', 0.000_000_1],
      ['tools', ['read']],
      ['providers', ['__proto__']],
      ['blocked_domains', ['a b']],
      ['allowed_domains', many],
    ] as const) {
      for (const path of [`/accounts/${account.id}`, `/keys/${id}`]) {
        const refused = await admin('PATCH', path, { name: 'changed', [field]: value });
        expect([path, field, refused.status]).toEqual([path, field, 400]);
        expect(issuesOf(refused.body)[0]?.path.split('.')[0]).toBe(field);
      }
    }
    const read = Account.parse((await admin('GET', `/accounts/${account.id}`)).body);
    expect([read.name, read.requests_per_minute, read.tools]).toEqual(['Limited', 5, null]);
    const key = Key.parse((await admin('PATCH', `/keys/${id}`, {})).body);
    expect([key.name, key.tools]).toEqual(['k', ['search']]);
    expect((await admin('PATCH', '/accounts/acct_of_no_one', { name: 'x' })).status).toBe(404);
  });

  test('members read policies and cannot change them', async () => {
    const { gateway, make } = fixture();
    const ada = await operator(gateway);
    const { account, id } = await make({ tools: ['search'] });
    const bob = await member(gateway, ada, account.id, `bob-${engine}@example.org`);
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

  test('a gateway that is killed does not keep its requests in progress', async () => {
    const { gateway, other, received, make, pause } = fixture();
    const { post } = await make({}, { requests_at_once: 1 });
    const resume = pause();
    const before = received.length;
    const lost = post('/v1/search', question, other).catch(() => undefined);
    await waitFor(() => received.length > before, { what: 'the request arrives' });
    const refused = await post('/v1/search', question);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.body).toMatchObject({ error: { detail: { requests_at_once: 1 } } });
    await other.kill9();
    await lost;
    resume();
    // Another gateway notices that it is dead; a gateway alone releases its places when it
    // starts.
    if (other === gateway) await gateway.restart();
    const status = async () => (await post('/v1/search', question)).status;
    await waitFor(status, { what: 'the place is free', until: (now) => now === 200 });
  });
});
