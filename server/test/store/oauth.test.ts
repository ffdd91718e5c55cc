// Codes and tokens of agents on both engines, over time: what has expired is refused and deleted,
// a retry gets the same answer, a later replay ends the access, and a failing write leaves nothing.
import { describe, expect, test } from 'bun:test';
import { registerClient } from '../../src/accounts/oauth/clients.ts';
import { decideRequest } from '../../src/accounts/oauth/consent.ts';
import { giveTokens, revokeToken } from '../../src/accounts/oauth/tokens.ts';
import { makeSignInLimits } from '../../src/accounts/sign-in/passwords.ts';
import { makeAuthenticator } from '../../src/accounts/keys/authenticate.ts';
import { changeKey } from '../../src/accounts/keys/keys.ts';
import { changePerson } from '../../src/accounts/people/people.ts';
import { expiredCodes, expiredRefreshTokens } from '../../src/accounts/store/oauth.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import { createWebhook } from '../../src/events/endpoints.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { sha256Base64Url } from '../../src/platform/ids.ts';
import type { Database } from '../../src/store/database.ts';
import { accountsContext } from './accounts-context.ts';
import { engines } from './engines.ts';
import { makeEventsContext } from './event-fixture.ts';
import { halfMade } from './failing-writes.ts';
import { makeStore } from './migrated-store.ts';

const place = { issuer: 'http://gateway.example', resource: 'http://gateway.example/mcp' };
const redirectUri = 'https://agent.example/callback';
const verifier = 'v'.repeat(43);
const hourMs = 3_600_000;
const names = { id: 'p1', name: 'Ada', email: 'a@b.example' };
const ada = { ...names, role: 'operator', account_id: null } as const;

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** A person, an application that the person authorizes, and a clock that tests set. */
async function makeAgent(database: Database) {
  const at = { now: Date.parse('2026-11-16T12:00:00Z') };
  const clock = { ...systemClock, now: () => new Date(at.now) };
  const secret = 's'.repeat(40);
  const limits = makeSignInLimits({ ...clock, ticks: () => at.now });
  const parts = { secret, refreshKeys: () => Promise.resolve(), limits };
  const context = { ...accountsContext(database, clock), ...parts };
  await database.run(`insert into accounts (id, name, created_at) values ('acct_default', 'x', 1)`);
  await database.run(
    `insert into people (id, name, email, email_verified, role, created_at, updated_at)
     values ('p1', 'Ada', 'a@b.example', 1, 'operator', 'x', 'x')`,
  );
  const { client_id: client } = registerClient(secret, { redirect_uris: [redirectUri] });
  const give = (fields: object, on = database) => {
    const own = { client_id: client, redirect_uri: redirectUri, code_verifier: verifier };
    const all = { ...own, ...fields };
    return giveTokens({ ...context, database: on }, place.resource, all, '') as Promise<Tokens>;
  };
  const quietly = (asking: Promise<Tokens>) => asking.catch(() => undefined);
  const code = async () => {
    const asked = { client_id: client, redirect_uri: redirectUri, response_type: 'code' };
    const challenge = { code_challenge: sha256Base64Url(verifier), code_challenge_method: 'S256' };
    const to = await decideRequest(context, place, ada, { ...asked, ...challenge, allow: true });
    return new URL(to.redirect_to).searchParams.get('code') ?? '';
  };
  const byCode = (given: string) => ({ grant_type: 'authorization_code', code: given });
  const byRefresh = (given = '') => ({ grant_type: 'refresh_token', refresh_token: given });
  return {
    ...{ at, clock, context, client, code, give, byCode, byRefresh },
    exchange: (given: string) => quietly(give(byCode(given))),
    refresh: (given?: string) => quietly(give(byRefresh(given))),
    /** With an empty cache, as a gateway that has just started. */
    isValid: async (token = '') =>
      (await makeAuthenticator(database, clock).identify(token)) !== undefined,
  };
}

