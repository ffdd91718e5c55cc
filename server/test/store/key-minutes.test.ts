// The limit of a key on both engines: gateways on one store count together, by the minute.
import { describe, expect, test } from 'bun:test';
import { system_clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeLedger } from '../../src/services/ledger.ts';
import { insertAccount } from '../../src/store/accounts.ts';
import { deleteOldMinutes } from '../../src/store/key-minutes.ts';
import { lockAccounts } from '../../src/store/ledger.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated.ts';
import { amountOf } from '../amount-of.ts';

const account_id = 'acct_1';
const noon = Date.UTC(2027, 0, 1, 12);
const noon_minute = noon / 60_000;

describe.each(engines)('on $name', (engine) => {
  test('two gateways let through together what one key may ask in a minute', async () => {
    await using store = await makeStore(engine);
    const other = await store.another();
    try {
      const gateways = [ledgerAt(store.database, noon, 5), ledgerAt(other, noon, 5)];
      await give(store.database, 1000);
      const outcomes = await Promise.all(
        gateways.flatMap((ledger, which) =>
          Array.from({ length: 10 }, (_, at) => ledger.hold(request(`r${which}-${at}`))),
        ),
      );
      const refused = outcomes.filter(({ kind }) => kind !== 'held');
      expect(outcomes.length - refused.length).toBe(5);
      expect(refused[0]).toEqual({ kind: 'too_often', per_minute: 5, retry_after_s: 60 });
      expect(await counts(store.database)).toEqual([[noon_minute, 'key_1', 5]]);
      const account = (await lockAccounts(store.database, [account_id])).get(account_id);
      expect(account).toEqual({ posted: 1000, held: 5 });
    } finally {
      await other.close();
    }
  });

  test('the next minute starts anew, and old minutes can be swept away', async () => {
    await using store = await makeStore(engine);
    await give(store.database, 1000);
    const first = ledgerAt(store.database, noon + 59_999, 1);
    expect(await first.hold(request('r1'))).toMatchObject({ kind: 'held' });
    expect(await first.hold(request('r2'))).toMatchObject({ kind: 'too_often', retry_after_s: 1 });
    const next = ledgerAt(store.database, noon + 60_000, 1);
    expect(await next.hold(request('r2'))).toMatchObject({ kind: 'held' });
    expect(await next.hold({ ...request('r3'), key_id: 'key_2' })).toMatchObject({ kind: 'held' });
    await deleteOldMinutes(store.database, noon_minute + 1);
    expect(await counts(store.database)).toEqual([
      [noon_minute + 1, 'key_1', 1],
      [noon_minute + 1, 'key_2', 1],
    ]);
  });

  test('without a limit nothing is written', async () => {
    await using store = await makeStore(engine);
    await give(store.database, 1000);
    const ledger = ledgerAt(store.database, noon);
    expect(await ledger.hold(request('r1'))).toMatchObject({ kind: 'held' });
    expect(await counts(store.database)).toEqual([]);
  });
});

function ledgerAt(database: Database, at: number, key_requests_per_minute?: number) {
  const clock = { ...system_clock, now: () => new Date(at) };
  const settings = key_requests_per_minute === undefined ? {} : { key_requests_per_minute };
  return makeLedger({ database, clock, log: makeLog('silent'), settings });
}

async function give(database: Database, amount: number): Promise<void> {
  await insertAccount(database, { id: account_id, name: 'One' }, 0);
  await ledgerAt(database, noon).topup({ id: 'top_0', account_id, amount, reason: 'opening' });
}

function request(id: string) {
  return { id, account_id, key_id: 'key_1', amount: amountOf(1), expires_at: null };
}

async function counts(database: Database): Promise<unknown[]> {
  const rows = await database.run(
    'select minute, key_id, requests from key_minutes order by minute, key_id',
  );
  return rows.map(({ minute, key_id, requests }) => [Number(minute), key_id, Number(requests)]);
}
