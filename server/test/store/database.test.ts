// Transactions and migrations on both engines, the reader that reports use beside payments, and the
// thread of the embedded store.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { engines } from './engines.ts';
import type { TestStore } from './store-pool.ts';
import { Registry } from 'prom-client';
import { registerGauges, startCounting } from '../../src/app/gauges.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Runner } from '../../src/store/database.ts';
import { writeProbe } from '../../src/store/facts.ts';
import { makeStore } from './migrated-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSqlite } from '../../src/store/sqlite/sqlite-client.ts';

const now = new Date('2026-11-15T12:00:00Z');

for (const { name, open } of engines) {
  describe(`the database on ${name}`, () => {
    let store: TestStore;
    beforeAll(async () => {
      store = await open();
      await store.database.run('create table marks (name text primary key)');
    });
    afterAll(() => store.discard());

    test('several gateways may migrate at once, and each migration is applied once', async () => {
      const others = await Promise.all([store.another(), store.another()]);
      const everyone =
        store.database.engine === 'sqlite' ? [store.database] : [store.database, ...others];
      const applied = await Promise.all(everyone.map((database) => migrate(database, now)));
      expect(applied.reduce((sum, count) => sum + count)).toBe(migrations.length);
      expect(await migrate(store.database, now)).toBe(0);
      await Promise.all(others.map((other) => other.close()));
    });

    test('a statement sent during a transaction survives its rollback', async () => {
      const { database } = store;
      let opened: () => void = () => undefined;
      const isOpen = new Promise<void>((done) => (opened = done));
      const failing = database.transaction(async (tx) => {
        await tx.run('insert into marks (name) values ($1)', ['inside']);
        opened();
        await Bun.sleep(20);
        throw new Error('rolled back');
      });
      await isOpen;
      const beside = database.run('insert into marks (name) values ($1)', ['beside']);
      const outcome = failing.catch((error: unknown) => String(error));
      await beside;
      expect(await outcome).toContain('rolled back');
      const rows = await database.run('select name from marks');
      expect(rows.map((row) => row['name'])).toEqual(['beside']);
    });

    test('statements of a transaction run in the order of their calls, whenever they are awaited', async () => {
      const { database } = store;
      await database.run('create table steps (id integer primary key, name text)');
      const found = await database.transaction(async (tx) => {
        const first = tx.run(`insert into steps (id, name) values (1, 'first')`);
        const second = tx.run(`insert into steps (id, name) select 2, name from steps`);
        await second;
        await first;
        return tx.run('select name from steps where id = 2');
      });
      expect(found.map((row) => row['name'])).toEqual(['first']);
      const invalid = database.transaction(async (tx) => {
        const failing = tx.run('insert into steps (id) values (1)');
        const [first] = await Promise.allSettled([failing, tx.run('select name from steps')]);
        if (first.status === 'rejected') throw first.reason;
      });
      expect(await invalid.catch(String)).toMatch(/unique/i);
    });

    test('what waits for a lock delays no other statement and no other transaction', async () => {
      // A transaction of the embedded store is alone in any case.
      if (store.database.engine === 'sqlite') return;
      const { database } = store;
      const other = await store.another();
      await database.run('create table locked (id integer primary key)');
      const [isLocked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const locking = other.transaction(async (tx) => {
        await tx.run('lock table locked in access exclusive mode');
        isLocked.resolve();
        await release.promise;
      });
      await isLocked.promise;
      const waiting = [1, 2, 3].map(() => database.run('select id from locked'));
      const rows = await Promise.all(
        Array.from({ length: 100 }, (_, at) =>
          at % 2 === 0
            ? database.run('select 1 as one')
            : database.transaction((tx) => tx.run('select 1 as one')),
        ),
      );
      expect(rows.map(([row]) => row?.['one'])).toEqual(rows.map(() => 1));
      release.resolve();
      await Promise.all([locking, ...waiting]);
      await other.close();
    });

    test('concurrent transactions and statements do not mix', async () => {
      const { database } = store;
      await database.run('create table turns (name text primary key)');
      const insert = 'insert into turns (name) values ($1)';
      const asked = Array.from({ length: 30 }, (_, at) => {
        if (at % 3 === 0) return database.run(insert, [`alone ${at}`]);
        return database.transaction(async (tx) => {
          await tx.run(insert, [`first ${at}`]);
          await Bun.sleep(at % 2);
          await tx.run(insert, [`second ${at}`]);
          if (at % 3 === 1) throw new Error('rolled back');
        });
      });
      await Promise.allSettled(asked);
      const rows = await database.run<{ name: string }>('select name from turns');
      const kept = Array.from({ length: 30 }, (_, at) => {
        if (at % 3 === 0) return [`alone ${at}`];
        return at % 3 === 2 ? [`first ${at}`, `second ${at}`] : [];
      });
      expect(rows.map(({ name: one }) => one).toSorted()).toEqual(kept.flat().toSorted());
    });

    test('a failing statement rolls its transaction back, and later statements run', async () => {
      const { database } = store;
      const twice = database.transaction(async (tx) => {
        await tx.run('insert into marks (name) values ($1)', ['one']);
        await tx.run('insert into marks (name) values ($1)', ['one']);
      });
      const refused = await twice.then(
        () => false,
        () => true,
      );
      expect(refused).toBe(true);
      const [row] = await database.run<{ count: unknown }>(
        "select count(*) as count from marks where name = 'one'",
      );
      expect(Number(row?.count)).toBe(0);
    });

    test('large integers keep every digit', async () => {
      const { database } = store;
      await database.run('create table figures (amount bigint)');
      await database.run('insert into figures (amount) values ($1)', [9_007_199_254_740_991]);
      const [row] = await database.run<{ amount: unknown }>('select amount from figures');
      expect(Number(row?.amount)).toBe(9_007_199_254_740_991);
    });
  });
}

/** More than there are connections, and each takes a while. */
const slowReads = 20;
const slow = {
  SQLite: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
    select count(*) from n`,
  PostgreSQL: 'select pg_sleep(0.05)',
};

describe.each(engines)('on $name', (engine) => {
  const text = slow[engine.name as keyof typeof slow];

  test('slow reads do not delay writes', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const order: string[] = [];
    // The thread or the connections of the reader are open.
    await database.reader.run('select 1');
    const reads = Array.from({ length: slowReads }, async () => {
      await database.reader.run(text);
      order.push('read');
    });
    for (let at = 0; at < 5; at += 1) {
      await database.transaction((tx) => writeProbe(tx, at));
      order.push('write');
    }
    await Promise.all(reads);
    expect(order.lastIndexOf('write')).toBeLessThan(order.length - 1 - slowReads / 2);
  });

  test('the reader sees what was committed before, and cannot write', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    for (let at = 0; at < 20; at += 1) {
      await writeProbe(database, at);
      const [row] = await database.reader.run(
        `select value from store_facts where name = 'probed_at'`,
      );
      expect(row).toEqual({ value: String(at) });
    }
    const refused = await writeProbe(database.reader, 1).catch(String);
    expect(refused).toMatch(/readonly|read-only/);
  });

  test('a scrape reads no table, and without jobs and events the reader is not used', async () => {
    await using store = await makeStore(engine);
    const statements: string[] = [];
    const counted = (name: string, { run, lock }: Runner): Runner => ({
      lock,
      run: (...call) => {
        statements.push(name);
        return run(...call);
      },
    });
    const { database } = store;
    const registry = new Registry();
    const counting = startCounting({
      database: { ...counted('own', database), reader: counted('reader', database.reader) },
      log: makeLog('silent'),
    });
    registerGauges(registry, {
      counts: counting.counts,
      clock: systemClock,
      providers: {} as never,
      ledger: { depth: () => 0 },
      bytes: { used: () => 0 },
      writes: { reason: () => undefined, freeBytes: () => undefined },
      settings: { mode: 'live' },
    } as unknown as Parameters<typeof registerGauges>[1]);
    await waitFor(async () => /^trivium_webhook_pending 0$/m.test(await registry.metrics()), {
      what: 'the gauge is 0',
    });
    const before = statements.length;
    for (let scrape = 0; scrape < 5; scrape += 1) await registry.metrics();
    expect(statements.length).toBe(before);
    expect(statements).not.toContain('reader');
    counting.stop();
  });
});

test('a thread that dies gives its reason, and every statement fails at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-thread-'));
  try {
    const program = new URL('./dying-thread.ts', import.meta.url);
    const sqlite = await startSqlite(join(folder, 'store'), false, program);
    expect(await sqlite.run('select 1 as one', [])).toEqual([{ one: 1 }]);
    expect(await sqlite.died).toContain('out of memory');
    const error = await sqlite.run('select 1 as one', []).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: 'SQLITE_GONE' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
