// The audit log: every route that changes something writes an entry, with its author and without
// secrets. The routes come from the gateway's own table, so a new one cannot be forgotten.
import { afterAll, beforeAll, test } from 'bun:test';
import { AuditEntry, AuditList, NewInvite } from '@trivium/contract';
import type { AuditAction } from '@trivium/contract';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { routeTable } from './route-table.ts';
import { newKey } from './sides.ts';
import { defaultPassword, member, operator, send, visitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';
import { expect, proves } from '../proves.ts';

const token = 'operator-token-of-the-tests-0123456789';

/** Changes of the gateway's data; drop-in addresses and callbacks are calls of the API. */
const changing = routeTable()
  .filter(({ method, path }) => method !== 'GET' && /^\/(?:admin\/v1|auth)\//.test(path))
  .map(({ method, path }) => `${method} ${path}`);

/** These change nothing that is stored, each for its reason. */
const unchanging = [
  // Opens a link without using it.
  'POST /admin/v1/join/check',
  'POST /admin/v1/reset/check',
  // Calls a provider.
  'POST /admin/v1/providers/:id/check',
  // Sends the browser to the identity provider; the way back is a GET, tested with single sign-on.
  'POST /auth/sign-in/social',
];

let gateway: Gateway;
let ada: Visitor;
let accountId: string;

beforeAll(async () => {
  gateway = await startGateway({
    engine: 'PostgreSQL',
    env: { TRIVIUM_ADMIN_TOKEN: token },
  });
  ada = await operator(gateway);
  ({ id: accountId } = await ada.made('/admin/v1/accounts', { name: 'Research' }));
});
afterAll(() => gateway.close());

const read = async (query = '', who = ada): Promise<AuditEntry[]> => {
  const response = await who.ask('GET', `/admin/v1/audit?${query}`);
  return AuditList.parse(await response.json()).entries;
};
const account = () => `/admin/v1/accounts/${accountId}`;
const someKey = async () => (await newKey(ada, accountId, 'one more')).id;
const someInvite = async () => {
  const made = await send(ada, 'POST', '/admin/v1/invites', { role: 'operator' });
  return NewInvite.parse(await made.json());
};
let people = 0;
const somePerson = () => member(gateway, ada, accountId, `p${(people += 1)}@example.org`);
const idOf = async (person: Visitor) => (await person.session()).person?.id ?? '';
const somePersonId = async () => idOf(await somePerson());
const reason = 'a test';

type Body = object | (() => Promise<object>);
type Change = readonly [route: string, action: AuditAction, act: () => Promise<unknown>];

/** A request of the operator, to the account unless there is an id of something else. */
function on(route: string, action: AuditAction, body?: Body, id = async () => accountId): Change {
  const [method = '', path = ''] = route.split(' ');
  const act = async () =>
    send(
      ada,
      method,
      path.replace(':id', await id()),
      typeof body === 'function' ? await body() : body,
    );
  return [route, action, act];
}

/** A request of a new member about themselves. */
function byPerson(route: string, action: AuditAction, body?: object): Change {
  const [method = '', path = ''] = route.split(' ');
  return [route, action, async () => send(await somePerson(), method, path, body)];
}

const made = async (path: string, body?: object) =>
  (await (await send(ada, 'POST', path, body)).json()) as { id: string; token: string };
let hooks = 0;
const createHook = () =>
  made(`/admin/v1/webhooks?account_id=${accountId}`, {
    url: `https://receiver${(hooks += 1)}.invalid/`,
    events: ['job.completed'],
  });
const someHook = async () => (await createHook()).id;
const someDelivery = async () => (await made(`/admin/v1/webhooks/${await someHook()}/test`)).id;
const rotatedKey = async () => {
  const id = await someKey();
  await send(ada, 'POST', `/admin/v1/keys/${id}/rotate`, {});
  return id;
};
const paidSearch = async () => {
  const { key } = await newKey(ada, accountId, 'to refund');
  const question = { query: 'solar', provider: 'engine_a' };
  const found = await gateway.post('/v1/search', question, { authorization: `Bearer ${key}` });
  return { request_id: found.headers.get('x-request-id'), amount_usd: 0.001, reason };
};
let views = 0;
const newView = () => ({ name: `View ${(views += 1)}`, page: '/requests', query: 'status=502' });
const someView = async () => (await made(`/admin/v1/accounts/${accountId}/views`, newView())).id;
const someRequest = async () => String((await paidSearch()).request_id);
const note = { text: 'a note' };
const someNote = async () =>
  (await made(`/admin/v1/requests/${await someRequest()}/notes`, note)).id;
const newPassword = 'another horse battery';
const resetLink = async () => {
  const { token } = await made(`/admin/v1/people/${await somePersonId()}/reset`, {});
  return { token, password: newPassword };
};
const budget = { tag: 'team', value: 'search', daily_cap_usd: 1, monthly_cap_usd: null };
const passwords = { current_password: defaultPassword, new_password: newPassword };

/** A real request to each route that changes something. */
const changes: readonly Change[] = [
  on('DELETE /admin/v1/cache', 'cache.cleared'),
  on('POST /admin/v1/accounts', 'account.created', { name: 'Another' }),
  on('PATCH /admin/v1/accounts/:id', 'account.changed', { name: 'Renamed' }),
  on('POST /admin/v1/accounts/:id/budgets', 'budget.changed', budget),
  on('POST /admin/v1/accounts/:id/views', 'view.created', async () => newView()),
  on('PATCH /admin/v1/views/:id', 'view.changed', { name: 'Renamed' }, someView),
  on('DELETE /admin/v1/views/:id', 'view.removed', undefined, someView),
  on('POST /admin/v1/requests/:id/notes', 'note.created', note, someRequest),
  on('PATCH /admin/v1/notes/:id', 'note.changed', note, someNote),
  on('DELETE /admin/v1/notes/:id', 'note.removed', undefined, someNote),
  on('POST /admin/v1/accounts/:id/topups', 'balance.topped_up', { amount_usd: 5, reason }),
  on('POST /admin/v1/accounts/:id/adjustments', 'balance.adjusted', { amount_usd: 1, reason }),
  on('POST /admin/v1/accounts/:id/refunds', 'balance.refunded', paidSearch),
  on('POST /admin/v1/accounts/:id/keys', 'key.created', { name: 'one more' }),
  on('POST /admin/v1/accounts/:id/webhook-secret/rotate', 'webhook.rotated', {}),
  on('PATCH /admin/v1/keys/:id', 'key.changed', { daily_cap_usd: 2 }, someKey),
  on('DELETE /admin/v1/keys/:id', 'key.revoked', undefined, someKey),
  on('POST /admin/v1/keys/:id/rotate', 'key.rotated', {}, someKey),
  on('DELETE /admin/v1/keys/:id/previous', 'key.overlap_ended', undefined, rotatedKey),
  on('POST /admin/v1/invites', 'invite.created', { role: 'operator' }),
  on(
    'DELETE /admin/v1/invites/:id',
    'invite.withdrawn',
    undefined,
    async () => (await someInvite()).id,
  ),
  [
    'PATCH /admin/v1/incidents/:id',
    'incident.changed',
    async () => {
      const { id: account } = await made('/admin/v1/accounts', { name: 'Without money' });
      const query = `account_id=${account}`;
      const found = await (await send(ada, 'GET', `/admin/v1/incidents?${query}`)).json();
      const low = (found as { incidents: { id: string; kind: string }[] }).incidents.find(
        ({ kind }) => kind === 'balance_low',
      );
      await send(ada, 'PATCH', `/admin/v1/incidents/${low?.id}?${query}`, { muted: true });
    },
  ],
  ['POST /admin/v1/webhooks', 'webhook.created', createHook],
  on('PATCH /admin/v1/webhooks/:id', 'webhook.changed', { paused: true }, someHook),
  on('DELETE /admin/v1/webhooks/:id', 'webhook.removed', undefined, someHook),
  on('POST /admin/v1/webhooks/:id/rotate', 'webhook.rotated', {}, someHook),
  on('POST /admin/v1/webhooks/:id/test', 'webhook.tested', undefined, someHook),
  on(
    'POST /admin/v1/webhooks/deliveries/:id/redeliver',
    ...(['webhook.redelivered', undefined, someDelivery] as const),
  ),
  ['POST /admin/v1/join', 'person.joined', somePerson],
  on('PATCH /admin/v1/people/:id', 'person.changed', { role: 'operator' }, somePersonId),
  on('DELETE /admin/v1/people/:id', 'person.removed', undefined, somePersonId),
  on('POST /admin/v1/people/:id/reset', 'person.reset_link_created', {}, somePersonId),
  on('POST /admin/v1/reset', 'person.password_changed', resetLink),
  byPerson('PATCH /admin/v1/profile', 'person.changed', { name: 'Robert' }),
  [
    'DELETE /admin/v1/profile/sessions',
    'person.signed_out',
    async () => {
      const person = await somePerson();
      await visitor(() => gateway.url).signIn((await person.session()).person?.email ?? '');
      await send(person, 'DELETE', '/admin/v1/profile/sessions');
    },
  ],
  [
    'DELETE /admin/v1/profile/sessions/:id',
    'person.signed_out',
    async () => {
      const person = await somePerson();
      const profile = await (await send(person, 'GET', '/admin/v1/profile')).json();
      const [session] = (profile as { sessions: { id: string }[] }).sessions;
      await send(person, 'DELETE', `/admin/v1/profile/sessions/${session?.id}`);
    },
  ],
  ['POST /auth/sign-in/email', 'person.signed_in', somePerson],
  byPerson('POST /auth/sign-out', 'person.signed_out', {}),
  byPerson('POST /auth/revoke-sessions', 'person.signed_out', {}),
  byPerson('POST /auth/change-password', 'person.password_changed', passwords),
];

test('every route that changes something has a change here', () => {
  expect(changing.toSorted()).toEqual(
    [...changes.map(([route]) => route), ...unchanging].toSorted(),
  );
});

test.each(changes)('%s writes an entry as %s', async (_route, action, act) => {
  const known = (await read(`action=${action}`)).map(({ id }) => id);
  await act();
  const [entry, ...others] = (await read(`action=${action}`)).filter(
    ({ id }) => !known.includes(id),
  );
  proves('audit-log.every-change', () => {
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ action, actor: { kind: 'person' }, address: '127.0.0.1' });
    expect(entry?.target).not.toBe('');
  });
});

