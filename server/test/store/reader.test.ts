// The reader of both engines: reports and lists do not delay payments, and include everything that
// was answered.
import { describe, expect, test } from 'bun:test';
import { Registry } from 'prom-client';
import { registerGauges, startCounting } from '../../src/app/gauges.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Runner } from '../../src/store/database.ts';
import { writeProbe } from '../../src/store/facts.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

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
