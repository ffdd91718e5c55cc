// The store's clock decides: a gateway whose own clock is wrong does not end the holds of others.
import { expect, test } from 'bun:test';
import { sweep } from '../../src/app/retention.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { followStoreClock } from '../../src/store/store-clock.ts';
import { amountOf } from '../amount-of.ts';
import { postgresEngine, sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { accountId, openFundedAccount, openLedger, plainHold } from './funded-accounts.ts';

const fiveMinutesMs = 300_000;
const toleratedMs = 1000;
const log = makeLog('silent');
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
