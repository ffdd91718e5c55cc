// Several gateways share one account on PostgreSQL: each holds against its allowance, together they
// never spend more than the balance, and no request is declined because another gateway has unused
// money.
import { afterEach, describe, expect, test } from 'bun:test';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { type Ledger, makeLedger } from '../../src/billing/ledger.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import { removeGateway } from '../../src/billing/store/gateways.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';
import { amountOf } from '../amount-of.ts';
import { postgresEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { accountId, plainHold } from './funded-accounts.ts';
import { requestRow } from './request-row.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

const price = 100;
const opened: Ledger[] = [];

afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close().catch(() => undefined);
});

async function openShared(database: Database): Promise<Ledger> {
  const ledger = makeLedger({ database, clock: systemClock, log: makeLog('silent') });
  await ledger.open();
  opened.push(ledger);
  return ledger;
}

async function fund(database: Database, ledger: Ledger, amount: number): Promise<void> {
  await insertAccount(database, { id: accountId, name: accountId }, 0);
  await ledger.topup({ id: 'top_1', account_id: accountId, amount, reason: 'test' });
}

let lastId = 0;

async function pay(ledger: Ledger, cost = price, held = price): Promise<string> {
  lastId += 1;
  const id = `req_${lastId}`;
  const outcome = await ledger.hold({ ...plainHold, id, amount: amountOf(held) });
  if (outcome.kind !== 'held') return outcome.kind;
  const request = { ...requestRow(accountId), id };
  const entry = { id, account_id: accountId, cost: amountOf(cost) };
  return (await ledger.settle(entry, { request })).kind;
}

/** Pays until the gateway has an allowance. */
async function warmUp(ledger: Ledger): Promise<number> {
  let paid = 0;
  const payOne = async () => {
    await pay(ledger);
    paid += 1;
    return ledger.allowances()?.get(accountId)?.granted;
  };
  await waitFor(payOne, { what: 'an allowance is granted' });
  return paid;
}

async function countHoldRows(database: Database): Promise<number> {
  const [row] = await database.run('select count(*) as n from holds');
  return Number(row?.['n']);
}

async function expectSound(database: Database): Promise<void> {
  const { violations } = await auditLedger(database);
  expect(violations).toEqual([]);
}

