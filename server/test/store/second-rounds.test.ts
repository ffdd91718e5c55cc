// Work that is done in batches, on both engines: what does not fit one batch is done by the next.
import { describe, expect, test } from 'bun:test';
import { sweep, sweepAtStart } from '../../src/app/retention.ts';
import { exportAudit } from '../../src/audit/read-audit.ts';
import { auditMemory } from '../../src/billing/audit-books.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { makeGatewayBeats } from '../../src/billing/shared/gateway-beats.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';
import { makeTrim } from '../../src/store/expiring.ts';
import { copyTables } from '../../src/store/migrations/tables.ts';
import { amountOf } from '../amount-of.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { makeInsert, type Values } from './any-row.ts';
import { type Engine, engines, sqliteEngine } from './engines.ts';
import { plainHold } from './funded-accounts.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';

const clock = systemClock;
const log = makeLog('silent');
/** More than two batches of any of them. */
const many = 1201;

async function open(engine: Engine) {
  const store = await makeStore(engine);
  const { database } = store;
  const insert = await makeInsert(database);
  const ledger = makeLedger({ database, clock, log });
  return {
    ...store,
    insert,
    ledger,
    context: { database, clock, log, ledger },
    count: async (table: string) => {
      const [row] = await database.run(`select count(*) as n from ${table}`);
      return Number(row?.['n']);
    },
    /** Holds of one micro-dollar each. */
    hold: async (more: Values) => {
      await insert('accounts', { id: 'acct', posted: 2000, held: many });
      const row = { account_id: 'acct', amount: 1, ...more };
      await insert('holds', { id: 'req', ...row }, { count: many });
    },
  };
}

describe.each(engines)('on $name', (engine) => {
  test('all holds are released at the start, and later those that expired, in several rounds', async () => {
    await using store = await open(engine);
    const { database, context } = store;
    await store.hold({ expires_at: Date.now() + 60_000 });
    await sweepAtStart(context);
    expect(await findBalance(database, 'acct')).toEqual({ posted: 2000, held: 0 });
    await database.run(`delete from accounts`);
    await store.hold({ expires_at: 1 });
    for (const left of [many - 500, many - 1000, 0]) {
      await sweep(context);
      expect(await store.count('holds')).toBe(left);
    }
  });

  test('an export of the audit log has every entry once', async () => {
    await using store = await open(engine);
    await store.insert('audit_log', { id: 'a', created_at: 1 }, { count: many });
    const text = await new Response(await exportAudit(store, { limit: 50 })).text();
    const ids = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect([ids.length, new Set(ids).size]).toEqual([many, many]);
  });

  test('a table is trimmed to its limit, whatever was written to it', async () => {
    await using store = await open(engine);
    await store.insert('cache_entries', { id: 'e', bytes: 1 }, { count: many });
    const limits = { max_entries: 100, max_bytes: 1_000_000 };
    const entries = { table: 'cache_entries', key: 'id', order: 'stored_at, id' };
    const trim = makeTrim({ database: store.database, log, what: 'it', limits, ...entries });
    trim.add([{ bytes: 1 }]);
    await waitFor(() => trim.size(), { what: 'less', until: (size) => size.entries <= 100 });
    // The last batch may delete a twentieth too much.
    expect((await trim.size()).entries).toBeGreaterThan(90);
  });
});

const only = (name: string) => engines.filter((engine) => engine.name === name);

describe.each(only('SQLite'))('only on $name', (engine) => {
  test('the audit of memory compares every account', async () => {
    await using store = await open(engine);
    const { database, ledger } = store;
    await store.insert('accounts', { id: 'acct', posted: 100 }, { count: 600 });
    await ledger.open();
    for (let at = 1; at <= 600; at += 1) {
      const hold = { ...plainHold, account_id: `acct_${at}`, amount: amountOf(1) };
      await ledger.hold({ ...hold, id: `req_${at}` });
    }
    await database.run(`update accounts set posted = 50 where id in ('acct_1', 'acct_599')`);
    const audited = { database, ledger } as unknown as Parameters<typeof auditMemory>[0];
    const { violations } = await auditMemory(audited);
    expect(violations.map((one) => /acct_\d+/.exec(one)?.[0])).toEqual(['acct_1', 'acct_599']);
    await ledger.close();
  });
});

describe.each(only('PostgreSQL'))('only on $name', (engine) => {
  test('all holds of a dead gateway are released', async () => {
    await using store = await open(engine);
    const { database, ledger } = store;
    await store.hold({ served_by: 'gw_dead', expires_at: null });
    const beats = makeGatewayBeats({
      ...store.context,
      // No charge is reported as lost.
      log: { warn: () => undefined, error: () => expect.unreachable() } as never,
      bookAll: ledger.bookAll,
      release: async (holds) => void (await Promise.all(holds.map((one) => ledger.release(one)))),
    });
    await beats.open();
    expect(await beats.next()).toBe(true);
    expect(await store.count('holds')).toBe(0);
    expect(await findBalance(database, 'acct')).toEqual({ posted: 2000, held: 0 });
  });

  test('the whole journal is booked', async () => {
    await using store = await open(engine);
    const { database, ledger } = store;
    await store.insert('accounts', { id: 'acct', posted: 100_000 });
    await appendMany(database, 100);
    await ledger.bookAll();
    expect(await findBalance(database, 'acct')).toEqual({ posted: 100_000 - 100, held: 0 });
  });

  test('every row of a store is copied', async () => {
    await using from = await makeStore(sqliteEngine);
    await using to = await makeStore(engine);
    await (
      await makeInsert(from.database)
    )('accounts', { id: 'acct', posted: 7 }, { count: many });
    const moved = await to.database.transaction((tx) => copyTables(from.database, tx));
    expect(moved.find(({ table }) => table === 'accounts')?.rows).toBe(many);
  });
});

async function appendMany(on: Database, count: number): Promise<void> {
  const account = { account_id: 'acct' };
  for (let at = 0; at < count; at += 1) {
    const id = `req_${at}`;
    const reserved = { key_id: null, amount: 1, created_at: 0 };
    const entry = { kind: 'settle', id, ...account, cost: 1, reserved };
    const batch = [{ ...account, entry, request: { ...requestRow('acct'), id } }];
    await on.run(
      `insert into deferred (task, input, created_at, id, gateway_id) values ('post', $1, 1, $2, 'gw')`,
      [JSON.stringify({ batch, context: { now: 1 } }), `jrn_${at}`],
    );
  }
}
