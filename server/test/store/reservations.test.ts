// Holds in memory, on SQLite: holds in memory and in the store together never exceed the balance,
// and holds in memory end with the process.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/store/database.ts';
import type { Ledger } from '../../src/billing/ledger.ts';
import { readBalance } from '../../src/billing/read-ledger.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import { postgresEngine, sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { accountId, openLedger, openFundedAccount, plainHold, start } from './funded-accounts.ts';
import type { AccountBudget } from './funded-accounts.ts';
import type { Amount } from '../../src/billing/core/amount.ts';
import { amountOf } from '../amount-of.ts';

/** One client: it holds, in memory or in the store, waits, and ends the hold in some way. */
const client = fc.record({
  amount: fc.integer({ min: 0, max: 60 }),
  plain: fc.boolean(),
  wait: fc.integer({ min: 0, max: 3 }),
  end: fc.constantFrom('settle', 'less', 'release', 'adjust', 'hostile hold', 'hostile settle'),
  /** An amount that is never valid, as if no earlier check had rejected it. */
  hostile: fc.constantFrom(-1_000_000, -1, 0.5, 10.000_01, 1e308, 2 ** 53, NaN, Infinity),
});

describe('on SQLite', () => {
  test('memory and store together never hold more than the balance', async () => {
    await using store = await makeStore(sqliteEngine);
    const ledger = openLedger(store.database);
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(client, { minLength: 1, maxLength: 25 }), async (clients) => {
        round += 1;
        const account = `acct_${round}`;
        const budget = await openFundedAccount(ledger, store.database, account);
        await Promise.all(
          clients.map((one, at) => runClient(ledger, budget, one, `${account}_${at}`)),
        );
        expect(await findBalance(store.database, account)).toEqual({
          posted: start - budget.spent,
          held: 0,
        });
        expect(ledger.reserved(account)).toBe(0);
        // No hold is left, so the rest is available.
        const rest = { ...plainHold, account_id: account, amount: amountOf(start - budget.spent) };
        expect(await ledger.hold({ ...rest, id: `${account}_rest` })).toMatchObject({
          kind: 'held',
        });
      }),
      { numRuns: 60 },
    );
    expect(declinedHolds).toBeGreaterThan(0);
  });

  test('a plain request has no row until it is settled', async () => {
    await using store = await makeStore(sqliteEngine);
    const ledger = openLedger(store.database);
    await openFundedAccount(ledger, store.database, accountId);
    await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(30) });
    expect(await store.database.run('select id from holds')).toEqual([]);
    expect(ledger.reserved(accountId)).toBe(30);
    expect(await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(30) })).toMatchObject({
      again: true,
    });
    const declined = await ledger.hold({ ...plainHold, id: 'r2', amount: amountOf(71) });
    expect(declined).toEqual({ kind: 'declined', because: 'balance', available: 70 });
    const settled = await ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(20) });
    expect(settled).toEqual({ kind: 'settled', cost: 20, again: false });
    const again = await ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(20) });
    expect(again).toEqual({ kind: 'settled', cost: 20, again: true });
    expect(await findBalance(store.database, accountId)).toEqual({ posted: 80, held: 0 });
    expect(await ledger.release({ id: 'r1', account_id: accountId })).toEqual({ kind: 'closed' });
  });

  test('a request that is settled while balances are read counts once', async () => {
    await using store = await makeStore(sqliteEngine);
    const { database } = store;
    const ledger = openLedger(database);
    await openFundedAccount(ledger, database, accountId);
    const amount = amountOf(3);
    const ids = Array.from({ length: 30 }, (_, at) => `r${at}`);
    for (const id of ids) await ledger.hold({ ...plainHold, id, amount });
    let isSettled = false;
    const settle = async () => {
      // Several batches of the journal.
      for (const id of ids) {
        void ledger.settle({ id, account_id: accountId, cost: amount });
        await systemClock.sleep(1);
      }
      await ledger.idle();
      isSettled = true;
    };
    const seen = new Set<number>();
    const read = async () => {
      while (!isSettled) {
        const { balance_usd, held_usd } = await readBalance(
          { database, ledger },
          { account_id: accountId },
        );
        expect(balance_usd).toBe(10 / 1e6);
        seen.add(held_usd);
      }
    };
    await Promise.all([settle(), read(), read(), read()]);
    expect(seen.size).toBeGreaterThan(1);
  });

  test('a batch that is repeated after a lost connection charges once', async () => {
    await using store = await makeStore(sqliteEngine);
    let losesAnswer = false;
    // The answer is lost, and the ledger repeats the batch.
    const defer: Database['defer'] = async (task, input) => {
      await store.database.defer?.(task, input);
      if (!losesAnswer) return;
      losesAnswer = false;
      throw Object.assign(new Error('lost'), { code: 'ERR_POSTGRES_CONNECTION_CLOSED' });
    };
    const ledger = openLedger({ ...store.database, defer });
    await openFundedAccount(ledger, store.database, accountId);
    await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(30) });
    losesAnswer = true;
    const settled = await ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(30) });
    expect(settled).toMatchObject({ kind: 'settled', cost: 30, again: true });
    expect(await findBalance(store.database, accountId)).toEqual({ posted: 70, held: 0 });
    expect(await ledger.hold({ ...plainHold, id: 'r2', amount: amountOf(71) })).toMatchObject({
      available: 70,
    });
  });

  test('a hold that is never closed expires, and is then settled as if there was no hold', async () => {
    await using store = await makeStore(sqliteEngine);
    const ledger = openLedger(store.database);
    await openFundedAccount(ledger, store.database, accountId);
    await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(30), expires_at: 1000 });
    ledger.expire(999);
    expect(ledger.reserved(accountId)).toBe(30);
    ledger.expire(1000);
    expect(ledger.reserved(accountId)).toBe(0);
    const settle = { id: 'r1', account_id: accountId, cost: amountOf(50) };
    expect(await ledger.settle(settle)).toEqual({ kind: 'closed' });
    const unheld = { key_id: 'key_1', amount: amountOf(30), created_at: 0 };
    for (const again of [false, true]) {
      expect(await ledger.settle({ ...settle, unheld })).toEqual({
        kind: 'settled',
        cost: 30,
        again,
      });
    }
    expect(await findBalance(store.database, accountId)).toEqual({ posted: start - 30, held: 0 });
  });

  test('a hold that expires while it is being settled is not available to others', async () => {
    await using store = await makeStore(sqliteEngine);
    const paused = Promise.withResolvers<void>();
    let isPaused = false;
    const defer: Database['defer'] = async (task, input) => {
      if (isPaused) await paused.promise;
      await store.database.defer?.(task, input);
    };
    const ledger = openLedger({ ...store.database, defer });
    await openFundedAccount(ledger, store.database, accountId);
    await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(start), expires_at: 1000 });
    isPaused = true;
    const settling = ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(start) });
    ledger.expire(2000);
    const second = ledger.hold({ ...plainHold, id: 'r2', amount: amountOf(start) });
    paused.resolve();
    expect((await settling).kind).toBe('settled');
    expect(await second).toMatchObject({ kind: 'declined', available: 0 });
    expect(ledger.reserved(accountId)).toBe(0);
  });
});