describe('on PostgreSQL', () => {
  test('requests of a frequent caller are held in memory, and charged once', async () => {
    await using store = await makeStore(postgresEngine);
    const ledger = await openShared(store.database);
    await fund(store.database, ledger, 1_000_000);
    const before = await warmUp(ledger);
    const held = await ledger.hold({ ...plainHold, id: 'one', amount: amountOf(price) });
    expect(held).toMatchObject({ kind: 'held' });
    expect(await countHoldRows(store.database)).toBe(0);
    expect(ledger.reserved(accountId)).toBe(price);
    await ledger.release({ id: 'one', account_id: accountId });
    for (let count = 0; count < 50; count += 1) expect(await pay(ledger)).toBe('settled');
    await ledger.bookAll();
    const spent = (before + 50) * price;
    expect(await findBalance(store.database, accountId)).toEqual({
      posted: 1_000_000 - spent,
      held: 0,
    });
    expect(await store.database.run('select 1 from requests')).toHaveLength(before + 50);
    await expectSound(store.database);
  });

  test('a gateway returns its whole allowance when it stops or is idle', async () => {
    await using store = await makeStore(postgresEngine);
    const ledger = await openShared(store.database);
    await fund(store.database, ledger, 1_000_000);
    await warmUp(ledger);
    const rows = () => store.database.run('select 1 from allowances');
    expect(await rows()).toHaveLength(1);
    await waitFor(async () => (await rows()).length === 0, { what: 'no row is left' });
    await warmUp(ledger);
    await ledger.close();
    expect(await rows()).toEqual([]);
    expect(await store.database.run('select 1 from gateways')).toEqual([]);
    const [account] = await store.database.run('select held from accounts');
    expect(Number(account?.['held'])).toBe(0);
    await expectSound(store.database);
  });

  test('a job is not declined because another gateway has unused money', async () => {
    await using store = await makeStore(postgresEngine);
    const [first, second] = [await openShared(store.database), await openShared(store.database)];
    await fund(store.database, first, 100_000);
    const paid = await warmUp(first);
    const free = 100_000 - paid * price;
    const job = { ...plainHold, uncapped: false, expires_at: null, overdraft: amountOf(500) };
    const ask = (id: string, worst: number) =>
      second.hold({ ...job, id, amount: amountOf(10), worst_case: amountOf(worst) });
    // The whole balance with the overdraft limit, and not a micro-dollar more.
    expect(await ask('job:more', free + 501)).toMatchObject({ because: 'exposure' });
    // Counted here, because the last of them may not be booked yet.
    const left = free - (await warmUp(first)) * price;
    const [row] = await store.database.run(
      'select sum(granted - booked) as granted from allowances',
    );
    expect(Number(row?.['granted'])).toBeGreaterThan(0);
    expect(await ask('job:all', left + 500)).toMatchObject({ kind: 'held', again: false });
  });

  test('near zero, all gateways together spend exactly the balance', async () => {
    await using store = await makeStore(postgresEngine);
    const ledgers = [await openShared(store.database), await openShared(store.database)];
    const [first = ledgers[0], second] = ledgers;
    if (!first || !second) throw new Error('There are two ledgers.');
    await fund(store.database, first, 40_050);
    await Promise.all([warmUp(first), warmUp(second)]);
    const spendAll = async (ledger: Ledger) => {
      let outcome = 'settled';
      while (outcome === 'settled') outcome = await pay(ledger);
      return outcome;
    };
    expect(await Promise.all([spendAll(first), spendAll(second), spendAll(first)])).toEqual([
      'declined',
      'declined',
      'declined',
    ]);
    await first.bookAll();
    expect(await findBalance(store.database, accountId)).toMatchObject({ posted: 50 });
    await expectSound(store.database);
  });

  test('a hold can use the money that another gateway had', async () => {
    await using store = await makeStore(postgresEngine);
    const [first, second] = [await openShared(store.database), await openShared(store.database)];
    await fund(store.database, first, 1_000_000);
    const paid = await warmUp(first);
    const rest = 1_000_000 - paid * price;
    const all = { ...plainHold, id: 'all', uncapped: false, amount: amountOf(rest) };
    expect(await second.hold(all)).toMatchObject({ kind: 'held' });
    expect(await pay(first)).toBe('declined');
    await second.release({ id: 'all', account_id: accountId });
    expect(await pay(first)).toBe('settled');
    const adjusted = await second.adjust({
      id: 'adj_1',
      account_id: accountId,
      amount: price - rest,
      reason: 'correction',
    });
    expect(adjusted).toMatchObject({ kind: 'moved' });
    await expectSound(store.database);
  });

  test('a price above the hold is charged, and the allowance covers the hold', async () => {
    await using store = await makeStore(postgresEngine);
    const ledger = await openShared(store.database);
    await fund(store.database, ledger, 1_000_000);
    const paid = await warmUp(ledger);
    const hold = { ...plainHold, id: 'dear', amount: amountOf(price) };
    expect(await ledger.hold(hold)).toMatchObject({ kind: 'held' });
    const settled = await ledger.settle(
      { id: 'dear', account_id: accountId, cost: amountOf(7 * price), may_exceed: true },
      { request: { ...requestRow(accountId), id: 'dear', reported_cost: 7 * price } },
    );
    expect(settled).toMatchObject({ kind: 'settled', cost: 7 * price });
    await ledger.bookAll();
    const spent = (paid + 7) * price;
    expect(await findBalance(store.database, accountId)).toEqual({
      posted: 1_000_000 - spent,
      held: 0,
    });
    await expectSound(store.database);
  });

  test('a refund finds a charge that is not booked yet', async () => {
    await using store = await makeStore(postgresEngine);
    const ledger = await openShared(store.database);
    await fund(store.database, ledger, 1_000_000);
    await warmUp(ledger);
    await pay(ledger);
    const refund = { id: 'ref_1', account_id: accountId, amount: price, reason: 'sorry' };
    const refunded = await ledger.refund({ ...refund, hold_id: `req_${lastId}` });
    expect(refunded).toMatchObject({ kind: 'moved' });
    await expectSound(store.database);
  });

  test('a gateway that others removed as dead charges for the calls it made, and registers again', async () => {
    await using store = await makeStore(postgresEngine);
    const ledger = await openShared(store.database);
    await fund(store.database, ledger, 1_000_000);
    const paid = await warmUp(ledger);
    expect(await ledger.hold({ ...plainHold, id: 'lost', amount: amountOf(price) })).toMatchObject({
      kind: 'held',
    });
    const [gateway] = await store.database.run('select id from gateways');
    await removeGateway(store.database, String(gateway?.['id']));
    const settled = await ledger.settle(
      { id: 'lost', account_id: accountId, cost: amountOf(price) },
      { request: { ...requestRow(accountId), id: 'lost' } },
    );
    expect(settled).toEqual({ kind: 'settled', cost: price, again: false });
    await waitFor(async () => (await store.database.run('select 1 from gateways')).length === 1, {
      what: 'one gateway is left',
    });
    await warmUp(ledger);
    await waitFor(async () => (await store.database.run('select 1 from allowances')).length < 2, {
      what: 'the allowance is returned',
    });
    await ledger.bookAll();
    const { posted = 0 } = (await findBalance(store.database, accountId)) ?? {};
    expect(posted).toBeLessThan(1_000_000 - paid * price);
    const lines = await store.database.run("select reason from transfers where id = 'lost'");
    expect(lines).toEqual([{ reason: 'settled after its hold had ended' }]);
    await expectSound(store.database);
  });

  test('a charge that waits while its gateway is removed and registers again is not covered', async () => {
    await using store = await makeStore(postgresEngine);
    const [asked, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isHeldBack = false;
    const ledger = await openShared({
      ...store.database,
      run: async (text, values) => {
        if (isHeldBack && text.includes('insert into deferred')) {
          asked.resolve();
          await open.promise;
        }
        return store.database.run(text, values);
      },
    });
    await fund(store.database, ledger, 1_000_000);
    await warmUp(ledger);
    for (const id of ['first', 'second']) {
      await ledger.hold({ ...plainHold, id, amount: amountOf(price) });
    }
    const settle = (id: string) =>
      ledger.settle(
        { id, account_id: accountId, cost: amountOf(price) },
        { request: { ...requestRow(accountId), id } },
      );
    isHeldBack = true;
    const first = settle('first');
    await asked.promise;
    const second = settle('second');
    const [gateway] = await store.database.run('select id from gateways');
    await removeGateway(store.database, String(gateway?.['id']));
    await waitFor(() => store.database.run('select 1 from gateways'), {
      what: 'it registers again',
      until: ({ length }) => length === 1,
    });
    open.resolve();
    expect(await Promise.all([first, second])).toMatchObject([{ cost: price }, { cost: price }]);
    await ledger.bookAll();
    const reason = 'settled after its hold had ended';
    const lines = "select reason from transfers where id in ('first', 'second')";
    expect(await store.database.run(lines)).toEqual([{ reason }, { reason }]);
    await expectSound(store.database);
  });

  test('the journal of a dead gateway is booked, and its allowance is returned', async () => {
    await using store = await makeStore(postgresEngine);
    const first = await openShared(store.database);
    await fund(store.database, first, 1_000_000);
    const mine = await store.database.run('select id from gateways');
    // As a killed process leaves it: a journaled charge, an allowance, and a beat.
    await store.database.run("insert into gateways (id, beat) values ('gw_dead', 3)");
    await store.database.run(
      `insert into allowances (account_id, gateway_id, granted, booked, version)
       values ('${accountId}', 'gw_dead', 5000, 1000, 1)`,
    );
    await store.database.run(`update accounts set held = held + 4000`);
    const entry = {
      kind: 'settle',
      id: 'req_dead',
      account_id: accountId,
      cost: 300,
      reserved: { key_id: 'key_1', amount: 400, created_at: 0, gateway_id: 'gw_dead' },
    };
    const request = { ...requestRow(accountId), id: 'req_dead' };
    const input = JSON.stringify({
      batch: [{ account_id: accountId, entry, request }],
      context: { now: 1 },
    });
    await store.database.run(
      `insert into deferred (task, input, created_at, id, gateway_id)
       values ('post', $1, 1, 'jrn_dead', 'gw_dead')`,
      [input],
    );
    await waitFor(async () => (await store.database.run('select id from gateways')).length === 1, {
      what: 'the dead gateway is removed',
    });
    expect(await store.database.run('select id from gateways')).toEqual(mine);
    await waitFor(() => store.database.run('select 1 from allowances'), {
      what: 'no allowance is left',
      until: ({ length }) => length === 0,
    });
    expect(await findBalance(store.database, accountId)).toEqual({ posted: 999_700, held: 0 });
    await expectSound(store.database);
  });
});
