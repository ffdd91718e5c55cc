// People on both engines: the set-up link, signing in, roles, sessions, forgotten passwords, and what
// another site cannot do.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  KeyList,
  NewInvite,
  PeopleList,
  Person,
  Profile,
  ResetLink,
  ResetState,
  SessionView,
} from '@trivium/contract';
import { type Browser, openBrowser, password, setUpToken } from '../browser.ts';
import { engines } from './engines.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { listEntries } from '../../src/audit/store/audit-log.ts';
import { resetPassword } from '../../src/app/commands/reset-password.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { providers } from '../../src/providers/registry.ts';
import { adminToken, openGateway, type TestGateway } from '../gateway.ts';

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

const secret = 'the-secret-that-the-gateways-share-0123456789';
const account = 'acct_default';

describe.each(engines)('people on $name', (engine) => {
  let fixture: GatewayOnStore;
  let ada: Browser;
  let bob: Browser;
  let bobId: string;
  let adaId: string;
  beforeAll(async () => {
    fixture = await openGatewayOnStore(engine, '1', { TRIVIUM_SECRET: secret });
    const { gateway } = fixture;
    ada = browser(gateway);
    await ada.join(setUpToken(gateway), 'ada@example.org', 'Ada');
    await ada.signIn('ada@example.org');
    const body = { role: 'member', account_id: account, label: 'Bob, on call' };
    const made = NewInvite.parse(await (await ada.ask('POST', '/invites', body)).json());
    expect(made.label).toBe('Bob, on call');
    const listed = PeopleList.parse(await (await ada.ask('GET', '/people')).json());
    expect(listed.invites.map(({ label }) => label)).toEqual(['Bob, on call']);
    bob = browser(gateway);
    await bob.join(made.token, 'bob@example.org', 'Bob');
    await bob.signIn('bob@example.org');
    const { people } = PeopleList.parse(await (await ada.ask('GET', '/people')).json());
    adaId = people.find(({ name }) => name === 'Ada')?.id ?? '';
    bobId = people.find(({ name }) => name === 'Bob')?.id ?? '';
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('a new role takes effect with the next request, and the last operator stays', async () => {
    const to = (id: string, body: object) => ada.ask('PATCH', `/people/${id}`, body);
    expect((await bob.ask('GET', '/people')).status).toBe(403);
    const raised = await to(bobId, { role: 'operator' });
    expect(Person.parse(await raised.json())).toMatchObject({ role: 'operator', account_id: null });
    expect((await bob.ask('GET', '/people')).status).toBe(200);
    // Two operators who demote each other at the same time: one of them stays an operator.
    const member = { role: 'member', account_id: account };
    const both = await Promise.all([
      ada.ask('PATCH', `/people/${bobId}`, member),
      bob.ask('PATCH', `/people/${adaId}`, member),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const token = { authorization: `Bearer ${adminToken}` };
    const back = (id: string, body: object) => ada.ask('PATCH', `/people/${id}`, body, token);
    await back(adaId, { role: 'operator' });
    await back(bobId, member);
    expect((await to(adaId, member)).status).toBe(409);
    expect((await ada.ask('DELETE', `/people/${adaId}`)).status).toBe(409);
    expect((await to(bobId, { role: 'member' })).status).toBe(400);
    expect((await to(bobId, { role: 'member', account_id: 'acct_none' })).status).toBe(400);
    expect((await to(bobId, { role: 'owner' })).status).toBe(400);
    expect((await to('auth_none', member)).status).toBe(404);
    expect((await bob.ask('PATCH', `/people/${bobId}`, { role: 'operator' })).status).toBe(403);
  });

  test('a person sees and ends their own sessions, and no others', async () => {
    const elsewhere = browser(fixture.gateway);
    await elsewhere.signIn('bob@example.org');
    const profile = async () => Profile.parse(await (await bob.ask('GET', '/profile')).json());
    const before = await profile();
    expect(before.person.email).toBe('bob@example.org');
    expect(before.has_password).toBe(true);
    expect(before.sessions.filter(({ current }) => current)).toHaveLength(1);
    const [other] = before.sessions.filter(({ current }) => !current);
    expect((await ada.ask('DELETE', `/profile/sessions/${other?.id}`)).status).toBe(404);
    expect((await bob.ask('DELETE', `/profile/sessions/${other?.id}`)).status).toBe(200);
    expect((await elsewhere.ask('GET', '/profile')).status).toBe(401);
    await elsewhere.signIn('bob@example.org');
    await bob.ask('DELETE', '/profile/sessions');
    expect((await elsewhere.ask('GET', '/profile')).status).toBe(401);
    expect((await profile()).sessions).toHaveLength(1);
    const renamed = await bob.ask('PATCH', '/profile', { name: 'Robert' });
    expect(Person.parse(await renamed.json()).name).toBe('Robert');
    const { rows } = await listEntries(fixture.store.database, {
      action: 'person.changed',
      limit: 1,
    });
    expect(rows).toMatchObject([{ before: { name: 'Bob' }, after: { name: 'Robert' } }]);
    const session = await (await bob.ask('GET', '/session')).json();
    expect(session).toMatchObject({ account: { id: account, name: expect.any(String) } });
    expect((await bob.ask('PATCH', '/profile', { name: 'x', role: 'operator' })).status).toBe(400);
    const asToken = { authorization: `Bearer ${adminToken}` };
    expect((await browser(fixture.gateway).ask('GET', '/profile', undefined, asToken)).status).toBe(
      403,
    );
  });

  test('a link lets one person choose a new password, once', async () => {
    const made = await ada.ask('POST', `/people/${bobId}/reset`, {});
    const { token } = ResetLink.parse(await made.json());
    const visitor = browser(fixture.gateway);
    const state = async (link: string) =>
      ResetState.parse(await (await visitor.ask('POST', '/reset/check', { token: link })).json());
    expect(await state(token)).toEqual({ open: true, email: 'bob@example.org' });
    const forged = token.replace(bobId, adaId);
    const later = token.replace(/\.(\w+)\./, '.zzzzzzzz.');
    for (const wrong of [forged, later, `${token}x`, 'x', token.slice(1)]) {
      expect(await state(wrong)).toEqual({ open: false, email: null });
      const tried = await visitor.ask('POST', '/reset', {
        token: wrong,
        password: 'another one here',
      });
      expect(tried.status).toBe(404);
    }
    expect((await visitor.ask('POST', '/reset', { token, password: 'short' })).status).toBe(400);
    const chosen = ['the first new password', 'the other new password'];
    const tries = await Promise.all(
      chosen.map((each) => visitor.ask('POST', '/reset', { token, password: each })),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(await state(token)).toEqual({ open: false, email: null });
    expect((await bob.ask('GET', '/profile')).status).toBe(401);
    expect((await visitor.signIn('bob@example.org')).status).toBe(401);
    const winner = chosen[tries.findIndex(({ status }) => status === 200)] ?? '';
    expect((await visitor.signIn('bob@example.org', winner)).status).toBe(200);
    expect((await bob.ask('POST', `/people/${adaId}/reset`, {})).status).toBe(401);
    expect((await visitor.ask('POST', `/people/${adaId}/reset`, {})).status).toBe(403);
    expect((await ada.ask('POST', '/people/auth_none/reset', {})).status).toBe(404);
  });

  test('the command prints a link while the gateway runs, and any gateway accepts it', async () => {
    const env = {
      ...fixture.store.settings,
      TRIVIUM_SANDBOX: 'off',
      TRIVIUM_SECRET: secret,
      EXA_API_KEY: 'x',
    };
    const settings = readSettings(env, Object.values(providers));
    const text = await resetPassword(settings, 'ADA@example.org', new Date());
    const token = /reset#(\S+)/.exec(text)?.[1] ?? '';
    const on = { ...fixture.store.settings, TRIVIUM_SECRET: secret };
    const isShared = engine.name === 'PostgreSQL';
    await using other = isShared ? await openGateway(fixture.exa.url, on) : undefined;
    const visitor = browser(other ?? fixture.gateway);
    const chosen = 'chosen after a long night';
    expect((await visitor.ask('POST', '/reset', { token, password: chosen })).status).toBe(200);
    expect((await ada.ask('GET', '/profile')).status).toBe(401);
    expect((await ada.signIn('ada@example.org', chosen)).status).toBe(200);
    const unknown = resetPassword(settings, 'eve@example.org', new Date());
    expect(await unknown.catch((error: Error) => error.message)).toContain(
      'No one with the address',
    );
  });
});

/** Asks the admin API. */
function browser(gateway: Pick<TestGateway, 'url'>): Browser {
  const opened = openBrowser(gateway);
  const ask: Browser['ask'] = (method, path, body, headers) =>
    opened.ask(method, `/admin/v1${path}`, body, headers);
  return { ...opened, ask };
}
