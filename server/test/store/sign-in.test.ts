// Signing in on both engines: the set-up link, roles, sessions, and what another site cannot do.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { KeyList, NewInvite, PeopleList, SessionView } from '@trivium/contract';
import { type Browser, openBrowser, password, setUpToken } from '../browser.ts';
import { engines } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';

const acct = '/admin/v1/accounts/acct_default';

describe.each(engines)('on $name', (engine) => {
  let fixture: GatewayOnStore;
  let ada: Browser;
  beforeAll(async () => {
    fixture = await openGatewayOnStore(engine, '1');
    ada = openBrowser(fixture.gateway);
    await ada.join(setUpToken(fixture.gateway), 'ada@example.org');
    await ada.signIn('ada@example.org');
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('the printed link creates one operator, once', async () => {
    await using fresh = await openGatewayOnStore(engine, '1');
    const { gateway } = fresh;
    const look = async (one: string) =>
      (await openBrowser(gateway).ask('POST', '/admin/v1/join/check', { token: one })).json();
    expect((await sessionOf(openBrowser(gateway))).needs_set_up).toBe(true);
    const token = setUpToken(gateway);
    // A link can be opened before it is used, but not afterwards.
    for (const _time of [1, 2]) expect(await look(token)).toEqual({ open: true });
    expect(await look('nonsense')).toEqual({ open: false });
    const refused = await openBrowser(gateway).join('a wrong token', 'eve@example.org');
    expect(refused.status).toBe(404);
    expect((await openBrowser(gateway).join(token, 'ada@example.org')).status).toBe(201);
    expect((await openBrowser(gateway).join(token, 'eve@example.org')).status).toBe(404);
    expect(await look(token)).toEqual({ open: false });
    const ada = openBrowser(gateway);
    expect((await ada.signIn('ada@example.org', 'a wrong password')).status).toBe(401);
    expect((await sessionOf(ada)).person).toBeNull();
    await ada.signIn('ada@example.org');
    const view = await sessionOf(ada);
    expect(view).toMatchObject({ needs_set_up: false, person: { role: 'operator' } });
  });

  test('browsers on https receive Strict-Transport-Security', async () => {
    const headersOf = async ({ gateway }: GatewayOnStore) => {
      const pages = ['/sign-in', '/nowhere'].map((path) => fetch(gateway.url + path));
      const answers = await Promise.all(pages);
      return answers.map(({ headers }) => headers.get('strict-transport-security'));
    };
    expect(await headersOf(fixture)).toEqual([null, null]);
    const settings = { TRIVIUM_PUBLIC_URL: 'https://gateway.example' };
    await using behindTls = await openGatewayOnStore(engine, '1', settings);
    expect(await headersOf(behindTls)).toEqual(['max-age=31536000', 'max-age=31536000']);
  });

  test('a session pays like a key, and ends when all sessions are revoked', async () => {
    const search = () => ada.ask('POST', '/v1/search', { query: 'solar' });
    expect((await search()).status).toBe(200);
    const { balance_usd } = (await (await ada.ask('GET', '/v1/balance')).json()) as {
      balance_usd: number;
    };
    expect(balance_usd).toBe(0.993);
    const other = openBrowser(fixture.gateway);
    await other.signIn('ada@example.org');
    expect((await other.ask('POST', '/auth/revoke-sessions', {})).status).toBe(200);
    expect((await search()).status).toBe(401);
    await ada.signIn('ada@example.org');
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', { origin: '' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
  ])('a cookie sent with %s has no effect', async (_, headers) => {
    const made = await ada.ask('POST', `${acct}/keys`, { name: 'stolen' }, headers);
    expect(made.status).toBe(403);
    const { keys } = KeyList.parse(await (await ada.ask('GET', `${acct}/keys`)).json());
    expect(keys.map(({ name }) => name)).not.toContain('stolen');
  });

  test('a removed person is signed out at once', async () => {
    const invited = await ada.ask('POST', '/admin/v1/invites', { role: 'operator' });
    const { token } = NewInvite.parse(await invited.json());
    const eve = openBrowser(fixture.gateway);
    await eve.join(token, 'eve@example.org');
    await eve.signIn('eve@example.org');
    const list = PeopleList.parse(await (await eve.ask('GET', '/admin/v1/people')).json());
    const id = list.people.find(({ email }) => email === 'eve@example.org')?.id ?? '';
    expect((await ada.ask('DELETE', `/admin/v1/people/${id}`)).status).toBe(200);
    expect((await eve.ask('GET', '/admin/v1/people')).status).toBe(401);
    expect((await eve.signIn('eve@example.org')).status).toBe(401);
  });

  // Last, because the password changes.
  test('a new password ends the other sessions, and attempts are limited', async () => {
    const other = openBrowser(fixture.gateway);
    await other.signIn('ada@example.org');
    const newPassword = 'another horse battery';
    const change = (who: Browser, current: string, chosen = newPassword) =>
      who.ask('POST', '/auth/change-password', { current_password: current, new_password: chosen });
    expect((await change(openBrowser(fixture.gateway), password)).status).toBe(401);
    expect((await change(ada, password, 'short')).status).toBe(400);
    expect((await change(ada, password)).status).toBe(200);
    expect((await sessionOf(ada)).person).not.toBeNull();
    expect((await sessionOf(other)).person).toBeNull();
    expect((await openBrowser(fixture.gateway).signIn('ada@example.org')).status).toBe(401);
    const again = openBrowser(fixture.gateway);
    expect((await again.signIn('ada@example.org', newPassword)).status).toBe(200);
    // Attempts are counted in memory, and each takes the time of a hash.
    if (engine.name === 'PostgreSQL') return;
    const statuses: number[] = [];
    for (let guess = 0; guess < 25 && statuses.at(-1) !== 429; guess += 1) {
      statuses.push((await change(again, `guess number ${guess}`)).status);
    }
    expect(statuses.at(0)).toBe(400);
    expect(statuses.at(-1)).toBe(429);
  });
});

async function sessionOf(browser: Browser): Promise<SessionView> {
  return SessionView.parse(await (await browser.ask('GET', '/admin/v1/session')).json());
}
