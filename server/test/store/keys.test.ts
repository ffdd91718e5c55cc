// API keys on both engines: creation, authentication and revocation.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/platform/clock.ts';
import { newApiKey, sha256Hex } from '../../src/platform/ids.ts';
import { makeAuthenticator } from '../../src/accounts/keys/authenticate.ts';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { findActiveKey, findKey, revokeKey } from '../../src/accounts/store/keys.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { engines } from './engines.ts';
import type { TestStore } from './store-pool.ts';

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
