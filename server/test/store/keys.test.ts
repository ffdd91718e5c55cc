// API keys on both engines: creation, authentication, revocation and rotation. An earlier secret works
// exactly until the overlap ends, on every gateway, and the key stays the same key.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/platform/clock.ts';
import { newApiKey, sha256Hex } from '../../src/platform/ids.ts';
import { makeAuthenticator } from '../../src/accounts/keys/authenticate.ts';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { findActiveKey, findKey, revokeKey } from '../../src/accounts/store/keys.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { engines, postgresEngine } from './engines.ts';
import type { TestStore } from './store-pool.ts';
import { Key, KeyList, NewKey } from '@trivium/contract';
import { rotateKey } from '../../src/accounts/keys/keys.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import { openGateway, type TestGateway } from '../gateway.ts';
import { accountsContext } from './accounts-context.ts';
import { type GatewayOnStore, openGatewayOnStore } from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

const now = new Date('2026-11-15T12:00:00Z');

for (const { name, open } of engines) {
  describe(`keys on ${name}`, () => {
    let store: TestStore;
    let key: string;
    beforeAll(async () => {
      store = await open();
      await migrate(store.database, now);
      const first = await prepareAccounts(store.database, undefined, now);
      key = String(first.newKey);
    });
    afterAll(() => store.discard());

    test('the first start makes one key, and a second start makes none', async () => {
      expect(key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/);
      expect(await prepareAccounts(store.database, undefined, now)).toEqual({});
    });

    test('a bootstrap key is installed once, also over several starts', async () => {
      const bootstrap = newApiKey('live');
      await prepareAccounts(store.database, bootstrap, now);
      await prepareAccounts(store.database, bootstrap, now);
      const [row] = await store.database.run<{ count: unknown }>(
        'select count(*) as count from keys where hash = $1',
        [sha256Hex(bootstrap)],
      );
      expect(Number(row?.count)).toBe(1);
    });

    test('only a digest of a key is stored', async () => {
      const rows = await store.database.run('select * from keys');
      expect(JSON.stringify(rows)).not.toContain(key.slice(12));
    });

    test('a known key is identified; a malformed or unknown one is not', async () => {
      const { identify } = makeAuthenticator(store.database);
      expect(await identify(key)).toMatchObject({ account_id: 'acct_default' });
      expect(await identify(newApiKey('live'))).toBeUndefined();
      expect(await identify('sk_live_short')).toBeUndefined();
      expect(await identify("sk_live_' or 1=1 --")).toBeUndefined();
    });

    test('the last use of a key is written by noteUses, and the latest wins', async () => {
      const at = (ms: number) => ({ ...systemClock, now: () => new Date(ms) });
      const early = makeAuthenticator(store.database, at(1000));
      const late = makeAuthenticator(store.database, at(2000));
      const id = String((await late.identify(key))?.key_id);
      await early.identify(key);
      const last = async () => (await findKey(store.database, id))?.last_used_at;
      expect(await last()).toBeNull();
      await late.noteUses();
      await early.noteUses();
      expect(await last()).toBe(2000);
    });

    test('a revoked key is rejected by every gateway after its refresh', async () => {
      const key = newApiKey('live');
      await prepareAccounts(store.database, key, now);
      const here = makeAuthenticator(store.database);
      const elsewhere = makeAuthenticator(store.database);
      await here.refresh();
      await elsewhere.refresh();
      const caller = await here.identify(key);
      await elsewhere.identify(key);
      expect(await revokeKey(store.database, String(caller?.key_id), now.getTime())).toBe(true);
      expect(await revokeKey(store.database, String(caller?.key_id), now.getTime())).toBe(false);
      await Promise.all([here.refresh(), elsewhere.refresh()]);
      expect(await here.identify(key)).toBeUndefined();
      expect(await elsewhere.identify(key)).toBeUndefined();
      expect(await findActiveKey(store.database, sha256Hex(key))).toBeUndefined();
    });
  });
}