test('on PostgreSQL, which gateways share, every hold is a row', async () => {
  await using store = await makeStore(postgresEngine);
  const ledger = openLedger(store.database);
  await openFundedAccount(ledger, store.database, accountId);
  await ledger.hold({ ...plainHold, id: 'r1', amount: amountOf(30) });
  expect(await store.database.run('select id from holds')).toEqual([{ id: 'r1' }]);
  expect(ledger.reserved(accountId)).toBe(0);
});

/** Shows that the property is tested at its limit. */
let declinedHolds = 0;

async function runClient(
  ledger: Ledger,
  budget: AccountBudget,
  {
    amount,
    plain: inMemory,
    wait,
    end,
    hostile,
  }: typeof client extends fc.Arbitrary<infer T> ? T : never,
  id: string,
): Promise<void> {
  const { account_id: account } = budget;
  await pause(wait);
  if (end === 'adjust') {
    const taken = await ledger.adjust({ id, account_id: account, amount: -amount, reason: 'x' });
    if (taken.kind === 'moved') budget.spent += amount;
    return checkBudget(budget);
  }
  if (end === 'hostile hold') {
    const hold = { ...plainHold, id, account_id: account, uncapped: inMemory };
    expect(
      await refusal((async () => ledger.hold({ ...hold, amount: hostile as Amount }))()),
    ).toContain('micro');
    return;
  }
  const hold = {
    ...plainHold,
    id,
    account_id: account,
    amount: amountOf(amount),
    uncapped: inMemory,
  };
  if ((await ledger.hold(hold)).kind !== 'held') {
    declinedHolds += 1;
    return;
  }
  budget.held += amount;
  checkBudget(budget);
  await pause(wait);
  if (end === 'hostile settle') {
    const settle = { id, account_id: account, cost: hostile as Amount, may_exceed: true };
    expect(await refusal(ledger.settle(settle))).toContain('micro');
    budget.held -= amount;
    await ledger.release({ id, account_id: account });
    return;
  }
  const cost = end === 'less' ? Math.floor(amount / 2) : amount;
  // A settlement may be on disk as soon as it is sent.
  budget.held -= amount;
  if (end !== 'release') budget.spent += cost;
  if (end === 'release') await ledger.release({ id, account_id: account });
  else
    expect(await ledger.settle({ id, account_id: account, cost: amountOf(cost) })).toMatchObject({
      cost,
    });
}

function checkBudget({ held, spent }: AccountBudget): void {
  expect(held + spent).toBeLessThanOrEqual(start);
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
