// What requests hold in memory where the store belongs to one process: no more is set aside than
// there is, however memory and disk take turns, and nothing of it outlives the process.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { system_clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openSqlite } from '../../src/platform/sqlite.ts';
import { auditLedger } from '../../src/services/audit-ledger.ts';
import { makeLedger } from '../../src/services/ledger.ts';
import type { Ledger } from '../../src/services/ledger.ts';
import { findBalance, insertAccount } from '../../src/store/accounts.ts';
import type { RequestRow } from '../../src/store/requests.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated.ts';

const account_id = 'acct_1';
const start = 100;

const embedded = engines.find(({ name }) => name === 'SQLite');
const shared = engines.find(({ name }) => name === 'PostgreSQL');

/** One client's doings: it holds, in memory if it may, thinks for a while, and ends it. */
const client = fc.record({
  amount: fc.integer({ min: 0, max: 60 }),
  quick: fc.boolean(),
  wait: fc.integer({ min: 0, max: 3 }),
  end: fc.constantFrom('settle', 'less', 'release', 'adjust'),
});

describe('on SQLite', () => {
  test('memory and disk together never set aside more than there is', async () => {
    await using store = await openStore(embedded);
    const ledger = openLedger(store.database);
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(client, { minLength: 1, maxLength: 25 }), async (clients) => {
        round += 1;
        const account = `acct_${round}`;
        const purse = await openPurse(ledger, store.database, account);
        await Promise.all(clients.map((one, at) => live(ledger, purse, one, `${account}_${at}`)));
        expect(await findBalance(store.database, account)).toEqual({
          posted: start - purse.spent,
          held: 0,
        });
        expect(ledger.reserved(account)).toBe(0);
        // All is closed again, so whoever asks for the rest gets it.
        const rest = { ...quick, account_id: account, amount: start - purse.spent };
        expect(await ledger.hold({ ...rest, id: `${account}_rest` })).toMatchObject({
          kind: 'held',
        });
      }),
      { numRuns: 60 },
    );
    expect(purseWasFull).toBeGreaterThan(0);
  });

  test('a plain request leaves no row before it is settled, and its own after', async () => {
    await using store = await openStore(embedded);
    const ledger = openLedger(store.database);
    await openPurse(ledger, store.database, account_id);
    await ledger.hold({ ...quick, id: 'r1', amount: 30 });
    expect(await store.database.run('select id from holds')).toEqual([]);
    expect(ledger.reserved(account_id)).toBe(30);
    expect(await ledger.hold({ ...quick, id: 'r1', amount: 30 })).toMatchObject({ again: true });
    const declined = await ledger.hold({ ...quick, id: 'r2', amount: 71 });
    expect(declined).toEqual({ kind: 'declined', because: 'balance', available: 70 });
    const settled = await ledger.settle({ id: 'r1', account_id, cost: 20 });
    expect(settled).toEqual({ kind: 'settled', cost: 20, asked: 20, again: false });
    const again = await ledger.settle({ id: 'r1', account_id, cost: 20 });
    expect(again).toEqual({ kind: 'settled', cost: 20, asked: 20, again: true });
    expect(await findBalance(store.database, account_id)).toEqual({ posted: 80, held: 0 });
    expect(await ledger.release({ id: 'r1', account_id })).toEqual({ kind: 'closed' });
  });

  test('a commit that is told twice charges once', async () => {
    await using store = await openStore(embedded);
    let deaf = false;
    // The answer is lost, and the batch is tried again.
    const defer: Database['defer'] = async (task, input) => {
      await store.database.defer?.(task, input);
      if (!deaf) return;
      deaf = false;
      throw Object.assign(new Error('lost'), { code: 'ERR_POSTGRES_CONNECTION_CLOSED' });
    };
    const ledger = openLedger({ ...store.database, defer });
    await openPurse(ledger, store.database, account_id);
    await ledger.hold({ ...quick, id: 'r1', amount: 30 });
    deaf = true;
    const settled = await ledger.settle({ id: 'r1', account_id, cost: 30 });
    expect(settled).toMatchObject({ kind: 'settled', cost: 30, again: true });
    expect(await findBalance(store.database, account_id)).toEqual({ posted: 70, held: 0 });
    expect(await ledger.hold({ ...quick, id: 'r2', amount: 71 })).toMatchObject({ available: 70 });
  });

  test('what is never ended expires, and what expired cannot be settled', async () => {
    await using store = await openStore(embedded);
    const ledger = openLedger(store.database);
    await openPurse(ledger, store.database, account_id);
    await ledger.hold({ ...quick, id: 'r1', amount: 30, expires_at: 1000 });
    ledger.expire(999);
    expect(ledger.reserved(account_id)).toBe(30);
    ledger.expire(1000);
    expect(ledger.reserved(account_id)).toBe(0);
    expect(await ledger.settle({ id: 'r1', account_id, cost: 1 })).toEqual({ kind: 'closed' });
  });

  test('what expires while it is being settled is not given away a second time', async () => {
    await using store = await openStore(embedded);
    const gate = Promise.withResolvers<void>();
    let closed = false;
    const defer: Database['defer'] = async (task, input) => {
      if (closed) await gate.promise;
      await store.database.defer?.(task, input);
    };
    const ledger = openLedger({ ...store.database, defer });
    await openPurse(ledger, store.database, account_id);
    await ledger.hold({ ...quick, id: 'r1', amount: start, expires_at: 1000 });
    closed = true;
    const settling = ledger.settle({ id: 'r1', account_id, cost: start });
    ledger.expire(2000);
    const second = ledger.hold({ ...quick, id: 'r2', amount: start });
    gate.resolve();
    expect((await settling).kind).toBe('settled');
    expect(await second).toMatchObject({ kind: 'declined', available: 0 });
    expect(ledger.reserved(account_id)).toBe(0);
  });

  test('a settle is on disk when it is answered, and the next process books it', async () => {
    await using store = await openStore(embedded);
    const ledger = openLedger(store.database);
    await openPurse(ledger, store.database, account_id);
    await ledger.hold({ ...quick, id: 'r1', amount: 30 });
    await ledger.settle({ id: 'r1', account_id, cost: 20 }, { request: requestRow('r1') });
    // As a kill would leave them: nobody has asked the store for anything since.
    const left = mkdtempSync(join(tmpdir(), 'trivium-left-'));
    try {
      cpSync(String(store.settings['TRIVIUM_DATA_DIR']), left, { recursive: true });
      const next = await openSqlite(join(left, 'trivium.sqlite'));
      await next.resume?.();
      expect(await findBalance(next, account_id)).toEqual({ posted: start - 20, held: 0 });
      expect(await next.run('select id, cost from requests')).toEqual([{ id: 'r1', cost: 20 }]);
      expect((await auditLedger(next)).violations).toEqual([]);
      await next.close();
    } finally {
      rmSync(left, { recursive: true });
    }
  });

  test('a settle asked for twice at once charges once', async () => {
    await using store = await openStore(embedded);
    const ledger = openLedger(store.database);
    await openPurse(ledger, store.database, account_id);
    await ledger.hold({ ...quick, id: 'r1', amount: 30 });
    const settle = () => ledger.settle({ id: 'r1', account_id, cost: 30 });
    const [first, second] = await Promise.all([settle(), settle()]);
    expect([first, second]).toMatchObject([{ again: false }, { again: true }]);
    expect(await findBalance(store.database, account_id)).toEqual({ posted: 70, held: 0 });
    expect((await auditLedger(store.database)).violations).toEqual([]);
  });

  test('work that could not be booked is told by the audit', async () => {
    await using store = await openStore(embedded);
    await store.database.defer?.({ name: 'unheard_of', work: async () => undefined }, []);
    const { violations } = await auditLedger(store.database);
    expect(violations).toEqual(['All that was put off could be booked.']);
  });
});

