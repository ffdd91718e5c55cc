// What a store knows of itself, on both engines: the mode that created it, whether it has lost what a
// gateway saw, and the time, also for a gateway whose own clock is wrong.
import { describe, expect, test } from 'bun:test';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { StartError } from '../../src/platform/start-error.ts';
import type { Mode } from '../../src/settings/settings.ts';
import { type Engine, engines, postgresEngine, sqliteEngine } from './engines.ts';
import type { TestStore } from './store-pool.ts';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '../../src/platform/log.ts';
import { watchStoreAge } from '../../src/store/store-age.ts';
import { makeStore } from './migrated-store.ts';
import { sweep } from '../../src/app/retention.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { followStoreClock } from '../../src/store/store-clock.ts';
import { amountOf } from '../amount-of.ts';
import { accountId, openFundedAccount, openLedger, plainHold } from './funded-accounts.ts';

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

const log = makeLog('silent');

test('on PostgreSQL, a store that lost commits is reported once', async () => {
  await using store = await makeStore(postgresEngine);
  const dataDir = mkdtempSync(join(tmpdir(), 'trivium-age-'));
  const start = async (name = 'PostgreSQL at one/db') => {
    const { warning, stop } = await watchStoreAge({ ...store, name }, dataDir, log);
    stop();
    return warning;
  };
  try {
    expect(await start()).toBeUndefined();
    expect(await start()).toBeUndefined();
    await store.database.run("update store_facts set value = '0' where name = 'age'");
    expect(await start()).toContain('is older than what a gateway here last saw');
    expect(await start()).toBeUndefined();
    // A new database at the same address has no counter at all.
    await store.database.run("delete from store_facts where name = 'age'");
    expect(await start()).toContain('is older');
    expect(await start('PostgreSQL at two/db')).toBeUndefined();
    const [file = ''] = readdirSync(dataDir);
    for (const text of ['', 'abc', '-1', '1e400', '9'.repeat(100_000)]) {
      writeFileSync(join(dataDir, file), text);
      expect(await start()).toBeUndefined();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test('a data directory that cannot be written does not keep a gateway from starting', async () => {
  await using store = await makeStore(postgresEngine);
  const named = { ...store, name: 'PostgreSQL at one/db' };
  const { warning, stop } = await watchStoreAge(named, '/dev/null/nowhere', log);
  stop();
  expect(warning).toBeUndefined();
});

test('on SQLite, a store that lost commits is refused until the operator decides', async () => {
  await using store = await makeStore(sqliteEngine);
  const dataDir = mkdtempSync(join(tmpdir(), 'trivium-age-'));
  const start = async () => {
    const named = { ...store, name: 'SQLite in one' };
    (await watchStoreAge(named, dataDir, log)).stop();
  };
  try {
    await start();
    await start();
    await store.database.run("update store_facts set value = '0' where name = 'age'");
    // However often a service manager restarts the gateway.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const refusal = await start().catch((error: unknown) => error);
      expect(String(refusal)).toContain('is older than what a gateway here last saw');
    }
    const [file = ''] = readdirSync(dataDir);
    rmSync(join(dataDir, file));
    await start();
    await start();
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

const fiveMinutesMs = 300_000;
const toleratedMs = 1000;
const settings = { request_log_days: 30, cache_keep_hours: 1 };

test.each([fiveMinutesMs, -fiveMinutesMs])(
  'on PostgreSQL, a clock that is %d ms wrong is corrected, and sweeps no current hold',
  async (wrongByMs) => {
    await using store = await makeStore(postgresEngine);
    const ledger = openLedger(store.database);
    await openFundedAccount(ledger, store.database, accountId);
    const local = { ...systemClock, now: () => new Date(Date.now() + wrongByMs) };
    const followed = await followStoreClock(store.database, local, log);
    try {
      const { clock } = followed;
      expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(toleratedMs);
      expect(Math.abs(followed.offsetMs() + wrongByMs)).toBeLessThan(toleratedMs);
      const expiresAt = Date.now() + 60_000;
      const hold = { ...plainHold, id: 'r1', amount: amountOf(10), expires_at: expiresAt };
      expect(await ledger.hold(hold)).toMatchObject({ kind: 'held' });
      const context = { database: store.database, clock, log, ledger, settings };
      await sweep(context);
      expect(await store.database.run('select id from holds')).toHaveLength(1);
      // The gateway's own clock would have ended it, if it is fast.
      await sweep({ ...context, clock: local });
      const left = await store.database.run('select id from holds');
      expect(left).toHaveLength(wrongByMs > 0 ? 0 : 1);
    } finally {
      followed.stop();
    }
  },
);

test('on SQLite, the clock of the machine is the clock of the store', async () => {
  await using store = await makeStore(sqliteEngine);
  const followed = await followStoreClock(store.database, systemClock, log);
  expect(followed.clock).toBe(systemClock);
});