test('the entry shows what was changed, and by whom', async () => {
  const id = await someKey();
  await send(ada, 'PATCH', `/admin/v1/keys/${id}`, { name: 'renamed', daily_cap_usd: 3 });
  const me = (await ada.session()).person;
  const [entry] = await read(`target=${id}&action=key.changed`);
  proves('audit-log.before-and-after', () => {
    expect(entry).toMatchObject({
      actor: { kind: 'person', id: me?.id, name: 'ada@example.org' },
      account_id: accountId,
      before: { name: 'one more', daily_cap_usd: null },
      after: { name: 'renamed', daily_cap_usd: 3 },
    });
    expect(Object.keys(entry?.after ?? {}).toSorted()).toEqual(['daily_cap_usd', 'name']);
  });
});

test('a request that changes nothing, or is refused, writes no entry', async () => {
  const id = await someKey();
  const [latest] = await read('limit=1');
  await send(ada, 'PATCH', `/admin/v1/keys/${id}`, { name: 'one more' });
  const bad = { amount_usd: -5, reason };
  expect((await ada.ask('POST', `${account()}/topups`, { body: bad })).status).toBe(400);
  const huge = { amount_usd: -500_000, reason };
  expect((await ada.ask('POST', `${account()}/adjustments`, { body: huge })).status).toBe(400);
  expect((await ada.ask('DELETE', '/admin/v1/keys/key_of_no_one')).status).toBe(404);
  await proves('audit-log.no-change-no-entry', async () => {
    expect(await read('limit=1')).toEqual([latest as AuditEntry]);
  });
});

