// Every way to pay counts in every dimension, on both engines: the balance, the key, the tags and the
// budget, by day and by month; and what open jobs can cost beyond their holds.
import { describe, expect, test } from 'bun:test';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { insertKey } from '../../src/accounts/store/keys.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { announceBudgets, changeBudget, readBudgetUse } from '../../src/billing/budgets.ts';
import { type Ledger, makeLedger } from '../../src/billing/ledger.ts';
import { readKeySpending } from '../../src/billing/read-ledger.ts';
import { findBalance, findExposed } from '../../src/billing/store/ledger.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { amountOf } from '../amount-of.ts';
import { type Engine, engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';
import { makeRandom } from '../../../e2e/random.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { type JobChange, jobRows } from '../../src/transcription/job-changes.ts';
import type { NewJob } from '../../src/transcription/store/jobs.ts';

const accountId = 'acct_1';
const named = { account_id: accountId, tag: 'team', value: 'a' };
const tags = 'run=1,team=a';
const first = Date.parse('2026-11-01T00:00:00Z');

interface Late {
  cost: number;
  may_exceed?: true;
  /** The cost unless given. */
  paid?: number;
  hasEnded?: true;
}

async function open(engine: Engine) {
  const store = await makeStore(engine);
  const { database } = store;
  const at = { now: first };
  const clock = { ...systemClock, now: () => new Date(at.now) };
  const ledger = makeLedger({ database, clock, log: makeLog('silent') });
  await insertAccount(database, { id: accountId, name: 'One' }, 0);
  const key = { id: 'key_1', account_id: accountId, name: 'k', hash: 'h', display: 'd' };
  await insertKey(database, key, 0);
  await database.run('update keys set monthly_cap = 1000');
  const caps = { daily_cap: null, monthly_cap: 1000 };
  await database.transaction((tx) => changeBudget(tx, { ...named, ...caps, created_at: 0 }));
  await ledger.topup({ id: 'top', account_id: accountId, amount: 10_000, reason: 'test' });
  const hold = (id: string, amount: number, more = {}) =>
    ledger.hold({
      ...{ id, account_id: accountId, key_id: 'key_1', amount: amountOf(amount), tags },
      ...{ expires_at: Number.MAX_SAFE_INTEGER, budgeted: true, ...more },
    });
  const settle = (id: string, cost: number, more = {}) =>
    ledger.settle(
      { id, account_id: accountId, cost: amountOf(cost), ...more },
      // The audit asks that a cost above the hold is one that the vendor reported.
      {
        request: {
          ...{ ...requestRow(accountId), id, key_id: 'key_1', tags, created_at: at.now },
          reported_cost: cost,
        },
      },
    );
  return {
    ...store,
    ledger,
    at,
    hold,
    settle,
    pay: async (id: string, now: number, cost: number) => {
      at.now = now;
      await hold(id, cost);
      await settle(id, cost);
    },
    /** What the key and the budget report for this time. */
    spent: async (now: number) => {
      const ofKey = (await readKeySpending(database, ['key_1'], now)).get('key_1');
      const [budget] = await readBudgetUse(database, accountId, now);
      const { today = 0, this_month = 0 } = ofKey ?? {};
      expect({ today, this_month }).toEqual({
        today: budget?.today ?? -1,
        this_month: budget?.this_month ?? -1,
      });
      return [today, this_month];
    },
  };
}

describe.each(engines)('on $name', (engine) => {
  test('the month begins with its first moment', async () => {
    await using store = await open(engine);
    const { database, pay, spent, hold, at } = store;
    await pay('last_month', first - 1, 900);
    expect(await spent(first - 1)).toEqual([900, 900]);
    await pay('first', first, 7);
    expect(await spent(first)).toEqual([7, 7]);
    const later = Date.parse('2026-11-17T10:00:00Z');
    await pay('later', later, 793);
    expect(await spent(later)).toEqual([793, 800]);
    // What limits a hold agrees with what is reported.
    for (const [because, change] of [
      ['monthly_cap', ''],
      ['monthly_budget', 'update keys set monthly_cap = null'],
    ] as const) {
      if (change) await database.run(change);
      expect(await hold('more', 201)).toMatchObject({ because, available: 200 });
    }
    at.now = later;
    await announceBudgets({
      database,
      clock: { now: () => new Date(later) } as never,
      nudge: () => {},
    });
    const alerts = await database.run('select monthly_alert from budgets');
    expect(String(alerts[0]?.['monthly_alert'])).toContain('80');
    expect(await hold('rest', 200)).toMatchObject({ kind: 'held' });
    expect(await spent(later)).toEqual([993, 1000]);
    expect((await auditLedger(database)).violations).toEqual([]);
  });

  /** How a request is paid that began on the last day of October and ended in November. */
  const late: Record<string, Late> = {
    'within its hold': { cost: 40 },
    'above its hold': { cost: 90, may_exceed: true },
    'above its hold, at most the hold': { cost: 90, paid: 60 },
    'after its hold had ended': { cost: 40, hasEnded: true },
    'above its hold, after that had ended': { cost: 90, may_exceed: true, hasEnded: true },
    'nothing at all': { cost: 0 },
  };
  test.each(Object.entries(late))('a late settlement: %s', async (_name, how) => {
    const { cost, paid = cost, hasEnded = false, ...more } = how;
    await using store = await open(engine);
    const { database, ledger, at, hold, settle, spent } = store;
    at.now = first - 1000;
    const held = { key_id: 'key_1', amount: amountOf(60), created_at: at.now, tags };
    await hold('late', 60);
    if (hasEnded) await ledger.release({ id: 'late', account_id: accountId });
    expect(await spent(at.now)).toEqual(hasEnded ? [0, 0] : [60, 60]);
    at.now = first + 1000;
    for (const again of [false, true]) {
      const outcome = await settle('late', cost, { ...more, unheld: held });
      expect(outcome).toMatchObject({ kind: 'settled', cost: paid, again });
    }
    expect(await findBalance(database, accountId)).toEqual({ posted: 10_000 - paid, held: 0 });
    expect(await spent(first - 1000)).toEqual([paid, paid]);
    expect(await spent(first + 1000)).toEqual([0, 0]);
    const days = await database.run(`select tag, value, spent, held from tag_days order by tag`);
    expect(
      days.map(({ tag, value, spent, held }) => [tag, value, Number(spent), Number(held)]),
    ).toEqual([
      ['run', '1', paid, 0],
      ['team', 'a', paid, 0],
    ]);
    expect((await auditLedger(database)).violations).toEqual([]);
  });
});

const exposedId = 'a';
const who = { account_id: exposedId };
const overdraft = 500;

async function openExposed(engine: Engine, count: number) {
  const store = await engine.open('migrated');
  await migrate(store.database, new Date());
  await insertAccount(store.database, { id: exposedId, name: 'a' }, 0);
  const databases = [store.database];
  if (engine.name === 'PostgreSQL' && count > 1) databases.push(await store.another());
  const ledgers = databases.map((database) =>
    makeLedger({ database, clock: systemClock, log: makeLog('silent'), linkedRows: jobRows }),
  );
  for (const ledger of ledgers) await ledger.open();
  return {
    database: store.database,
    ledgers,
    [Symbol.asyncDispose]: async () => {
      for (const ledger of ledgers) await ledger.close();
      for (const other of databases.slice(1)) await other.close();
      await store.discard();
    },
  };
}

const begin = async (ledger: Ledger, id: string, hold: number, worst: number) => {
  const job: NewJob = {
    id,
    ...who,
    key_id: 'k',
    request_id: `r_${id}`,
    provider: 'stt_a',
    model: 'm',
    request: {
      audio_url: 'https://recordings.example/a.wav',
      ask: { model: 'm', timestamps: 'word' },
      options: {},
    },
    created_at: 1,
    deadline_at: 2,
    exposure: worst - hold,
  };
  const linked: JobChange = { kind: 'begins', job };
  return ledger.hold(
    {
      id: `job:${id}`,
      ...who,
      key_id: null,
      amount: amountOf(hold),
      worst_case: amountOf(worst),
      overdraft: amountOf(overdraft),
      expires_at: null,
    },
    { linked },
  );
};

async function postedIn(database: Database): Promise<number> {
  const [row] = await database.run('select posted from accounts');
  return Number(row?.['posted']);
}

describe.each(engines)('on $name', (engine) => {
  test('random jobs within their highest cost never exceed the overdraft limit', async () => {
    await using fixture = await openExposed(engine, 2);
    const { database, ledgers } = fixture;
    const { below } = makeRandom(7);
    const pick = () => ledgers[below(ledgers.length)] as Ledger;
    const openJobs = new Map<string, number>();
    let number = 0;
    let accepted = 0;
    for (let round = 0; round < 25; round += 1) {
      const topup = { id: `t${round}`, ...who, amount: below(400), reason: 'test' };
      await pick().topup(topup);
      const asked = Array.from({ length: 8 }, () => {
        number += 1;
        const hold = below(60);
        return { id: `j${number}`, hold, worst: hold + below(400) };
      });
      const outcomes = await Promise.all(
        asked.map(({ id, hold, worst }) => begin(pick(), id, hold, worst)),
      );
      for (const [at, { kind }] of outcomes.entries()) {
        const one = asked[at];
        if (kind === 'held' && one) openJobs.set(one.id, one.worst);
        if (kind === 'held') accepted += 1;
      }
      for (const [id, worst] of [...openJobs].filter(() => below(3) > 0)) {
        const ended = { id: `job:${id}`, ...who };
        if (below(4) === 0) await pick().release(ended);
        else await pick().settle({ ...ended, cost: amountOf(below(worst + 1)), may_exceed: true });
        openJobs.delete(id);
        expect(await postedIn(database)).toBeGreaterThanOrEqual(-overdraft);
      }
    }
    for (const [id, worst] of openJobs) {
      const cost = amountOf(worst);
      await pick().settle({ id: `job:${id}`, ...who, cost, may_exceed: true });
    }
    expect(accepted).toBeGreaterThan(20);
    expect(await postedIn(database)).toBeGreaterThanOrEqual(-overdraft);
    expect(await findExposed(database, [exposedId])).toEqual(new Map());
  });

  test('a hold that an older gateway closes no longer adds to the exposure', async () => {
    await using fixture = await openExposed(engine, 1);
    const [ledger] = fixture.ledgers;
    if (!ledger) throw new Error('There is a ledger.');
    await ledger.topup({ id: 't', ...who, amount: 100, reason: 'test' });
    expect((await begin(ledger, 'one', 10, 600)).kind).toBe('held');
    expect(await begin(ledger, 'two', 10, 600)).toMatchObject({
      because: 'exposure',
      exposed: 590,
    });
    expect((await auditLedger(fixture.database)).violations).toEqual([]);
    await fixture.database.transaction(async (tx) => {
      await tx.run("delete from holds where id = 'job:one'");
      await tx.run("update accounts set held = held - 10 where id = 'a'");
      await tx.run("update jobs set finished_at = 5, status = 'failed' where id = 'one'");
    });
    expect((await begin(ledger, 'two', 10, 600)).kind).toBe('held');
    expect((await auditLedger(fixture.database)).violations).toEqual([]);
  });
});