describe.each(engines)('rotation on $name', (engine) => {
  let fixture: GatewayOnStore;
  beforeAll(async () => {
    fixture = await openGatewayOnStore(engine, '1');
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('both secrets work, the id, the limits and the spending stay', async () => {
    const { gateway } = fixture;
    const made = await makeKey(gateway, { name: 'Agent', daily_cap_usd: 0.5 });
    expect(await statusWith(gateway, made.key)).toBe(200);
    const rotated = await rotate(gateway, made.id, { overlap_hours: 2 });
    expect(rotated).toMatchObject({ id: made.id, name: 'Agent', daily_cap_usd: 0.5 });
    expect(rotated.key).not.toBe(made.key);
    expect(rotated.display).toBe(rotated.key.slice(0, 12));
    expect(rotated.used_today_usd).toBe(0.007);
    const leftMs = Date.parse(String(rotated.previous_until)) - Date.now();
    expect(Math.round(leftMs / 3_600_000)).toBe(2);
    expect([await statusWith(gateway, made.key), await statusWith(gateway, rotated.key)]).toEqual([
      200, 200,
    ]);
    const { keys } = KeyList.parse(await (await gateway.admin('GET', keysPath)).json());
    expect(keys.find(({ id }) => id === made.id)).toMatchObject({ used_today_usd: 0.021 });
  });

  test('the earlier secret expires at once without an overlap, or at the next rotation', async () => {
    const { gateway } = fixture;
    const first = await makeKey(gateway, { name: 'Agent' });
    const second = await rotate(gateway, first.id, { overlap_hours: 0 });
    expect(second.previous_until).toBeNull();
    expect(await statusWith(gateway, first.key)).toBe(401);
    const third = await rotate(gateway, first.id, {});
    const fourth = await rotate(gateway, first.id, {});
    const statuses = await Promise.all(
      [first, second, third, fourth].map(({ key }) => statusWith(gateway, key)),
    );
    expect(statuses).toEqual([401, 401, 200, 200]);
  });

  test('the overlap can be ended early, once; revoking ends both secrets', async () => {
    const { gateway } = fixture;
    const made = await makeKey(gateway, { name: 'Agent' });
    const rotated = await rotate(gateway, made.id, {});
    const ended = await gateway.admin('DELETE', `/keys/${made.id}/previous`);
    expect(Key.parse(await ended.json()).previous_until).toBeNull();
    expect(await statusWith(gateway, made.key)).toBe(401);
    expect((await gateway.admin('DELETE', `/keys/${made.id}/previous`)).status).toBe(404);
    const again = await rotate(gateway, made.id, {});
    await gateway.admin('DELETE', `/keys/${made.id}`);
    expect(await statusWith(gateway, rotated.key)).toBe(401);
    expect(await statusWith(gateway, again.key)).toBe(401);
    expect((await gateway.admin('POST', `/keys/${made.id}/rotate`, {})).status).toBe(404);
  });

  test('the earlier secret expires exactly at its time, or with its key', async () => {
    const { database } = fixture.store;
    const at = (ms: number) => ({ ...systemClock, now: () => new Date(ms) });
    const made = await makeKey(fixture.gateway, { name: 'Agent' });
    const hour = 3_600_000;
    const context = accountsContext(database, at(hour));
    const rotated = await rotateKey(context, bootstrap, made.id, { overlap_hours: 1 });
    const idAt = async (ms: number, key: string) =>
      (await makeAuthenticator(database, at(ms)).identify(key))?.key_id;
    expect(await idAt(2 * hour - 1, made.key)).toBe(made.id);
    expect(await idAt(2 * hour, made.key)).toBeUndefined();
    expect(await idAt(2 * hour, rotated.key)).toBe(made.id);
    await database.run('update keys set expires_at = $1 where id = $2', [hour + 5, made.id]);
    expect(await idAt(hour + 4, made.key)).toBe(made.id);
    expect(await idAt(hour + 5, made.key)).toBeUndefined();
  });

  test.each([{ overlap_hours: -1 }, { overlap_hours: 721 }, { overlap_hours: 'x' }, { more: 1 }])(
    'the rotation %j gets a 400 and changes nothing',
    async (body) => {
      const { gateway, store } = fixture;
      const made = await makeKey(gateway, { name: 'Agent' });
      expect((await gateway.admin('POST', `/keys/${made.id}/rotate`, body)).status).toBe(400);
      expect((await findKey(store.database, made.id))?.previous_until).toBeNull();
      expect(await statusWith(gateway, made.key)).toBe(200);
    },
  );

  test('the key in the settings cannot be rotated', async () => {
    const { keys } = KeyList.parse(await (await fixture.gateway.admin('GET', keysPath)).json());
    const bootstrap = keys.find(({ name }) => name === 'Bootstrap');
    const answer = await fixture.gateway.admin('POST', `/keys/${bootstrap?.id}/rotate`, {});
    expect(answer.status).toBe(409);
    expect(await statusWith(fixture.gateway, fixture.gateway.key)).toBe(200);
  });

  test('a change that is repeated under its Idempotency-Key is made once', async () => {
    const { gateway } = fixture;
    const headers = { 'idempotency-key': 'form-1' };
    const ask = (body: object, more = headers) => gateway.admin('POST', keysPath, body, more);
    const [one, two] = await Promise.all([ask({ name: 'Once' }), ask({ name: 'Once' })]);
    const [first, second] = [NewKey.parse(await one.json()), NewKey.parse(await two.json())];
    expect([one.status, two.status, second]).toEqual([201, 201, first]);
    const replays = [one, two].map((each) => each.headers.get('idempotent-replayed'));
    expect(replays.toSorted()).toEqual([null, 'true'].toSorted());
    expect((await ask({ name: 'Other' })).status).toBe(409);
    const { keys } = KeyList.parse(await (await gateway.admin('GET', keysPath)).json());
    expect(keys.filter(({ name }) => name === 'Once' || name === 'Other')).toHaveLength(1);
    const turn = () =>
      gateway.admin('POST', `/keys/${first.id}/rotate`, {}, { 'idempotency-key': 'r' });
    const turned = [
      NewKey.parse(await (await turn()).json()),
      NewKey.parse(await (await turn()).json()),
    ];
    expect(turned[0]?.key).toBe(String(turned[1]?.key));
    expect(await statusWith(gateway, first.key)).toBe(200);
    const accounts = await Promise.all(
      [1, 2].map(() =>
        gateway.admin('POST', '/accounts', { name: 'A' }, { 'idempotency-key': 'a' }),
      ),
    );
    const ids = await Promise.all(accounts.map(async (each) => ((await each.json()) as Key).id));
    expect(new Set(ids).size).toBe(1);
    const invites = await Promise.all(
      [1, 2].map(() =>
        gateway.admin('POST', '/invites', { role: 'operator' }, { 'idempotency-key': 'i' }),
      ),
    );
    const tokens = await Promise.all(invites.map((each) => each.text()));
    expect(tokens[0]).toBe(String(tokens[1]));
  });

  test('a long report is compressed for a client that can read it', async () => {
    const { gateway } = fixture;
    for (const name of ['a', 'b', 'c', 'd']) await makeKey(gateway, { name });
    const read = (path: string, encoding: string) =>
      gateway.admin('GET', path, undefined, { 'accept-encoding': encoding });
    const [plain, packed, short] = await Promise.all([
      read(keysPath, 'identity'),
      read(keysPath, 'gzip, br'),
      read('/accounts/acct_default/budgets', 'gzip'),
    ]);
    const encodings = [plain, packed, short].map(({ headers }) => headers.get('content-encoding'));
    expect(encodings).toEqual([null, 'gzip', null]);
    expect(await packed.json()).toEqual(await plain.json());
  });

  test('a refused creation frees its key, and the stored answers contain no secret', async () => {
    const { gateway, store } = fixture;
    const headers = { 'idempotency-key': 'form-2' };
    const path = '/accounts/acct_none/keys';
    expect((await gateway.admin('POST', path, { name: 'x' }, headers)).status).toBe(404);
    expect((await gateway.admin('POST', keysPath, { name: 'x' }, headers)).status).toBe(201);
    expect(
      (await gateway.admin('POST', keysPath, { name: 'x' }, { 'idempotency-key': '' })).status,
    ).toBe(400);
    const rows = await store.database.run('select * from admin_answers');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('sk_live_');
    await store.database.run('update admin_answers set expires_at = 1');
    const again = await gateway.admin('POST', keysPath, { name: 'y' }, headers);
    expect(again.status).toBe(201);
  });
});

test('on PostgreSQL a second gateway applies the rotation and recognizes the repeated request', async () => {
  const secret = { TRIVIUM_SECRET: 'the-secret-that-both-gateways-share-0123' };
  await using fixture = await openGatewayOnStore(postgresEngine, '1', secret);
  const { gateway: here, exa, store } = fixture;
  await using there = await openGateway(exa.url, { ...store.settings, ...secret });
  const made = await makeKey(here, { name: 'Agent' });
  expect(await statusWith(there, made.key)).toBe(200);
  const headers = { 'idempotency-key': 'turn' };
  const path = `/keys/${made.id}/rotate`;
  const answers = await Promise.all(
    [here, there, here, there].map((each) =>
      each.admin('POST', path, { overlap_hours: 0 }, headers),
    ),
  );
  const secrets = await Promise.all(
    answers.map(async (each) => NewKey.parse(await each.json()).key),
  );
  expect(new Set(secrets).size).toBe(1);
  expect(await statusWith(there, String(secrets[0]))).toBe(200);
  await waitFor(async () => (await statusWith(there, made.key)) === 401, { what: 'the key ends' });
});

const keysPath = '/accounts/acct_default/keys';

async function makeKey(gateway: TestGateway, body: object): Promise<NewKey> {
  return NewKey.parse(await (await gateway.admin('POST', keysPath, body)).json());
}

async function rotate(gateway: TestGateway, id: string, body: object): Promise<NewKey> {
  const answer = await gateway.admin('POST', `/keys/${id}/rotate`, body);
  expect(answer.status).toBe(201);
  return NewKey.parse(await answer.json());
}

async function statusWith(gateway: TestGateway, key: string): Promise<number> {
  return (await gateway.search({ authorization: `Bearer ${key}` })).status;
}
