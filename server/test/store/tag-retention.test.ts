// Retention of tags on both engines: old rows are folded or deleted, what is kept stays exact, and
// the audit still passes.
import { describe, expect, test } from 'bun:test';
import { setBudget } from '../../src/accounts/budgets.ts';
import { prepareAccounts } from '../../src/accounts/first-start.ts';
import { deleteExpired } from '../../src/app/retention.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { readOwnUsage, readUsage } from '../../src/requests/usage.ts';
import { amountOf } from '../amount-of.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';

const accountId = 'acct_default';
const caller = { account_id: accountId, key_id: 'key_1' };
const dayMs = 86_400_000;
const today = Date.parse('2026-11-17T10:00:00Z');
const usd = 1_000_000;

describe.each(engines)('on $name', (engine) => {
  test('tags are kept as long as the request log, and no sum of that time changes', async () => {
    await using fixture = await openFixture(engine);
    const { database } = fixture.context;
    // `run` has many values, like the tag of a program that counts its runs.
    await fixture.budget('team', 'search');
    for (const age of [400, 200, 120, 91]) {
      for (let run = 0; run < 15; run += 1)
        await fixture.spend(age, `team=search,run=${age}.${run}`);
    }
    for (const age of [90, 89, 40, 1, 0]) await fixture.spend(age, `team=search,run=${age}`);
    await fixture.spend(0);
    const range = { from: '2026-08-19', to: '2026-11-17' };
    const reports = () =>
      Promise.all(
        ['tag:team', 'tag:run', 'day', 'tool'].map((by) =>
          readOwnUsage(fixture.context, caller, { by, ...range }),
        ),
      );
    const before = await reports();
    expect(before.map(({ total }) => total.requests)).toEqual([6, 6, 6, 6]);
    await deleteExpired(fixture.context);
    expect(await reports()).toEqual(before);
    // The total of all time is kept indefinitely; the tags of old days are not.
    const all = await readOwnUsage(fixture.context, caller, { by: 'tag:team' });
    expect(all.total).toMatchObject({ requests: 66, cost_usd: 66 });
    expect(all.usage.map(({ group, requests }) => [group, requests])).toEqual([
      ['', 61],
      ['search', 5],
    ]);
    const named = await readUsage(fixture.context, { account_id: accountId, by: 'tag' });
    expect(named.usage.map(({ group, requests }) => [group, requests])).toEqual([
      ['run', 5],
      ['team', 5],
    ]);
    // One row has the old days of the value with a budget; those of the other values are deleted.
    const rows = async (table: string) => Number((await database.run(countOf(table)))[0]?.['rows']);
    expect([await rows('usage_tags'), await rows('tag_days')]).toEqual([11, 11]);
    expect((await auditLedger(database)).violations).toEqual([]);
    const [budget] = await database.run(
      `select sum(spent) as spent from tag_days where tag = 'team' and value = 'search'`,
    );
    expect(Number(budget?.['spent'])).toBe(65 * usd);
  });

  test('a budget for a value whose old rows are deleted counts this month, and the audit passes', async () => {
    await using fixture = await openFixture(engine, 1);
    const { context } = fixture;
    for (const age of [60, 30, 10, 3, 0]) await fixture.spend(age, 'run=7');
    await deleteExpired(context);
    // With a log of one day, the days of this month stay.
    expect(await fixture.budget('run', '7')).toMatchObject({ today_usd: 1, this_month_usd: 3 });
    expect((await auditLedger(context.database)).violations).toEqual([]);
    await fixture.spend(0, 'run=7');
    await deleteExpired(context);
    expect((await auditLedger(context.database)).violations).toEqual([]);
    // More than the ledger has charged is still found.
    await context.database.run(`update tag_days set spent = spent + 9000000 where tag = 'run'`);
    expect((await auditLedger(context.database)).violations.join()).toContain('run=7');
  });

  test('the day of an open hold stays until the hold is settled', async () => {
    await using fixture = await openFixture(engine);
    const { context } = fixture;
    const settle = await fixture.hold(120, 'run=8');
    await deleteExpired(context);
    await fixture.budget('run', '8');
    expect((await auditLedger(context.database)).violations).toEqual([]);
    await settle();
    await deleteExpired(context);
    expect((await auditLedger(context.database)).violations).toEqual([]);
    const held = await context.database.run('select day, held from tag_days');
    expect(held.map((row) => [Number(row['day']), Number(row['held'])])).toEqual([[0, 0]]);
  });
});

function countOf(table: string): string {
  return `select count(*) as rows from ${table}`;
}

async function openFixture(engine: (typeof engines)[number], logDays = 90) {
  const store = await makeStore(engine);
  const { database } = store;
  let now = today;
  const clock = { ...systemClock, now: () => new Date(now) };
  const log = makeLog('silent');
  await prepareAccounts(database, undefined, new Date(0), 1000);
  const ledger = makeLedger({ database, clock, log });
  await ledger.open();
  const settings = {
    request_log_days: logDays,
    cache_keep_hours: 1,
    webhook_log_days: 30,
    audit_log_days: 365,
  };
  const context = { database, clock, log, ledger, settings };
  let requests = 0;
  const at = async <T>(age: number, work: () => Promise<T>): Promise<T> => {
    now = today - age * dayMs;
    try {
      return await work();
    } finally {
      now = today;
    }
  };
  /** Holds and settles in the store, as a request with a cap or a job does. */
  const hold = async (age: number, tags?: string) => {
    const id = `req_${(requests += 1)}`;
    const createdAt = today - age * dayMs;
    const tagged = tags === undefined ? {} : { tags };
    await at(age, () =>
      ledger.hold({
        ...caller,
        ...tagged,
        id,
        amount: amountOf(usd),
        expires_at: today + dayMs,
      }),
    );
    return async () => {
      const served = { paid_by: 'settle', delivered: 1 } as const;
      const request = { ...requestRow(accountId), id, created_at: createdAt, ...served, ...tagged };
      await ledger.settle({ id, account_id: accountId, cost: amountOf(usd) }, { request });
      await ledger.idle();
    };
  };
  return {
    context,
    hold,
    spend: async (age: number, tags?: string) => {
      const settle = await hold(age, tags);
      await at(age, settle);
    },
    budget: (tag: string, value: string) =>
      setBudget(context, bootstrap, accountId, {
        tag,
        value,
        daily_cap_usd: null,
        monthly_cap_usd: 1000,
      }),
    [Symbol.asyncDispose]: async () => {
      await ledger.close();
      await store.discard();
    },
  };
}
