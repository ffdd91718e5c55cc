// Single sign-on with an identity provider whose answers are wrong in every way that matters.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { startGateway, startRefused } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startHostileProvider } from './hostile-identity-provider.ts';
import { operator, visitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

const limitMs = 120_000;
const client = { id: 'trivium', secret: 'the secret of a client under test' };
const ada = 'ada@example.org';

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  const provider = startHostileProvider(client.id);
  const port = freePort();
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined;
  let gateway: Gateway;
  beforeAll(async () => {
    if (engine === 'PostgreSQL') database = await createDatabase();
    gateway = await startGateway({
      env: {
        PORT: String(port),
        TRIVIUM_PUBLIC_URL: `http://127.0.0.1:${port}`,
        TRIVIUM_OIDC_ISSUER: provider.issuer,
        TRIVIUM_OIDC_CLIENT_ID: client.id,
        TRIVIUM_OIDC_CLIENT_SECRET: client.secret,
      },
      ...(database ? { database_url: database.url } : {}),
    });
    await operator(gateway, ada);
  }, limitMs);
  afterAll(async () => {
    await gateway.close();
    await database?.[Symbol.asyncDispose]();
    provider[Symbol.dispose]();
  }, limitMs);

  /** Goes there and back, and answers who is signed in afterwards. */
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
    ['an end in the past', { sub: 'eve', exp: 1, ...verified }],
  ])('an id token with %s signs no one in', async (_what, claims) => {
    provider.says({ claims, userinfo: { sub: 'eve', ...verified } });
    expect(await comeBack()).toBeUndefined();
  });

  test('without an id token no one is signed in, whatever userinfo says', async () => {
    provider.says({ userinfo: { sub: 'eve', id: 'eve', ...verified } });
    expect(await comeBack()).toBeUndefined();
    expect(provider.userinfoAsked()).toBe(0);
  });

  test('a subject is one person: the first with a verified address, and no later one', async () => {
    provider.says({ claims: { sub: 'ada', ...verified } });
    expect(await comeBack()).toBe(ada);
    provider.says({ claims: { sub: 'eve', ...verified } });
    expect(await comeBack()).toBeUndefined();
    provider.says({ claims: { sub: 'eve', email: 'ADA@example.org', email_verified: true } });
    expect(await comeBack()).toBeUndefined();
    // The same subject is the same person, whatever becomes of the address.
    provider.says({ claims: { sub: 'ada', email: 'new@example.org', email_verified: true } });
    expect(await comeBack()).toBe(ada);
    provider.says({ claims: { sub: 'ada' } });
    expect(await comeBack()).toBe(ada);
  });

  test('a verified address that was not invited opens nothing', async () => {
    provider.says({
      claims: { sub: 'mallory', email: 'mallory@example.org', email_verified: true },
    });
    expect(await comeBack()).toBeUndefined();
  });

  test('people are sent back to the public address, whatever Host a request names', async () => {
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

  test('an id token that a caller brings along is not taken', async () => {
    const body = {
      provider: 'oidc',
      callbackURL: '/',
      errorCallbackURL: '/sign-in',
      idToken: { token: 'a.b.c' },
    };
    const eve = visitor(() => gateway.url);
    expect((await eve.ask('POST', '/auth/sign-in/social', { body })).status).toBe(400);
  });
});

test('without a public address single sign-on does not start, and says why', async () => {
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