test('entries distinguish the operator token, the command line and the start', async () => {
  const asToken = (agent: string) =>
    visitor(() => gateway.url).ask('POST', '/admin/v1/accounts', {
      body: { name: agent },
      headers: { authorization: `Bearer ${token}`, 'user-agent': agent },
    });
  await asToken('curl/8');
  await asToken('trivium-cli/1.0.0');
  const created = await read('action=account.created&limit=2');
  expect(created.map(({ actor }) => actor.kind)).toEqual(['command_line', 'operator_token']);
  const first = (await read('actor=bootstrap')).map(({ action }) => action);
  expect(first.toSorted()).toEqual([
    'account.created',
    'balance.topped_up',
    'invite.created',
    'key.created',
    'settings.changed',
  ]);
});

test('no entry contains a secret', async () => {
  const { key } = await newKey(ada, accountId, 'secret');
  const { token: link } = await someInvite();
  const text = await (await ada.ask('GET', '/admin/v1/audit?limit=500')).text();
  proves('audit-log.no-secrets', () => {
    for (const secret of [key, link, token, gateway.key, defaultPassword]) {
      expect(text).not.toContain(secret);
    }
  });
});

test('pages follow each other, and an export has the same entries as lines', async () => {
  const paged: AuditEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? 'limit=7' : `limit=7&cursor=${cursor}`;
    const page = AuditList.parse(await (await ada.ask('GET', `/admin/v1/audit?${query}`)).json());
    paged.push(...page.entries);
    cursor = page.next_cursor;
  }
  const headers = { accept: 'application/x-ndjson' };
  const exported = await ada.ask('GET', '/admin/v1/audit', { headers });
  expect(exported.headers.get('content-type')).toBe('application/x-ndjson');
  const lines = (await exported.text()).trimEnd().split('\n');
  proves('audit-log.export', () => {
    expect(lines.map((line) => AuditEntry.parse(JSON.parse(line)))).toEqual(paged);
  });
  const filtered = await ada.ask('GET', '/admin/v1/audit?action=key.created', { headers });
  expect((await filtered.text()).trimEnd().split('\n')).toHaveLength(
    paged.filter(({ action }) => action === 'key.created').length,
  );
});

test.each([
  'action=key.eaten',
  'actor=constructor',
  'limit=0',
  'limit=501',
  'cursor=nonsense',
  'from=yesterday',
  'account_id=',
  'owner=me',
  '__proto__=1',
  `target=${'x'.repeat(201)}`,
])('a list with %s gives a 400 that names it', async (query) => {
  const response = await ada.ask('GET', `/admin/v1/audit?${query}`);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(query.split('=')[0] ?? '');
});

test('a member reads the entries of their own account, and no others', async () => {
  const bob = await somePerson();
  await send(bob, 'POST', `${account()}/keys`, { name: 'of Bob' });
  const own = await read(`account_id=${accountId}`, bob);
  expect(own[0]).toMatchObject({ action: 'key.created', after: { name: 'of Bob' } });
  expect(own.every((entry) => entry.account_id === accountId)).toBe(true);
  await proves('audit-log.member', async () => {
    for (const query of ['', 'account_id=acct_default']) {
      expect((await bob.ask('GET', `/admin/v1/audit?${query}`)).status).toBe(403);
    }
  });
  const headers = { accept: 'application/x-ndjson' };
  expect((await bob.ask('GET', '/admin/v1/audit', { headers })).status).toBe(403);
});
