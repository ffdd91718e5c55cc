// A store belongs to the mode that created it, on both engines: sandbox money never becomes real.
import { describe, expect, test } from 'bun:test';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { StartError } from '../../src/platform/start-error.ts';
import type { Mode } from '../../src/settings/settings.ts';
import { type Engine, engines } from './engines.ts';
import type { TestStore } from './store-pool.ts';

const now = new Date('2026-11-15T12:00:00Z');

for (const engine of engines) {
  describe(`the mode of a store on ${engine.name}`, () => {
    test.each([
      ['sandbox', 'live', 'sandbox mode'],
      ['live', 'sandbox', 'real balances'],
    ] as const)('created %s, it refuses a %s start', async (first, second, words) => {
      await using store = await openStore(engine);
      await store.start(first);
      await store.start(first);
      const refused = store.start(second, 10).catch((error: unknown) => error);
      expect(await refused).toBeInstanceOf(StartError);
      expect(String(await refused)).toContain(words);
      // A refused start has changed nothing.
      await store.start(first);
    });

    test('of two first starts in different modes, one is refused', async () => {
      await using store = await openStore(engine);
      const starts = await Promise.allSettled([store.start('live'), store.start('sandbox')]);
      expect(starts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('one of an older version with only the opening balance of the sandbox is the sandbox', async () => {
      await using store = await openStore(engine);
      await store.start('sandbox');
      await store.forget();
      expect(String(await store.start('live').catch(String))).toContain('=10');
      await store.start('sandbox');
    });

    test('one of an older version is live if the operator asks for an opening balance', async () => {
      await using store = await openStore(engine);
      await store.start('sandbox');
      await store.forget();
      await store.start('live', 10);
      await store.start('live');
    });

    test('one of an older version is live if an operator has topped it up', async () => {
      await using store = await openStore(engine);
      await store.start('sandbox');
      await store.database.run(
        `insert into transfers (id, kind, account_id, amount, created_at)
         values ('top_1', 'topup', 'acct_default', 1, 0)`,
      );
      await store.forget();
      expect(String(await store.start('sandbox').catch(String))).toContain('real balances');
      await store.start('live');
    });
  });
}

interface OlderStore extends AsyncDisposable {
  database: TestStore['database'];
  start: (mode: Mode, balanceUsd?: number) => Promise<unknown>;
  /** Removes the mark, which older versions did not write. */
  forget: () => Promise<void>;
}

async function openStore(engine: Engine): Promise<OlderStore> {
  const { database, discard } = await engine.open('migrated');
  return {
    database,
    start: (mode, balanceUsd) => prepareAccounts(database, undefined, now, balanceUsd, mode),
    forget: async () => void (await database.run('delete from store_facts')),
    [Symbol.asyncDispose]: discard,
  };
}
