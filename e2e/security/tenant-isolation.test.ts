// Members and keys of one account cannot reach another account, by any route, role or spelling.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sharedGateway, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { connectRaw, rawStatus } from '../raw-connection.ts';
import { makeWav, upload } from '../uploads/recordings.ts';
import { doorOf, routeTable } from './route-table.ts';
import { makeSide, newKey, noSide, spellings } from './sides.ts';
import type { Side } from './sides.ts';
import { member, operator, visitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

const table = routeTable();
const token = 'operator-token-of-the-tests-0123456789';
const secretName = 'only the others may read this';

let gateway: Gateway;
let ada: Visitor;
let mine: Side;
let theirs: Side;

beforeAll(async () => {
  gateway = await startGateway({
    env: { TRIVIUM_ADMIN_TOKEN: token },
  });
  ada = await operator(gateway);
  mine = await makeSide(gateway, ada, 'Mine', 'bob@example.org');
  theirs = await makeSide(gateway, ada, secretName, 'eve@example.org');
});
afterAll(() => gateway.close());

test('every route allows exactly the roles of its scope', async () => {
  const wrong: string[] = [];
  // Routes that end a session would sign the roles out.
  for (const route of table.filter((one) => doorOf(one) !== 'session')) {
    const listener = doorOf(route);
    const ask = async (who: Visitor, side: Side, headers = {}) => {
      const path = fill(route.path, listener, side);
      const form = route.path.startsWith('/compat/searxng');
      const body = route.method === 'GET' ? {} : { body: form ? 'q=tides' : {} };
      return (await who.ask(route.method, path, { ...body, headers })).status;
    };
    const anonymous = visitor(() => gateway.url);
    const key = { authorization: `Bearer ${mine.key}` };
    const statuses = {
      anonymous: await ask(anonymous, theirs),
      key: await ask(anonymous, theirs, key),
      member: await ask(mine.person, theirs),
      own: await ask(mine.person, mine),
      // Last, and with ids that do not exist, so that nothing is deleted that the others need.
      operator: await ask(ada, noSide),
      token: await ask(anonymous, noSide, { authorization: `Bearer ${token}` }),
    };
    const refused = Object.entries(statuses)
      .filter(([, status]) => status === 401 || status === 403)
      .map(([role, status]) => `${role} ${status}`);
    const expected = refusals[listener];
    if (refused.join() !== expected.join()) {
      wrong.push(`${route.method} ${route.path} (${listener}): ${refused.join()}`);
    }
    for (const [role, status] of Object.entries(statuses)) {
      const isFault = status >= 500 && status !== 501 && status !== 503;
      if (isFault) wrong.push(`${route.path} for ${role}: ${status}`);
    }
    if (listener === 'key_in_path') mine = await renewed(mine);
  }
  expect(wrong).toEqual([]);
});

test('no spelling of a URL or a header shows a member the data of another account', async () => {
  const leaks: string[] = [];
  for (const route of table.filter(({ method }) => method === 'GET')) {
    const all = spellings(route.path, mine.account_id, theirs);
    for (const path of all) {
      for (const headers of [{}, { 'x-trivium-account': theirs.account_id }]) {
        const response = await mine.person.ask('GET', path, { headers });
        const text = await response.text();
        const isLeaked = theirs.secrets.some((secret) => text.includes(secret));
        if (isLeaked && response.status === 200) leaks.push(`GET ${path}`);
        if (response.status >= 500) leaks.push(`GET ${path}: ${response.status}`);
      }
    }
  }
  expect(leaks).toEqual([]);
  const own = await mine.person.ask('GET', `/admin/v1/accounts/${mine.account_id}`);
  expect(own.status).toBe(200);
});

test('a viewer reads what a member reads, changes nothing, and sees no secret', async () => {
  const viewer = await member(gateway, ada, mine.account_id, 'vic@example.org', 'viewer');
  const wrong: string[] = [];
  const isWithAccount = /_in_(?:path|query)$/;
  for (const route of table) {
    const listener = doorOf(route);
    const isOfAccount = isWithAccount.test(listener) || listener === 'key';
    if (!isOfAccount || listener === 'money_in_path' || listener === 'policy_in_path') continue;
    const path = fill(route.path, listener, mine);
    const body = route.method === 'GET' ? {} : { body: {} };
    const { status } = await viewer.ask(route.method, path, body);
    const isRefused = status === 401 || status === 403;
    const reveals = route.path.endsWith('/webhook-secret');
    if (isRefused !== (route.method !== 'GET' || reveals)) {
      wrong.push(`${route.method} ${route.path}: ${status}`);
    }
    const others = await viewer.ask(route.method, fill(route.path, listener, theirs), body);
    if (others.status === 200 && isWithAccount.test(listener)) wrong.push(`theirs: ${path}`);
  }
  expect(wrong).toEqual([]);
  const callback = 'http://127.0.0.1/callback';
  const agent = await gateway.post('/oauth/register', { redirect_uris: [callback] });
  const asked = {
    client_id: (agent.body as { client_id: string }).client_id,
    ...{ redirect_uri: callback, response_type: 'code' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
  };
  const decide = async (person: Visitor) => [
    (await person.ask('POST', '/oauth/consent/check', { body: asked })).status,
    (await person.ask('POST', '/oauth/consent', { body: { ...asked, allow: true } })).status,
  ];
  expect(await decide(viewer)).toEqual([403, 403]);
  expect(await decide(mine.person)).toEqual([200, 200]);
  const profile = await viewer.ask('PATCH', '/admin/v1/profile', { body: { name: 'Vic' } });
  expect(profile.status).toBe(200);
});

test('a viewer hears a recording at a public address, and gets no signed one', async () => {
  const viewer = await member(gateway, ada, mine.account_id, 'val@example.org', 'viewer');
  const own = { authorization: `Bearer ${mine.key}` };
  const heard = async (who: Visitor, audio_url: string) => {
    const { status, body } = await gateway.post('/v1/transcriptions', { audio_url }, own);
    expect(status).toBe(202);
    const path = `/admin/v1/jobs/${(body as { id: string }).id}/recording`;
    return (await who.ask('GET', `${path}?account_id=${mine.account_id}`)).json();
  };
  const open = 'https://recordings.example/interview.wav';
  for (const who of [viewer, mine.person]) {
    expect(await heard(who, open)).toEqual({ audio_url: open, withheld: false });
  }
  const signed = `${open}?token=s3cret`;
  const withheld = { audio_url: null, withheld: true };
  expect(await heard(viewer, signed)).toEqual(withheld);
  expect(await heard(mine.person, signed)).toEqual({ audio_url: signed, withheld: false });
  const { audio_url } = await upload({ url: gateway.url, key: mine.key }, makeWav(40_044));
  expect(await heard(viewer, audio_url)).toEqual(withheld);
});

test('an operator may name any account, and an unknown one gives a 404', async () => {
  const ask = (account: string) =>
    ada.ask('GET', '/v1/balance', { headers: { 'x-trivium-account': account } });
  expect((await ask(theirs.account_id)).status).toBe(200);
  expect((await ask('acct_of_no_one')).status).toBe(404);
  const search = await ada.ask('POST', '/v1/search', {
    body: { query: 'solar' },
    headers: { 'x-trivium-account': 'acct_of_no_one' },
  });
  expect([search.status, typeOf(await search.json())]).toEqual([404, 'not_found']);
  // A member may not, not even to pay.
  const paying = await mine.person.ask('POST', '/v1/search', {
    body: { query: 'solar' },
    headers: { 'x-trivium-account': theirs.account_id },
  });
  expect(paying.status).toBe(403);
});

/** A route may delete the key in its path, so the next route gets a new one. */
async function renewed(side: Side): Promise<Side> {
  const made = await newKey(ada, side.account_id, 'another');
  return { ...side, key_id: made.id, key: made.key };
}

// server/src/http/app.test.ts has every header; here each route gets one of the classes.
describe('on every route', () => {
  const gateway = sharedGateway();

  test('a repeated parameter gives a 400, with any spelling of its name', async () => {
    const wrong: string[] = [];
    const queries = ['a=1&a=2', 'account_id=A&account_id=B', 'account_id=A&account%5Fid=B'];
    for (const [at, route] of table.entries()) {
      const path = `${fill(route.path, 'open', noSide)}?${queries[at % queries.length]}`;
      const body = route.method === 'GET' ? {} : { body: {} };
      const headers = { authorization: `Bearer ${gateway().key}` };
      const one = visitor(() => gateway().url);
      const { status } = await one.ask(route.method, path, { ...body, headers });
      if (status !== 400) wrong.push(`${route.method} ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  test('a repeated header gives a 400', async () => {
    const wrong: string[] = [];
    for (const [at, route] of table.entries()) {
      const [name, one, other] = doubled[at % doubled.length] ?? doubled[0];
      const path = fill(route.path, 'open', noSide);
      const status = await rawAsk(gateway().url, [
        `${route.method} ${path} HTTP/1.1`,
        'host: gateway',
        `${name}: ${one}`,
        `${name}: ${other}`,
        'content-length: 0',
      ]);
      if (status !== 400) wrong.push(`${route.method} ${path} ${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });
});

const doubled = [
  ['authorization', 'Bearer a', 'Bearer b'],
  ['idempotency-key', 'a', 'b'],
  ['idempotency-key', 'a', ''],
  ['x-max-cost-usd', '1', '2'],
  ['x-trivium-account', 'acct_a', 'acct_b'],
  ['x-trivium-provider', 'engine_a', 'engine_b'],
  ['x-trivium-strict', 'true', 'false'],
  ['x-api-key', 'a', 'b'],
  ['origin', 'http://a', 'http://b'],
  ['host', 'gateway', 'elsewhere'],
] as const;

/** The roles that receive 401 or 403 on a route of each kind. */
const refusals: Readonly<Record<ReturnType<typeof doorOf>, readonly string[]>> = {
  open: [],
  key: ['anonymous 401', 'token 401'],
  key_only: ['anonymous 401', 'member 401', 'own 401', 'operator 401', 'token 401'],
  session: [],
  gateway: ['anonymous 401', 'key 401', 'member 403', 'own 403'],
  money_in_path: ['anonymous 401', 'key 401', 'member 403', 'own 403'],
  policy_in_path: ['anonymous 401', 'key 401', 'member 403', 'own 403'],
  account_in_path: ['anonymous 401', 'key 401', 'member 403'],
  account_in_query: ['anonymous 401', 'key 401', 'member 403'],
  key_in_path: ['anonymous 401', 'key 401', 'member 403'],
  // Members get a 404 for what belongs to another account.
  webhook_in_path: ['anonymous 401', 'key 401'],
  delivery_in_path: ['anonymous 401', 'key 401'],
  request_in_path: ['anonymous 401', 'key 401'],
  note_in_path: ['anonymous 401', 'key 401'],
  view_in_path: ['anonymous 401', 'key 401'],
  person: ['anonymous 401', 'key 401', 'token 403'],
};

function fill(path: string, listener: ReturnType<typeof doorOf>, side: Side): string {
  const filled = path.replace(':id', idFor(path, side)).replaceAll(/:\w+/g, 'none');
  return listener === 'account_in_query' ? `${filled}?account_id=${side.account_id}` : filled;
}

function idFor(path: string, side: Side): string {
  if (path.includes('/accounts/')) return side.account_id;
  if (path.includes('/deliveries/')) return side.delivery_id;
  return path.includes('/webhooks/') ? side.webhook_id : side.key_id;
}

async function rawAsk(url: string, lines: readonly string[]): Promise<number> {
  const client = await connectRaw(url);
  client.write(`${lines.join('\r\n')}\r\n\r\n`);
  const status = rawStatus(await client.answered);
  client.end();
  return status;
}

function typeOf(body: unknown): string | undefined {
  return (body as { error?: { type?: string } }).error?.type;
}
