// Accounts, keys and who they let in, on both engines.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { system_clock } from '../../src/platform/clock.ts';
import { newApiKey, sha256Hex } from '../../src/platform/ids.ts';
import { makeAuthenticator } from '../../src/services/authenticate.ts';
import { prepareAccounts } from '../../src/services/first-start.ts';
import { findActiveKey, findKey, revokeKey } from '../../src/store/keys.ts';
import { migrate } from '../../src/store/migrate.ts';
import { engines } from './engines.ts';
import type { Bench } from './engines.ts';

const now = new Date('2026-11-15T12:00:00Z');

for (const { name, open } of engines) {
  describe(`keys on ${name}`, () => {
    let bench: Bench;
    let key: string;
    beforeAll(async () => {
      bench = await open();
      await migrate(bench.database, now);
      const first = await prepareAccounts(bench.database, undefined, now);
      key = String(first.new_key);
    });
    afterAll(() => bench.discard());

    test('the first start makes one key, and a second start makes none', async () => {
      expect(key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/);
      expect(await prepareAccounts(bench.database, undefined, now)).toEqual({});
    });

    test('a bootstrap key is installed once, however often it is given', async () => {
      const bootstrap = newApiKey();
      await prepareAccounts(bench.database, bootstrap, now);
      await prepareAccounts(bench.database, bootstrap, now);
      const [row] = await bench.database.run<{ count: unknown }>(
        'select count(*) as count from keys where hash = $1',
        [sha256Hex(bootstrap)],
      );
      expect(Number(row?.count)).toBe(1);
    });

    test('only a digest of a key is kept', async () => {
      const rows = await bench.database.run('select * from keys');
      expect(JSON.stringify(rows)).not.toContain(key.slice(12));
    });

    test('a known key is identified; a malformed or unknown one is not', async () => {
      const { identify } = makeAuthenticator(bench.database);
      expect(await identify(key)).toMatchObject({ account_id: 'acct_default' });
      expect(await identify(newApiKey())).toBeUndefined();
      expect(await identify('sk_live_short')).toBeUndefined();
      expect(await identify("sk_live_' or 1=1 --")).toBeUndefined();
    });

    test('when a key was last used is written down now and then, and the latest wins', async () => {
      const at = (ms: number) => ({ ...system_clock, now: () => new Date(ms) });
      const early = makeAuthenticator(bench.database, at(1000));
      const late = makeAuthenticator(bench.database, at(2000));
      const id = String((await late.identify(key))?.key_id);
      await early.identify(key);
      const last = async () => (await findKey(bench.database, id))?.last_used_at;
      expect(await last()).toBeNull();
      await late.noteUses();
      await early.noteUses();
      expect(await last()).toBe(2000);
    });

    test('a revoked key stops on every gateway once it looks', async () => {
      const here = makeAuthenticator(bench.database);
      const elsewhere = makeAuthenticator(bench.database);
      await here.refresh();
      await elsewhere.refresh();
      const caller = await here.identify(key);
      await elsewhere.identify(key);
      expect(await revokeKey(bench.database, String(caller?.key_id), now.getTime())).toBe(true);
      expect(await revokeKey(bench.database, String(caller?.key_id), now.getTime())).toBe(false);
      await Promise.all([here.refresh(), elsewhere.refresh()]);
      expect(await here.identify(key)).toBeUndefined();
      expect(await elsewhere.identify(key)).toBeUndefined();
      expect(await findActiveKey(bench.database, sha256Hex(key))).toBeUndefined();
    });
  });
}
