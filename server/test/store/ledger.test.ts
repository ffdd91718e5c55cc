// The ledger on both engines: money moves once, and only what is available.
import { describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/store/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type JobChange, jobRows } from '../../src/transcription/job-changes.ts';
import { type Ledger, makeLedger } from '../../src/billing/ledger.ts';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { insertKey } from '../../src/accounts/store/keys.ts';
import { lockAccounts } from '../../src/billing/store/ledger.ts';
import { engines } from './engines.ts';
import { requestRow } from './request-row.ts';
import { makeStore } from './migrated-store.ts';
import { amountOf } from '../amount-of.ts';
import type { RequestRow } from '../../src/requests/core/request-row.ts';

const accountId = 'acct_1';
const keyId = 'key_1';
/** A job that was not submitted yet. */
const begins = (id: string): JobChange => ({
  kind: 'begins',
  job: {
    id,
    account_id: accountId,
    key_id: keyId,
    request_id: `req_${id}`,
    provider: 'stt_a',
    model: 'universal-2',
    request: {
      audio_url: 'https://x.example/a.wav',
      ask: { model: 'universal-2', timestamps: 'word' },
      options: {},
    },
    created_at: 0,
    deadline_at: 1000,
  },
});
const later = Number.MAX_SAFE_INTEGER;