describe.each(engines)('on $name', (engine) => {
  test('codes, access tokens and refresh tokens end in time', async () => {
    await using store = await makeStore(engine);
    const { at, code, exchange, refresh, isValid } = await makeAgent(store.database);
    const late = await code();
    at.now += 60_000;
    expect(await exchange(late)).toBeUndefined();
    const tokens = await exchange(await code());
    at.now += hourMs - 1;
    expect(await isValid(tokens?.access_token)).toBe(true);
    at.now += 1;
    expect(await isValid(tokens?.access_token)).toBe(false);
    const next = await refresh(tokens?.refresh_token);
    expect(next).toBeDefined();
    at.now += 30 * 24 * hourMs;
    expect(await refresh(next?.refresh_token)).toBeUndefined();
    for (const { step } of [expiredCodes, expiredRefreshTokens]) {
      expect(await step(store.database, { now: at.now, keptMs: 0 }, 100)).toBe(2);
    }
  });

  test('a refresh whose answer was lost is answered again; a later replay counts as theft', async () => {
    await using store = await makeStore(engine);
    const { at, code, exchange, refresh, isValid } = await makeAgent(store.database);
    const first = await exchange(await code());
    const given = await Promise.all(Array.from({ length: 4 }, () => refresh(first?.refresh_token)));
    const [second] = given;
    expect(new Set(given.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await isValid(first?.access_token)).toBe(false);
    at.now += 119_000;
    const retried = await refresh(first?.refresh_token);
    expect(retried).toEqual({ ...second, expires_in: 3600 - 119 } as never);
    expect(await isValid(retried?.access_token)).toBe(true);
    // A request that the network delivered late gets nothing, and changes nothing.
    const third = await refresh(second?.refresh_token);
    expect(await refresh(first?.refresh_token)).toBeUndefined();
    expect(await isValid(third?.access_token)).toBe(true);
    at.now += 121_000;
    expect(await refresh(second?.refresh_token)).toBeUndefined();
    expect(await isValid(third?.access_token)).toBe(false);
    expect(await refresh(third?.refresh_token)).toBeUndefined();
  });

  test('an agent that refreshes without pause is refused for the rest of the minute', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const { at, code, exchange, give, byRefresh } = await makeAgent(database);
    let tokens = await exchange(await code());
    for (let refreshes = 0; refreshes < 10; refreshes += 1) {
      tokens = await give(byRefresh(tokens?.refresh_token));
    }
    const again = () => give(byRefresh(tokens?.refresh_token));
    expect(await again().catch(({ type }: { type: string }) => type)).toBe('rate_limited');
    at.now += 60_000;
    expect(await again()).toHaveProperty('access_token');
  });

  test('a member who becomes a viewer loses the agents, including one that has only a code', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const { context, code, exchange, refresh, isValid } = await makeAgent(database);
    const own = { account_id: 'acct_default' };
    await database.run(`update people set role = 'member', account_id = 'acct_default'`);
    const tokens = await exchange(await code());
    const waiting = await code();
    await changePerson(context, bootstrap, 'p1', { ...own, role: 'member' });
    expect(await isValid(tokens?.access_token)).toBe(true);
    await changePerson(context, bootstrap, 'p1', { ...own, role: 'viewer' });
    expect(await isValid(tokens?.access_token)).toBe(false);
    expect(await refresh(tokens?.refresh_token)).toBeUndefined();
    expect(await exchange(waiting)).toBeUndefined();
  });

  test('each refresh replaces an old row, and a person can authorize at most 100 agents', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const { at, code, exchange, refresh } = await makeAgent(database);
    let tokens = await exchange(await code());
    for (let times = 0; times < 30; times += 1) {
      at.now += hourMs;
      tokens = await refresh(tokens?.refresh_token);
    }
    expect(tokens).toBeDefined();
    expect(await database.run('select hash from oauth_refresh_tokens')).toHaveLength(11);
    await database.run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 99)
       insert into keys (id, account_id, name, hash, display, created_at, expires_at)
       select 'k' || i, 'acct_default', 'agent', 'h' || i, 'd', 1, ${at.now} from n`,
    );
    await database.run(
      `insert into oauth_grants (id, client, person_id, created_at)
       select id, 'c', 'p1', 1 from keys where name = 'agent'`,
    );
    expect(await exchange(await code())).toBeUndefined();
    await database.run(`update keys set revoked_at = 1 where id = 'k7'`);
    expect(await exchange(await code())).toBeDefined();
  });

  test('a statement that fails leaves the tokens as they were; a retry succeeds', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const { code, give, byCode, byRefresh, refresh, isValid } = await makeAgent(database);
    const spent = await code();
    let given: Tokens | undefined;
    const exchanged = await halfMade(database, async (failing) => {
      given = await give(byCode(spent), failing);
    });
    expect(exchanged.leftRows).toEqual([]);
    expect(exchanged.statements).toBeGreaterThan(6);
    const sent = given?.refresh_token;
    const refreshed = await halfMade(database, async (failing) => {
      given = await give(byRefresh(sent), failing);
    });
    expect(refreshed.leftRows).toEqual([]);
    expect(refreshed.statements).toBeGreaterThan(4);
    expect(await isValid(given?.access_token)).toBe(true);
    expect(await refresh(given?.refresh_token)).toBeDefined();
  });

  test('the key of an agent is announced, expires after an hour, and stays expired', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const { context, client, code, exchange } = await makeAgent(database);
    await createWebhook(makeEventsContext(database, context), bootstrap, 'acct_default', {
      url: 'https://receiver.example/hook',
      events: ['key.created', 'key.revoked'],
      description: '',
    });
    const tokens = await exchange(await code());
    const [{ id, expires_at } = {}] = await database.run('select id, expires_at from keys');
    for (const expires of [null, '2099-01-01T00:00:00.000Z']) {
      const change = changeKey(context, bootstrap, String(id), { expires_at: expires });
      expect(await change.catch((error: Error) => error.message)).toContain('agent');
    }
    await changeKey(context, bootstrap, String(id), {
      name: 'Renamed',
      daily_cap_usd: 1,
      expires_at: new Date(Number(expires_at)).toISOString(),
    });
    expect(await database.run('select name, expires_at from keys')).toEqual([
      { name: 'Renamed', expires_at },
    ]);
    await revokeToken(context, { client_id: client, token: tokens?.access_token ?? '' }, '');
    const events = await database.run('select event, subject from deliveries order by event');
    expect(events).toEqual(['key.created', 'key.revoked'].map((event) => ({ event, subject: id })));
  });
});