test('where several gateways share a store, every hold is a row', async () => {
  await using store = await openStore(shared);
  const ledger = openLedger(store.database);
  await openPurse(ledger, store.database, account_id);
  await ledger.hold({ ...quick, id: 'r1', amount: 30 });
  expect(await store.database.run('select id from holds')).toEqual([{ id: 'r1' }]);
  expect(ledger.reserved(account_id)).toBe(0);
});

function requestRow(id: string): RequestRow {
  return {
    id,
    account_id,
    key_id: 'key_1',
    tool: 'search',
    provider: 'engine_a',
    status: 200,
    error_type: null,
    warnings: 0,
    cost: 0,
    reported_cost: null,
    latency_ms: 5,
    created_at: 0,
  };
}

const quick = {
  account_id,
  key_id: 'key_1',
  uncapped: true,
  expires_at: Number.MAX_SAFE_INTEGER,
};

interface Purse {
  account_id: string;
  set_aside: number;
  spent: number;
}

/** How often a client was refused, so that the property is known to be tried at its edge. */
let purseWasFull = 0;

async function live(
  ledger: Ledger,
  purse: Purse,
  { amount, quick: in_memory, wait, end }: typeof client extends fc.Arbitrary<infer T> ? T : never,
  id: string,
): Promise<void> {
  const { account_id: account } = purse;
  await pause(wait);
  if (end === 'adjust') {
    const taken = await ledger.adjust({ id, account_id: account, amount: -amount, reason: 'x' });
    if (taken.kind === 'moved') purse.spent += amount;
    return checkPurse(purse);
  }
  const hold = { ...quick, id, account_id: account, amount, uncapped: in_memory };
  if ((await ledger.hold(hold)).kind !== 'held') {
    purseWasFull += 1;
    return;
  }
  purse.set_aside += amount;
  checkPurse(purse);
  await pause(wait);
  const cost = end === 'less' ? Math.floor(amount / 2) : amount;
  // From the moment it is asked for, a settle may be on disk.
  purse.set_aside -= amount;
  if (end !== 'release') purse.spent += cost;
  if (end === 'release') await ledger.release({ id, account_id: account });
  else expect(await ledger.settle({ id, account_id: account, cost })).toMatchObject({ cost });
}

function checkPurse({ set_aside, spent }: Purse): void {
  expect(set_aside + spent).toBeLessThanOrEqual(start);
}

async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done));
}

async function openPurse(ledger: Ledger, database: Database, id: string): Promise<Purse> {
  await insertAccount(database, { id, name: id }, 0);
  await ledger.topup({ id: `top_${id}`, account_id: id, amount: start, reason: 'test' });
  return { account_id: id, set_aside: 0, spent: 0 };
}

function openLedger(database: Database): Ledger {
  return makeLedger({ database, clock: system_clock, log: makeLog('silent') });
}

function openStore(engine: (typeof engines)[number] | undefined) {
  if (!engine) throw new Error('There is no such store to test on.');
  return makeStore(engine);
}
