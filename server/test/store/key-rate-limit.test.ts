// The rate limit of a key on both engines: gateways on one store share the count of a minute.
import { describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/store/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { expiredMinutes } from '../../src/requests/store/rate-limits.ts';
import { lockAccounts } from '../../src/billing/store/ledger.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { amountOf } from '../amount-of.ts';

const accountId = 'acct_1';
const noon = Date.UTC(2027, 0, 1, 12);
const noonMinute = noon / 60_000;

describe.each(engines)('on $name', (engine) => {
  test('two gateways together accept as many requests as the limit of the key', async () => {
    await using store = await makeStore(engine);
    const other = await store.another();
    try {
      const gateways = [ledgerAt(store.database, noon, 5), ledgerAt(other, noon, 5)];
      await give(store.database, 1000);
      const outcomes = await Promise.all(
        gateways.flatMap((ledger, which) =>
          Array.from({ length: 10 }, async (_, at) => ledger.hold(request(`r${which}-${at}`))),
        ),
      );
      const refused = outcomes.filter(({ kind }) => kind !== 'held');
      expect(outcomes.length - refused.length).toBe(5);
      expect(refused[0]).toEqual({
        kind: 'rate_limited',
        whose: 'key',
        limit: { per_minute: 5 },
        retry_after_s: 60,
      });
      expect(await counts(store.database)).toEqual([[noonMinute, 'key_1', 5]]);
      const account = (await lockAccounts(store.database, [accountId])).get(accountId);
      expect(account).toMatchObject({ posted: 1000, held: 5 });
    } finally {
      await other.close();
    }
  });

  test('the next minute starts at 0, and old minutes can be deleted', async () => {
    await using store = await makeStore(engine);
    await give(store.database, 1000);
    const first = ledgerAt(store.database, noon + 59_999, 1);
    expect(await first.hold(request('r1'))).toMatchObject({ kind: 'held' });
    expect(await first.hold(request('r2'))).toMatchObject({
      kind: 'rate_limited',
      retry_after_s: 1,
    });
    const next = ledgerAt(store.database, noon + 60_000, 1);
    expect(await next.hold(request('r2'))).toMatchObject({ kind: 'held' });
    expect(await next.hold({ ...request('r3'), key_id: 'key_2' })).toMatchObject({ kind: 'held' });
    await expiredMinutes.step(store.database, { now: noon + 11 * 60_000, keptMs: 0 }, 100);
    expect(await counts(store.database)).toEqual([
      [noonMinute + 1, 'key_1', 1],
      [noonMinute + 1, 'key_2', 1],
    ]);
  });

  test('the policies of an account and of a key are counted over all gateways', async () => {
    await using store = await makeStore(engine);
    const other = await store.another();
    try {
      const [here, there] = [ledgerAt(store.database, noon), ledgerAt(other, noon)];
      await give(store.database, 1000);
      const limits = { account: { per_minute: 7 }, key: { per_minute: 5 } };
      const ask = async (keyId: string, count: number) =>
        Promise.all(
          Array.from({ length: count }, async (_, at) =>
            (at % 2 === 0 ? here : there).hold({
              ...request(`${keyId}-${at}`),
              key_id: keyId,
              limits,
            }),
          ),
        );
      const first = await ask('key_1', 10);
      expect(first.filter((outcome) => outcome.kind === 'held')).toHaveLength(5);
      const second = await ask('key_2', 10);
      expect(second.filter((outcome) => outcome.kind === 'held')).toHaveLength(2);
      expect(second.find((outcome) => outcome.kind === 'rate_limited')).toMatchObject({
        whose: 'account',
        limit: { per_minute: 7 },
      });
      expect(await counts(store.database)).toEqual([
        [noonMinute, '', 7],
        [noonMinute, 'key_1', 5],
        [noonMinute, 'key_2', 2],
      ]);
    } finally {
      await other.close();
    }
  });

  test('concurrent requests are counted over all gateways, until they end', async () => {
    await using store = await makeStore(engine);
    const other = await store.another();
    try {
      const [here, there] = [ledgerAt(store.database, noon), ledgerAt(other, noon)];
      await give(store.database, 1000);
      const limits = { account: { at_once: 4 }, key: { at_once: 3 } };
      const begin = async (ledger: typeof here, id: string, keyId = 'key_1') =>
        ledger.hold({ ...request(id), key_id: keyId, limits, expires_at: noon + 60_000 });
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, at) => begin(at % 2 === 0 ? here : there, `r${at}`)),
      );
      const running = outcomes.flatMap(({ kind }, at) => (kind === 'held' ? [`r${at}`] : []));
      expect(running).toHaveLength(3);
      expect(outcomes.find(({ kind }) => kind !== 'held')).toEqual({
        kind: 'rate_limited',
        whose: 'key',
        limit: { at_once: 3 },
        retry_after_s: 1,
      });
      // Another key may have one more request of the account in progress.
      expect(await begin(there, 'o1', 'key_2')).toMatchObject({ kind: 'held' });
      expect(await begin(there, 'o2', 'key_2')).toMatchObject({
        whose: 'account',
        limit: { at_once: 4 },
      });
      const [first = '', second = ''] = running;
      await there.settle({ id: first, account_id: accountId, cost: amountOf(1) });
      await here.release({ id: second, account_id: accountId });
      expect(await begin(here, 'n1')).toMatchObject({ kind: 'held' });
      expect(await begin(there, 'n2')).toMatchObject({ kind: 'held' });
      expect(await begin(here, 'n3')).toMatchObject({ kind: 'rate_limited' });
      // What has expired has ended.
      const later = ledgerAt(store.database, noon + 60_000);
      expect(await begin(later, 'l1')).toMatchObject({ kind: 'held' });
      // A job counts in its minute, and not as one in progress.
      const job = { ...request('job:1'), key_id: 'key_3', limits };
      expect(await later.hold(job)).toMatchObject({ kind: 'held' });
      expect(await later.hold({ ...job, id: 'job:2' })).toMatchObject({ kind: 'held' });
    } finally {
      await other.close();
    }
  });

  test('the requests of a gateway that died are no longer in progress', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await give(database, 1000);
    const limits = { key: { at_once: 1 } };
    const begin = (ledger: ReturnType<typeof ledgerAt>, id: string) =>
      ledger.hold({ ...request(id), limits, expires_at: noon + 600_000 });
    const dead = ledgerAt(database, noon);
    await dead.open();
    expect(await begin(dead, 'r1')).toMatchObject({ kind: 'held' });
    const alive = ledgerAt(database, noon);
    expect(await begin(alive, 'r2')).toMatchObject({ kind: 'rate_limited' });
    // Another gateway removes it when its heartbeat stops; SQLite belongs to one process.
    await database.run('delete from gateways');
    const kind = database.engine === 'postgres' ? 'held' : 'rate_limited';
    expect(await begin(alive, 'r2')).toMatchObject({ kind });
    await dead.close();
  });
});

function ledgerAt(database: Database, at: number, keyRequestsPerMinute?: number) {
  const clock = { ...systemClock, now: () => new Date(at) };
  const settings =
    keyRequestsPerMinute === undefined ? {} : { key_requests_per_minute: keyRequestsPerMinute };
  return makeLedger({ database, clock, log: makeLog('silent'), settings });
}

async function give(database: Database, amount: number): Promise<void> {
  await insertAccount(database, { id: accountId, name: 'One' }, 0);
  await ledgerAt(database, noon).topup({
    id: 'top_0',
    account_id: accountId,
    amount,
    reason: 'opening',
  });
}

function request(id: string) {
  return { id, account_id: accountId, key_id: 'key_1', amount: amountOf(1), expires_at: null };
}

async function counts(database: Database): Promise<unknown[]> {
  const rows = await database.run(
    'select minute, key_id, requests from key_minutes order by minute, key_id',
  );
  return rows.map(({ minute, key_id, requests }) => [Number(minute), key_id, Number(requests)]);
}