describe.each(engines)('on $name', (engine) => {
  test('a hold reserves money, and its settlement takes the real price and releases the rest', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 1000);
    expect(await ledger.hold(request('r1', 400))).toEqual({
      kind: 'held',
      amount: 400,
      again: false,
    });
    expect(await balance(store.database)).toEqual({ posted: 1000, held: 400 });
    const settled = await ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(150) });
    expect(settled).toMatchObject({ kind: 'settled', cost: 150, again: false });
    expect(await balance(store.database)).toEqual({ posted: 850, held: 0 });
  });

  test('a repeated id has the same outcome and moves nothing', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 1000);
    for (const again of [false, true]) {
      expect(await ledger.hold(request('r1', 400))).toEqual({ kind: 'held', amount: 400, again });
    }
    for (const again of [false, true]) {
      const settled = await ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(100) });
      expect(settled).toEqual({ kind: 'settled', cost: 100, again });
    }
    const topup = { id: 'top_1', account_id: accountId, amount: 50, reason: 'gift' };
    for (const again of [false, true]) {
      expect(await ledger.topup(topup)).toMatchObject({ kind: 'moved', again });
    }
    expect(await ledger.topup({ ...topup, amount: 51 })).toEqual({ kind: 'id_taken' });
    expect(await ledger.release({ id: 'r1', account_id: accountId })).toEqual({ kind: 'closed' });
    expect(await balance(store.database)).toEqual({ posted: 950, held: 0 });
  });

  test('a cost above the hold is settled at the hold, unless the entry may exceed it', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 1000);
    await ledger.hold(request('r1', 400));
    const clamped = await ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(500) });
    expect(clamped).toMatchObject({ cost: 400 });
    await ledger.hold(request('job:1', 600));
    const audio = await ledger.settle({
      id: 'job:1',
      account_id: accountId,
      cost: amountOf(900),
      may_exceed: true,
    });
    expect(audio).toMatchObject({ cost: 900 });
    expect(await balance(store.database)).toEqual({ posted: -300, held: 0 });
    expect(await ledger.hold(request('r2', 0))).toMatchObject({ kind: 'declined' });
  });

  test('of 200 concurrent holds on a balance for 50, exactly 50 succeed', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 50 * 7);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => ledger.hold(request(`r${at}`, 7))),
    );
    expect(outcomes.filter(({ kind }) => kind === 'held')).toHaveLength(50);
    expect(await balance(store.database)).toEqual({ posted: 350, held: 350 });
  });

  test('a job is created once, with its hold, and never without it', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 1000);
    const linked = begins('job_1');
    await ledger.hold(request('job:1', 400), { linked });
    expect(await ledger.hold(request('job:1', 400), { linked })).toMatchObject({ again: true });
    const declined = await ledger.hold(request('job:2', 4000), { linked: begins('job_2') });
    expect(declined).toMatchObject({ kind: 'declined' });
    expect(await store.database.run('select id from jobs')).toEqual([{ id: 'job_1' }]);
  });

  test('the row of the request log is written only if its entry takes effect', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 1000);
    await ledger.hold(request('job:1', 4000), { request: logged('req_1') });
    await ledger.hold(request('job:2', 400), { request: logged('req_2') });
    await ledger.settle(
      { id: 'job:3', account_id: accountId, cost: amountOf(1) },
      { request: logged('req_3') },
    );
    ledger.record(logged('req_4'));
    await ledger.idle();
    const rows = await store.database.run('select id from requests order by id');
    expect(rows.map(({ id }) => id)).toEqual(['req_2', 'req_4']);
  });

  test('a job that cannot end does not change its hold', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 1000);
    await ledger.hold(request('job:1', 400), { linked: begins('job_1') });
    const rateLimit = { poll_after_s: [1], lookup_after_s: [1] };
    const moment = { now: 1, random: 0, rateLimit, provider: 'stt_b' };
    const event = { kind: 'done', attempt: 1 } as const;
    const ends = { kind: 'ends', job_id: 'job_1', event, moment, effect: 'settle' } as const;
    const refused = await ledger.settle(
      { id: 'job:1', account_id: accountId, cost: amountOf(10) },
      { linked: ends },
    );
    expect(refused).toEqual({ kind: 'skipped' });
    expect(await balance(store.database)).toEqual({ posted: 1000, held: 400 });
  });

  test('one faulty entry of a batch does not affect the others', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 1000);
    await ledger.hold(request('r0', 100), { linked: begins('job_0') });
    const [good, bad, unknown] = await Promise.allSettled([
      ledger.hold(request('r1', 100)),
      ledger.hold(request('r2', 100), { linked: begins('job_0') }),
      ledger.hold({ ...request('r3', 100), account_id: 'acct_unknown' }),
    ]);
    expect(good).toMatchObject({ status: 'fulfilled', value: { kind: 'held' } });
    expect(bad).toMatchObject({ status: 'rejected' });
    expect(unknown).toMatchObject({ status: 'fulfilled', value: { kind: 'no_account' } });
    expect(await balance(store.database)).toEqual({ posted: 1000, held: 200 });
  });

  test('a refund returns a settled cost, and never more', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 1000);
    await ledger.hold(request('r1', 400));
    await ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(300) });
    const refund = { account_id: accountId, hold_id: 'r1', reason: 'bad answer' };
    expect(await ledger.refund({ ...refund, id: 'ref_1', amount: 200 })).toMatchObject({
      kind: 'moved',
    });
    expect(await ledger.refund({ ...refund, id: 'ref_2', amount: 101 })).toMatchObject({
      kind: 'declined',
      available: 100,
    });
    expect(await balance(store.database)).toEqual({ posted: 900, held: 0 });
  });

  test('a key stops at its caps, and a settlement below its hold releases the rest', async () => {
    await using store = await makeStore(engine);
    const ledger = await openLedger(store.database, 10_000);
    await store.database.run('update keys set daily_cap = 100, monthly_cap = 150');
    await ledger.hold(request('r1', 90));
    expect(await ledger.hold(request('r2', 20))).toEqual({
      kind: 'declined',
      because: 'daily_cap',
      available: 10,
    });
    await ledger.settle({ id: 'r1', account_id: accountId, cost: amountOf(30) });
    expect(await ledger.hold(request('r3', 70))).toMatchObject({ kind: 'held' });
    await store.database.run('update keys set daily_cap = null');
    expect(await ledger.hold(request('r4', 51))).toEqual({
      kind: 'declined',
      because: 'monthly_cap',
      available: 50,
    });
    expect(await ledger.hold({ ...request('r5', 51), key_id: null })).toMatchObject({
      kind: 'held',
    });
  });
});

async function openLedger(database: Database, posted: number): Promise<Ledger> {
  await insertAccount(database, { id: accountId, name: 'One' }, 0);
  const key = { id: keyId, account_id: accountId, name: 'k', hash: 'h', display: 'sk_live_x' };
  await insertKey(database, key, 0);
  const ledger = makeLedger({
    database,
    clock: systemClock,
    log: makeLog('silent'),
    linkedRows: jobRows,
  });
  await ledger.topup({ id: 'top_0', account_id: accountId, amount: posted, reason: 'opening' });
  return ledger;
}

function request(id: string, amount: number) {
  return { id, account_id: accountId, key_id: keyId, amount: amountOf(amount), expires_at: later };
}

function logged(id: string): RequestRow {
  const job = { tool: 'transcription', provider: 'stt_a', status: 202 };
  return { ...requestRow(accountId), ...job, id, key_id: keyId };
}

async function balance(database: Database) {
  const found = (await lockAccounts(database, [accountId])).get(accountId);
  return found && { posted: found.posted, held: found.held };
}
