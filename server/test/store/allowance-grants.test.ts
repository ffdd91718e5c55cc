// One gateway's allowance, step by step on PostgreSQL: what it asks for, what it offers to requests,
// and when it gives the rest back.
import { describe, expect, test } from 'bun:test';
import { makeReservations } from '../../src/billing/core/reservations.ts';
import { makeAllowances } from '../../src/billing/shared/allowances.ts';
import { findBalance } from '../../src/billing/store/ledger.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { amountOf } from '../amount-of.ts';
import { makeInsert } from './any-row.ts';
import { postgresEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const account = 'acct';
const holdOf = 100;

async function open(posted: number) {
  const store = await makeStore(postgresEngine);
  const { database } = store;
  const insert = await makeInsert(database);
  await insert('accounts', { id: account, posted });
  await insert('gateways', { id: 'gw' });
  const reservations = makeReservations();
  let [ticks, statements, ended, holds, booked] = [0, 0, 0, 0, 0];
  const counting: typeof database = {
    ...database,
    transaction: (work) => {
      statements += 1;
      return database.transaction(work).finally(() => (ended += 1));
    },
  };
  const allowances = makeAllowances({
    ...{ database: counting, log: makeLog('silent'), reservations, gatewayId: 'gw' },
    clock: { ...systemClock, ticks: () => ticks },
    countGateways: () => 1,
    bookAll: async () => void (booked += 1),
  });
  return {
    ...store,
    insert,
    allowances,
    reservations,
    wait: (ms: number) => void (ticks += ms),
    statements: () => statements,
    booked: () => booked,
    /** A hold in memory, if there is money for it, as the ledger notes it. */
    hold: () => {
      holds += 1;
      const hold = { id: `req_${holds}`, account_id: account, key_id: null };
      const expires = { expires_at: Number.MAX_SAFE_INTEGER };
      const held = reservations.hold({ ...hold, ...expires, amount: amountOf(holdOf) }, 0);
      allowances.noteHold(account, holdOf);
      return held !== undefined;
    },
    settle: (cost: number) => {
      allowances.noteSpent(account, cost);
      reservations.remove(`req_${holds}`);
    },
    free: () => reservations.inspect().get(account)?.free,
    granted: () =>
      waitFor(() => allowances.inspect().get(account)?.granted ?? 0, { what: 'a grant' }),
    /** Resolves when every question has its answer. */
    idle: async () => {
      await waitFor(() => ended === statements, { what: 'the answers of the store' });
      await Bun.sleep(1);
    },
  };
}

describe('on PostgreSQL', () => {
  test('a frequent caller gets 32 times its hold, and later two seconds of what it spends', async () => {
    await using store = await open(1_000_000);
    expect(store.hold()).toBe(false);
    store.wait(10);
    expect(store.hold()).toBe(false);
    expect(await store.granted()).toBe(32 * holdOf);
    expect(store.free()).toBe(32 * holdOf);
    expect(store.hold()).toBe(true);
    store.settle(60);
    expect(store.free()).toBe(32 * holdOf - 60);
    // 3,000 in half a second is 6,000 in a second; half of the wanted 12,000 is more than is free.
    store.wait(990);
    store.hold();
    store.settle(2940);
    store.wait(1);
    store.hold();
    const wanted = 2 * (Math.floor((3000 * 1000) / 1000) + holdOf);
    const granted = await waitFor(() => store.allowances.inspect().get(account)?.granted ?? 0, {
      what: 'a second grant',
      until: (sum) => sum > 32 * holdOf,
    });
    expect(granted - 3000 - holdOf).toBeGreaterThan(wanted * 0.9);
    expect(granted - 3000 - holdOf).toBeLessThan(wanted * 1.1);
  });

  test('everything is returned at the end, also a grant that is being made', async () => {
    await using store = await open(1_000_000);
    store.hold();
    store.hold();
    expect(store.statements()).toBe(1);
    await store.allowances.closeAll();
    expect(await store.database.run('select 1 from allowances')).toEqual([]);
  });

  test('a refusal is followed by a pause', async () => {
    await using store = await open(4 * 32 * holdOf - 1);
    store.hold();
    store.hold();
    expect(store.statements()).toBe(1);
    await store.idle();
    for (const [ms, asked] of [
      [999, 1],
      [1, 2],
    ] as const) {
      store.wait(ms);
      store.hold();
      expect(store.statements()).toBe(asked);
    }
    expect(store.free()).toBe(0);
  });

  test('what is uncertain is not offered, and is given back once nothing is held', async () => {
    await using store = await open(1_000_000);
    store.hold();
    store.hold();
    await store.granted();
    expect(store.hold()).toBe(true);
    // Does not wait, because no other gateway has anything to return.
    await store.allowances.recallAll(account);
    expect(store.free()).toBe(holdOf);
    store.allowances.noteUncertain(account);
    expect(store.free()).toBeUndefined();
    await store.allowances.recallAll(account);
    const asked = store.statements();
    store.allowances.noteHold(account, holdOf);
    expect(store.statements()).toBe(asked);
    const rows = () => store.database.run('select granted from allowances');
    await store.allowances.returnUnused();
    expect(await rows()).toHaveLength(1);
    expect(store.booked()).toBe(0);
    store.settle(0);
    await store.allowances.returnUnused();
    expect(await rows()).toEqual([]);
    expect(store.booked()).toBe(1);
    expect(await store.allowances.recallAll(account)).toBe(false);
    expect(await findBalance(store.database, account)).toMatchObject({ held: 0 });
  });

  test('a row that this gateway does not know is given back, unless something is held', async () => {
    await using store = await open(1_000_000);
    const { insert, reservations, database, allowances } = store;
    await insert('accounts', { id: 'other', posted: 1000, held: 500 });
    await insert('allowances', { account_id: 'other', gateway_id: 'gw', granted: 500, version: 7 });
    store.hold();
    reservations.setAvailable('other', 500);
    const one = { id: 'one', account_id: 'other', key_id: null, expires_at: 1 };
    reservations.hold({ ...one, amount: amountOf(5) }, 0);
    const rows = () => database.run(`select 1 from allowances where account_id = 'other'`);
    await allowances.returnUnused();
    expect(await rows()).toHaveLength(1);
    expect(reservations.inspect().get('other')?.free).toBe(500);
    reservations.remove('one');
    await allowances.returnUnused();
    expect(await rows()).toEqual([]);
    expect(await findBalance(database, 'other')).toMatchObject({ held: 0 });
  });
});
