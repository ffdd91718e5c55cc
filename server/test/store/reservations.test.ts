// What requests hold in memory where the store belongs to one process: no more is set aside than
// there is, however memory and disk take turns, and nothing of it outlives the process.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Database } from '../../src/platform/database.ts';
import type { Ledger } from '../../src/services/ledger.ts';
import { findBalance } from '../../src/store/accounts.ts';
import {
  account_id,
  embedded,
  openLedger,
  openPurse,
  openStore,
  quick,
  shared,
  start,
} from './purses.ts';
import type { Purse } from './purses.ts';
import type { Amount } from '../../src/domain/amount.ts';
import { amountOf } from '../amount-of.ts';

/** One client's doings: it holds, in memory if it may, thinks for a while, and ends it. */
const client = fc.record({
  amount: fc.integer({ min: 0, max: 60 }),
  quick: fc.boolean(),
  wait: fc.integer({ min: 0, max: 3 }),
  end: fc.constantFrom('settle', 'less', 'release', 'adjust', 'hostile hold', 'hostile settle'),
  /** What no caller may hold and no vendor may charge, as if the gate had let it through. */
  hostile: fc.constantFrom(-1_000_000, -1, 0.5, 10.000_01, 1e308, 2 ** 53, NaN, Infinity),
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
        const rest = { ...quick, account_id: account, amount: amountOf(start - purse.spent) };
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
    await ledger.hold({ ...quick, id: 'r1', amount: amountOf(30) });
    expect(await store.database.run('select id from holds')).toEqual([]);
    expect(ledger.reserved(account_id)).toBe(30);
    expect(await ledger.hold({ ...quick, id: 'r1', amount: amountOf(30) })).toMatchObject({
      again: true,
    });
    const declined = await ledger.hold({ ...quick, id: 'r2', amount: amountOf(71) });
    expect(declined).toEqual({ kind: 'declined', because: 'balance', available: 70 });
    const settled = await ledger.settle({ id: 'r1', account_id, cost: amountOf(20) });
    expect(settled).toEqual({ kind: 'settled', cost: 20, asked: 20, again: false });
    const again = await ledger.settle({ id: 'r1', account_id, cost: amountOf(20) });
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
    await ledger.hold({ ...quick, id: 'r1', amount: amountOf(30) });
    deaf = true;
    const settled = await ledger.settle({ id: 'r1', account_id, cost: amountOf(30) });
    expect(settled).toMatchObject({ kind: 'settled', cost: 30, again: true });
    expect(await findBalance(store.database, account_id)).toEqual({ posted: 70, held: 0 });
    expect(await ledger.hold({ ...quick, id: 'r2', amount: amountOf(71) })).toMatchObject({
      available: 70,
    });
  });

  test('what is never ended expires, and what expired cannot be settled', async () => {
    await using store = await openStore(embedded);
    const ledger = openLedger(store.database);
    await openPurse(ledger, store.database, account_id);
    await ledger.hold({ ...quick, id: 'r1', amount: amountOf(30), expires_at: 1000 });
    ledger.expire(999);
    expect(ledger.reserved(account_id)).toBe(30);
    ledger.expire(1000);
    expect(ledger.reserved(account_id)).toBe(0);
    expect(await ledger.settle({ id: 'r1', account_id, cost: amountOf(1) })).toEqual({
      kind: 'closed',
    });
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
    await ledger.hold({ ...quick, id: 'r1', amount: amountOf(start), expires_at: 1000 });
    closed = true;
    const settling = ledger.settle({ id: 'r1', account_id, cost: amountOf(start) });
    ledger.expire(2000);
    const second = ledger.hold({ ...quick, id: 'r2', amount: amountOf(start) });
    gate.resolve();
    expect((await settling).kind).toBe('settled');
    expect(await second).toMatchObject({ kind: 'declined', available: 0 });
    expect(ledger.reserved(account_id)).toBe(0);
  });
});

test('where several gateways share a store, every hold is a row', async () => {
  await using store = await openStore(shared);
  const ledger = openLedger(store.database);
  await openPurse(ledger, store.database, account_id);
  await ledger.hold({ ...quick, id: 'r1', amount: amountOf(30) });
  expect(await store.database.run('select id from holds')).toEqual([{ id: 'r1' }]);
  expect(ledger.reserved(account_id)).toBe(0);
});

/** How often a client was refused, so that the property is known to be tried at its edge. */
let purseWasFull = 0;

async function live(
  ledger: Ledger,
  purse: Purse,
  {
    amount,
    quick: in_memory,
    wait,
    end,
    hostile,
  }: typeof client extends fc.Arbitrary<infer T> ? T : never,
  id: string,
): Promise<void> {
  const { account_id: account } = purse;
  await pause(wait);
  if (end === 'adjust') {
    const taken = await ledger.adjust({ id, account_id: account, amount: -amount, reason: 'x' });
    if (taken.kind === 'moved') purse.spent += amount;
    return checkPurse(purse);
  }
  if (end === 'hostile hold') {
    const hold = { ...quick, id, account_id: account, uncapped: in_memory };
    expect(await refusal(ledger.hold({ ...hold, amount: hostile as Amount }))).toContain('micro');
    return;
  }
  const hold = { ...quick, id, account_id: account, amount: amountOf(amount), uncapped: in_memory };
  if ((await ledger.hold(hold)).kind !== 'held') {
    purseWasFull += 1;
    return;
  }
  purse.set_aside += amount;
  checkPurse(purse);
  await pause(wait);
  if (end === 'hostile settle') {
    const settle = { id, account_id: account, cost: hostile as Amount, may_exceed: true };
    expect(await refusal(ledger.settle(settle))).toContain('micro');
    purse.set_aside -= amount;
    await ledger.release({ id, account_id: account });
    return;
  }
  const cost = end === 'less' ? Math.floor(amount / 2) : amount;
  // From the moment it is asked for, a settle may be on disk.
  purse.set_aside -= amount;
  if (end !== 'release') purse.spent += cost;
  if (end === 'release') await ledger.release({ id, account_id: account });
  else
    expect(await ledger.settle({ id, account_id: account, cost: amountOf(cost) })).toMatchObject({
      cost,
    });
}

function checkPurse({ set_aside, spent }: Purse): void {
  expect(set_aside + spent).toBeLessThanOrEqual(start);
}

async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((done) => setImmediate(done));
}

function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'accepted',
    (error: unknown) => String(error),
  );
}
