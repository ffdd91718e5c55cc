// Single sign-on with an identity provider that returns invalid answers.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AuditList } from '@trivium/contract';
import { freePort } from '../free-port.ts';
import { startGateway, startRefused } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startHostileProvider } from './hostile-identity-provider.ts';
import { operator, visitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

const client = { id: 'trivium', secret: 'the secret of a client under test' };
const ada = 'ada@example.org';

const provider = startHostileProvider(client.id);
const port = freePort();
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({
    engine: 'PostgreSQL',
    env: {
      PORT: String(port),
      TRIVIUM_PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRIVIUM_OIDC_ISSUER: provider.issuer,
      TRIVIUM_OIDC_CLIENT_ID: client.id,
      TRIVIUM_OIDC_CLIENT_SECRET: client.secret,
    },
  });
  await operator(gateway, ada);
});
afterAll(async () => {
  await gateway.close();
  provider[Symbol.dispose]();
});

/** Completes the sign-in redirects and returns the signed-in person. */
async function comeBack(headers: Record<string, string> = {}): Promise<string | undefined> {
  const who = visitor(() => gateway.url);
  const there = await wayTo(who, headers);
  provider.visited(there);
  const back = new URL(there.searchParams.get('redirect_uri') ?? '');
  const state = there.searchParams.get('state') ?? '';
  await who.ask('GET', `${back.pathname}?code=a-code&state=${encodeURIComponent(state)}`);
  return (await who.session()).person?.email;
}

async function wayTo(who: Visitor, headers: Record<string, string> = {}): Promise<URL> {
  const body = { provider: 'oidc', callbackURL: '/', errorCallbackURL: '/sign-in' };
  const answer = await who.ask('POST', '/auth/sign-in/social', { body, headers });
  const { url } = (await answer.json()) as { url: string };
  return new URL(url);
}

const verified = { email: ada, email_verified: true };

test.each([
  ['an address that is not verified', { sub: 'eve', email: ada, email_verified: false }],
  ['an address verified in words', { sub: 'eve', email: ada, email_verified: 'true' }],
  ['an address without the claim', { sub: 'eve', email: ada }],
  ['no address', { sub: 'eve' }],
  ['no subject', { ...verified }],
  ['an empty subject', { sub: '', ...verified }],
  ['another audience', { sub: 'eve', aud: 'elsewhere', ...verified }],
  ['another issuer', { sub: 'eve', iss: 'http://elsewhere.example', ...verified }],
  ['another nonce', { sub: 'eve', nonce: 'of another sign-in', ...verified }],
  ['an expiry in the past', { sub: 'eve', exp: 1, ...verified }],
  ['an address without an invitation', { sub: 'eve', ...verified, email: 'eve@example.org' }],
])('an id token with %s is refused', async (_what, claims) => {
  provider.setAnswer({ claims, userinfo: { sub: 'eve', ...verified } });
  expect(await comeBack()).toBeUndefined();
});

test('an answer without an id token is refused, with any userinfo', async () => {
  provider.setAnswer({ userinfo: { sub: 'eve', id: 'eve', ...verified } });
  expect(await comeBack()).toBeUndefined();
  expect(provider.userinfoCalls()).toBe(0);
});

test('a subject belongs to the first person with its verified email', async () => {
  provider.setAnswer({ claims: { sub: 'ada', ...verified } });
  expect(await comeBack()).toBe(ada);
  provider.setAnswer({ claims: { sub: 'eve', ...verified } });
  expect(await comeBack()).toBeUndefined();
  provider.setAnswer({ claims: { sub: 'eve', email: 'ADA@example.org', email_verified: true } });
  expect(await comeBack()).toBeUndefined();
  // The same subject is the same person, also after its email has changed.
  provider.setAnswer({ claims: { sub: 'ada', email: 'new@example.org', email_verified: true } });
  expect(await comeBack()).toBe(ada);
  provider.setAnswer({ claims: { sub: 'ada' } });
  expect(await comeBack()).toBe(ada);
});

test('the audit log records that a subject was linked, and each sign-in', async () => {
  const who = visitor(() => gateway.url);
  await who.signIn(ada);
  const entries = async (action: string) => {
    const page = await who.ask('GET', `/admin/v1/audit?action=${action}`);
    return AuditList.parse(await page.json()).entries;
  };
  const subject = `${provider.issuer}|ada`;
  expect(await entries('person.linked')).toMatchObject([
    { actor: { kind: 'person', name: ada }, address: '127.0.0.1', after: { subject } },
  ]);
  const before = await entries('person.signed_in');
  provider.setAnswer({ claims: { sub: 'ada', ...verified } });
  expect(await comeBack()).toBe(ada);
  expect((await entries('person.signed_in')).length).toBe(before.length + 1);
});

test('redirects go to the public URL, with any Host header', async () => {
  const { redirected, status } = await hostNamed('evil.example');
  expect(status).toBe(200);
  expect(redirected).toBe(`http://127.0.0.1:${port}/auth/callback/oidc`);
});

async function hostNamed(host: string) {
  const body = { provider: 'oidc', callbackURL: '/', errorCallbackURL: '/sign-in' };
  const headers = { host, 'x-forwarded-host': host, origin: gateway.url };
  const answer = await visitor(() => gateway.url).ask('POST', '/auth/sign-in/social', {
    body,
    headers,
  });
  const { url } = (await answer.json()) as { url: string };
  return { status: answer.status, redirected: new URL(url).searchParams.get('redirect_uri') };
}

test('a state works once, also with the previous cookie and concurrently', async () => {
  provider.setAnswer({ claims: { sub: 'ada', ...verified } });
  const start = async () => {
    const who = visitor(() => gateway.url);
    const there = await wayTo(who);
    provider.visited(there);
    const state = encodeURIComponent(there.searchParams.get('state') ?? '');
    const { cookie = '' } = who.headers();
    return async () => {
      const again = visitor(() => gateway.url);
      const path = `/auth/callback/oidc?code=a-code&state=${state}`;
      await again.ask('GET', path, { headers: { cookie } });
      return (await again.session()).person?.email;
    };
  };
  const comeBackAgain = await start();
  expect(await comeBackAgain()).toBe(ada);
  expect(await comeBackAgain()).toBeUndefined();
  const atOnce = await start();
  const all = await Promise.all([1, 2, 3, 4].map(() => atOnce()));
  expect(all.filter((email) => email !== undefined)).toEqual([ada]);
});

test('an id token from the caller is refused', async () => {
  const body = {
    provider: 'oidc',
    callbackURL: '/',
    errorCallbackURL: '/sign-in',
    idToken: { token: 'a.b.c' },
  };
  const eve = visitor(() => gateway.url);
  expect((await eve.ask('POST', '/auth/sign-in/social', { body })).status).toBe(400);
});

test('the start fails with a reason when single sign-on has no public URL', async () => {
  const { exitCode, output } = await startRefused({
    env: {
      TRIVIUM_OIDC_ISSUER: 'http://127.0.0.1:9',
      TRIVIUM_OIDC_CLIENT_ID: client.id,
      TRIVIUM_OIDC_CLIENT_SECRET: client.secret,
    },
  });
  expect(exitCode).toBe(1);
  expect(output).toContain('TRIVIUM_PUBLIC_URL is required with TRIVIUM_OIDC_ISSUER');
});
