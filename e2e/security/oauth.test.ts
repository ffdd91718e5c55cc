// OAuth for agents under attack: redirects, codes, tokens, other applications and other accounts.
import { afterAll, beforeAll, describe, test } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import {
  callTool,
  codeFor,
  decide,
  exchange,
  letIn,
  postForm,
  redirectUri,
  refresh,
  register,
  requestOf,
} from '../oauth-agent.ts';
import { member, operator, visitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';
import { expect, proves } from '../proves.ts';

let gateway: Gateway;
let ada: Visitor;
let bob: Visitor;
let account: { id: string };
let client = '';
beforeAll(async () => {
  gateway = await startGateway({ engine: 'PostgreSQL' });
  ada = await operator(gateway);
  account = await ada.made('/admin/v1/accounts', { name: 'of bob' });
  const topUp = { amount_usd: 1, reason: 'test' };
  await ada.ask('POST', `/admin/v1/accounts/${account.id}/topups`, { body: topUp });
  bob = await member(gateway, ada, account.id, 'bob@example.org');
  client = await register(gateway);
});
afterAll(() => gateway.close());

test('an application that a person authorizes is a key, and the account pays', async () => {
  const { access_token: token } = await letIn(gateway, bob, client);
  expect(await (await callTool(gateway, token)).text()).toContain('engine_a');
  const path = `/admin/v1/accounts/${account.id}`;
  const paid = (await (await bob.ask('GET', path)).json()) as { balance_usd: number };
  expect(paid.balance_usd).toBeLessThan(1);
  const listed = (await (await bob.ask('GET', `${path}/keys`)).json()) as {
    keys: { id: string; name: string; revoked_at: null }[];
  };
  proves('oauth.grant-is-a-key', () => {
    expect(listed.keys[0]).toMatchObject({ name: 'Agent (bob@example.org)', revoked_at: null });
    expect(JSON.stringify(listed)).not.toContain(token);
  });
  await bob.ask('DELETE', `/admin/v1/keys/${listed.keys[0]?.id}`, { body: {} });
  await proves('oauth.revocation', async () => {
    expect((await callTool(gateway, token)).status).toBe(401);
  });
});

test('a refresh replaces both tokens, and a retry gets the same ones again', async () => {
  const first = await letIn(gateway, bob, client);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => refresh(gateway, client, first.refresh_token)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const given = answers.map(({ body }) => body as unknown as typeof first);
  expect(new Set(given.map((one) => one.access_token + one.refresh_token)).size).toBe(1);
  const [second] = given as [typeof first];
  await proves('oauth.refresh', async () => {
    expect((await callTool(gateway, first.access_token)).status).toBe(401);
    expect((await callTool(gateway, second.access_token)).status).toBe(200);
    expect((await refresh(gateway, client, second.refresh_token)).status).toBe(200);
    expect((await refresh(gateway, client, first.refresh_token)).status).toBe(400);
  });
});

test('a code works once, and a second use ends what the first one gave', async () => {
  const code = await codeFor(bob, requestOf(client));
  const { body } = await exchange(gateway, client, code);
  await proves('oauth.code-once', async () => {
    expect((await exchange(gateway, client, code)).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await callTool(gateway, String(body['access_token']))).status).toBe(401);
  });
  const raced = await codeFor(bob, requestOf(client));
  const both = await Promise.all([1, 2].map(() => exchange(gateway, client, raced)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  const won = both.find(({ status }) => status === 200);
  expect((await callTool(gateway, String(won?.body['access_token']))).status).toBe(401);
});

test.each([
  ['another verifier', { code_verifier: 'a'.repeat(43) }],
  ['no verifier', { code_verifier: '' }],
  ['the challenge as the verifier', { code_verifier: requestOf('')['code_challenge'] }],
  ['another address', { redirect_uri: 'https://evil.example/' }],
  ['no address', { redirect_uri: '' }],
])('a code with %s is refused, and spent', async (_name, changes) => {
  const code = await codeFor(bob, requestOf(client));
  const refused = await exchange(gateway, client, code, changes);
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await exchange(gateway, client, code)).status).toBe(400);
});

test('codes and tokens of another application are refused', async () => {
  const other = await register(gateway, { client_name: 'Other' });
  const code = await codeFor(bob, requestOf(client));
  expect((await exchange(gateway, other, code)).status).toBe(400);
  const tokens = await letIn(gateway, bob, client);
  expect((await refresh(gateway, other, tokens.refresh_token)).status).toBe(400);
  const ended = { client_id: other, token: tokens.access_token };
  expect((await postForm(gateway, '/oauth/revoke', ended)).status).toBe(200);
  expect((await callTool(gateway, tokens.access_token)).status).toBe(200);
  expect((await refresh(gateway, client, tokens.refresh_token)).status).toBe(200);
});

