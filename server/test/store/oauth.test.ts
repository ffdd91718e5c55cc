// Codes and tokens of agents on both engines, over time: what has expired is refused and deleted.
import { describe, expect, test } from 'bun:test';
import { registerClient } from '../../src/accounts/oauth-clients.ts';
import { decideRequest } from '../../src/accounts/oauth-consent.ts';
import { giveTokens } from '../../src/accounts/oauth-tokens.ts';
import { makeAuthenticator } from '../../src/accounts/authenticate.ts';
import { deleteExpiredCodes, deleteExpiredRefreshTokens } from '../../src/accounts/store/oauth.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { sha256Base64Url } from '../../src/platform/ids.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const place = { issuer: 'http://gateway.example', resource: 'http://gateway.example/mcp' };
const redirectUri = 'https://agent.example/callback';
const verifier = 'v'.repeat(43);
const hourMs = 3_600_000;
const names = { id: 'p1', name: 'Ada', email: 'a@b.example' };
const ada = { ...names, role: 'operator', account_id: null } as const;

describe.each(engines)('on $name', (engine) => {
  test('codes, access tokens and refresh tokens end in time', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    let now = Date.parse('2026-11-16T12:00:00Z');
    const clock = { ...systemClock, now: () => new Date(now) };
    const context = {
      database,
      clock,
      secret: 's'.repeat(40),
      refreshKeys: () => Promise.resolve(),
    };
    await database.run(
      `insert into accounts (id, name, created_at) values ('acct_default', 'x', 1)`,
    );
    await database.run(
      `insert into people (id, name, email, email_verified, role, created_at, updated_at)
       values ('p1', 'Ada', 'a@b.example', 1, 'operator', 'x', 'x')`,
    );
    const { id: client } = registerClient(context.secret, { redirect_uris: [redirectUri] });
    const codeNow = async () => {
      const asked = { client_id: client, redirect_uri: redirectUri, response_type: 'code' };
      const challenge = {
        code_challenge: sha256Base64Url(verifier),
        code_challenge_method: 'S256',
      };
      const to = await decideRequest(context, place, ada, { ...asked, ...challenge, allow: true });
      return new URL(to.redirect_to).searchParams.get('code') ?? '';
    };
    const ask = (fields: object) => {
      const own = { client_id: client, redirect_uri: redirectUri, code_verifier: verifier };
      const all = { ...own, ...fields };
      return giveTokens(context, place.resource, all, '').then(
        (given) => given as { access_token: string; refresh_token: string },
        () => undefined,
      );
    };
    const exchange = (code: string) => ask({ grant_type: 'authorization_code', code });
    const late = await codeNow();
    now += 60_000;
    expect(await exchange(late)).toBeUndefined();
    const tokens = await exchange(await codeNow());
    const authenticator = makeAuthenticator(database, clock);
    const key = tokens?.access_token ?? '';
    now += hourMs - 1;
    expect(await authenticator.identify(key)).toBeDefined();
    now += 1;
    expect(await authenticator.identify(key)).toBeUndefined();
    const refresh = (token = '') => ask({ grant_type: 'refresh_token', refresh_token: token });
    const next = await refresh(tokens?.refresh_token);
    expect(next).toBeDefined();
    now += 30 * 24 * hourMs;
    expect(await refresh(next?.refresh_token)).toBeUndefined();
    expect(await deleteExpiredCodes(database, now, 100)).toBe(2);
    expect(await deleteExpiredRefreshTokens(database, now, 100)).toBe(2);
  });
});