test.each(['access_token', 'refresh_token'] as const)(
  'an application ends its access with its %s',
  async (kind) => {
    const tokens = await letIn(gateway, bob, client);
    const ended = { client_id: client, token: tokens[kind] };
    expect((await postForm(gateway, '/oauth/revoke', ended)).status).toBe(200);
    expect((await callTool(gateway, tokens.access_token)).status).toBe(401);
    expect((await refresh(gateway, client, tokens.refresh_token)).status).toBe(400);
  },
);

test('a token is for the tools only, and never for the admin API', async () => {
  const { access_token: token } = await letIn(gateway, ada, client);
  const headers = { authorization: `Bearer ${token}` };
  expect((await callTool(gateway, token)).status).toBe(200);
  const ask = async (method: string, path: string, body?: object) =>
    (await visitor(() => gateway.url).ask(method, path, { ...(body ? { body } : {}), headers }))
      .status;
  await proves('oauth.tools-only', async () => {
    expect(await ask('GET', '/v1/balance')).toBe(401);
    expect(await ask('POST', '/v1/search', { query: 'x' })).toBe(401);
    expect(await ask('POST', '/compat/tavily/search', { query: 'x' })).toBe(401);
    expect(await ask('GET', '/compat/firecrawl/v2/team/credit-usage')).toBe(401);
    expect(await ask('GET', '/admin/v1/accounts')).toBe(401);
    expect(await ask('POST', '/admin/v1/accounts', { name: 'x' })).toBe(401);
    expect(await ask('POST', '/oauth/consent', { ...requestOf(client), allow: true })).toBe(401);
  });
});

test('the change is in the audit log, without a secret', async () => {
  const tokens = await letIn(gateway, bob, client);
  const log = await (await ada.ask('GET', '/admin/v1/audit?action=key.created')).text();
  expect(log).toContain('Agent (bob@example.org)');
  expect(log).not.toContain(tokens.access_token);
});

describe('the decision', () => {
  test('needs a session, and comes from the dashboard', async () => {
    const asked = requestOf(client);
    expect(
      (
        await decide(
          visitor(() => gateway.url),
          asked,
        )
      ).status,
    ).toBe(401);
    const foreign = { origin: 'https://evil.example' };
    expect((await decide(bob, asked, foreign)).status).toBe(403);
    const framed = { 'sec-fetch-site': 'cross-site' };
    expect((await decide(bob, asked, framed)).status).toBe(403);
    const form = await bob.ask('POST', '/oauth/consent', {
      body: new URLSearchParams({ ...asked, allow: 'true' }).toString(),
    });
    expect(form.status).toBe(400);
  });

  test('is asked on a page that no other page can frame', async () => {
    const query = new URLSearchParams(requestOf(client)).toString();
    const page = await bob.ask('GET', `/oauth/authorize?${query}`);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect((await bob.ask('GET', `/oauth/authorize?${query}&state=2`)).status).toBe(400);
  });

  test('goes back with the state and the issuer, also when it is a refusal', async () => {
    const body = { ...requestOf(client), allow: false };
    const { redirect_to } = (await (await decide(bob, body)).json()) as { redirect_to: string };
    expect(redirect_to).toStartWith(`${redirectUri}?`);
    expect(Object.fromEntries(new URL(redirect_to).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'its state',
      iss: gateway.url,
    });
  });

  test.each([
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a token as the response', { response_type: 'token' }, 'unsupported_response_type'],
    ['another resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
  ])('with %s is an error at the application', async (_name, changes, error) => {
    const answer = await decide(bob, requestOf(client, changes));
    const { redirect_to } = (await answer.json()) as { redirect_to: string };
    expect(new URL(redirect_to).searchParams.get('error')).toBe(error);
    expect(redirect_to).not.toContain('code=');
  });

  test.each([
    ['an address that is not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer address', { redirect_uri: `${redirectUri}/../../evil` }],
    ['an address that runs', { redirect_uri: 'javascript:alert(1)' }],
    ['an unknown application', { client_id: 'mcpc_eyJ1IjpbXX0.AAAA' }],
    ['an inherited name', { client_id: '__proto__' }],
  ])('with %s sends the browser nowhere', async (_name, changes) => {
    const asked = requestOf(client, changes);
    await proves('oauth.redirects', async () => {
      for (const path of ['/oauth/consent', '/oauth/consent/check']) {
        const answer = await bob.ask('POST', path, { body: { ...asked, allow: true } });
        expect([path, answer.status]).toEqual([path, 400]);
        expect(await answer.text()).not.toContain('redirect_to');
      }
    });
  });

  test('with an application that was signed by another gateway is refused', async () => {
    const [, payload = ''] = /^mcpc_(.*)\./.exec(client) ?? [];
    const forged = Buffer.from(
      Buffer.from(payload, 'base64url').toString().replace('agent.example', 'evil.example'),
    ).toString('base64url');
    const id = client.replace(payload, forged);
    const asked = requestOf(id, { redirect_uri: 'https://evil.example/callback' });
    expect((await decide(bob, asked)).status).toBe(400);
  });
});
