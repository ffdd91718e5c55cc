// Events on both engines: each is written in the transaction that causes it, and once.
import { describe, expect, test } from 'bun:test';
import { type ProviderId, WebhookEvent } from '@trivium/contract';
import { changeAccount } from '../../src/accounts/accounts.ts';
import { changeKey, createKey, revokeApiKey } from '../../src/accounts/keys/keys.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import { makeLedger } from '../../src/billing/ledger.ts';
import { addToTagDays, putBudgets } from '../../src/billing/store/budgets.ts';
import { announceBudgets } from '../../src/billing/budgets.ts';
import { alertOf, dateOf } from '../../src/billing/core/caps.ts';
import { makeProviderWatch } from '../../src/events/watch-providers.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database } from '../../src/store/database.ts';
import { jobRows } from '../../src/transcription/job-changes.ts';
import { amountOf } from '../amount-of.ts';
import { accountsContext } from './accounts-context.ts';
import { engines } from './engines.ts';
import { accountId, type Fixture, makeFixture } from './event-fixture.ts';
import { makeStore } from './migrated-store.ts';

const log = makeLog('silent');
const usd = 1_000_000;

/** An event has the shape that the contract documents, with nothing left over. */
function parsed(body = ''): WebhookEvent {
  const given: unknown = JSON.parse(body);
  const event = WebhookEvent.parse(given);
  expect<unknown>(event).toStrictEqual(given);
  return event;
}

/** What was written since the last call: the type and the data of each event. */
function news(fixture: Fixture) {
  const seen = new Set<string>();
  return async () => {
    const fresh = (await fixture.rows()).filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh.map(({ event, subject }) => `${event} ${subject}`);
  };
}

async function openLedger(database: Database, { clock }: Fixture) {
  const ledger = makeLedger({ database, clock, log, linkedRows: jobRows });
  await ledger.open();
  return ledger;
}

describe.each(engines)('on $name', (engine) => {
  test('a budget at 80 % and at 100 % is announced once, by any of the gateways', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const fixture = await makeFixture(database);
    const written = news(fixture);
    await fixture.subscribe(['budget.reached']);
    const context = { database, clock: fixture.clock, nudge: () => undefined };
    const budget = { account_id: accountId, tag: 'team', value: 'search' };
    const caps = { daily_cap: 10 * usd, monthly_cap: 100 * usd };
    await putBudgets(database, [{ ...budget, ...caps, created_at: 1 }]);
    const none = { ...budget, value: 'none', daily_cap: 0, monthly_cap: null, created_at: 1 };
    await putBudgets(database, [none]);
    const day = Math.floor(fixture.clock.now().getTime() / 86_400_000);
    const spend = (amount: number) =>
      addToTagDays(database, [{ ...budget, day, spent: amount * usd, held: 0 }]);
    const look = () => Promise.all([announceBudgets(context), announceBudgets(context)]);
    await spend(7.9);
    await look();
    expect(await written()).toEqual([]);
    await spend(0.1);
    await look();
    expect(await written()).toEqual(['budget.reached team=search']);
    await spend(1);
    await look();
    expect(await written()).toEqual([]);
    await spend(91);
    await look();
    expect(await written()).toEqual(['budget.reached team=search', 'budget.reached team=search']);
    await look();
    expect(await written()).toEqual([]);
  });

  test('every budget is announced, however many there are', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const fixture = await makeFixture(database);
    await fixture.subscribe(['budget.reached']);
    const day = Math.floor(fixture.clock.now().getTime() / 86_400_000);
    // More than one read returns. Most of them are announced already, which takes no transaction.
    const [many, announced] = [1100, 1050];
    const cap = { cap: 100, spent: 90, period: dateOf(day), announced: null };
    const mark = alertOf(cap)?.mark ?? '';
    const numbers = `with recursive n (i) as (select 10001 union all select i + 1 from n where i < ${10_000 + many})`;
    await database.run(
      `${numbers} insert into budgets (account_id, tag, value, daily_cap, daily_alert, created_at)
       select '${accountId}', 'run', i, 100, case when i <= ${10_000 + announced} then '${mark}' end, 0 from n`,
    );
    await database.run(
      `${numbers} insert into tag_days (account_id, tag, value, day, spent, held)
       select '${accountId}', 'run', i, ${day}, 90, 0 from n`,
    );
    await announceBudgets(fixture.context);
    const [row] = await database.run('select count(*) as count from deliveries');
    expect(Number(row?.['count'])).toBe(many - announced);
  });

  test('a balance that falls below its threshold is announced once, and again later', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const fixture = await makeFixture(database);
    const written = news(fixture);
    await fixture.subscribe(['balance.low']);
    const ledger = await openLedger(database, fixture);
    const context = { database, clock: fixture.clock, ledger };
    await changeAccount(context, bootstrap, accountId, { low_balance_usd: 5 });
    const topUp = (id: string, amount: number) =>
      ledger.topup({ id, account_id: accountId, amount: amount * usd, reason: 'test' });
    await topUp('t1', 6);
    let requests = 0;
    const spend = async (amount: number) => {
      const id = `r${(requests += 1)}`;
      const who = { id, account_id: accountId, key_id: 'key_1', uncapped: true };
      const expires = { expires_at: Number.MAX_SAFE_INTEGER };
      await ledger.hold({ ...who, amount: amountOf(amount * usd), ...expires });
      await ledger.settle({ id, account_id: accountId, cost: amountOf(amount * usd) });
      await ledger.bookAll();
    };
    await spend(1);
    expect(await written()).toEqual([]);
    await spend(0.5);
    expect(await written()).toEqual([`balance.low ${accountId}`]);
    await spend(1);
    await topUp('t2', 1);
    expect(await written()).toEqual([]);
    await topUp('t3', 1);
    await spend(1);
    expect(await written()).toEqual([`balance.low ${accountId}`]);
    const [, last] = await fixture.send(() => Promise.resolve({ status: 200 }));
    expect(last).toBeUndefined();
    const bodies = await fixture.send(() => Promise.resolve({ status: 200 }));
    expect(parsed(bodies[0]?.body)).toMatchObject({
      type: 'balance.low',
      data: { account_id: accountId, balance_usd: 4.5, low_balance_usd: 5 },
    });
    await ledger.close();
  });

  test('a cap that refuses a request is announced once, until it is raised', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const fixture = await makeFixture(database);
    const written = news(fixture);
    await fixture.subscribe(['cap.reached']);
    const ledger = await openLedger(database, fixture);
    await ledger.topup({ id: 't', account_id: accountId, amount: 10 * usd, reason: 'test' });
    const key = await createKey(accountsContext(database, fixture.clock), bootstrap, accountId, {
      name: 'capped',
      daily_cap_usd: 1,
    });
    const hold = (id: string, amount: number) =>
      ledger.hold({
        id,
        account_id: accountId,
        key_id: key.id,
        amount: amountOf(amount * usd),
        expires_at: Number.MAX_SAFE_INTEGER,
      });
    const refused = { kind: 'declined', because: 'daily_cap' };
    expect(await hold('r1', 2)).toMatchObject(refused);
    expect(await hold('r2', 2)).toMatchObject(refused);
    expect(await written()).toEqual([`cap.reached ${key.id}`]);
    await changeKey(accountsContext(database, fixture.clock), bootstrap, key.id, {
      daily_cap_usd: 3,
    });
    await hold('r3', 3);
    expect(await written()).toEqual([]);
    await ledger.settle({ id: 'r3', account_id: accountId, cost: amountOf(3 * usd) });
    await ledger.idle();
    expect(await written()).toEqual([`cap.reached ${key.id}`]);
    expect(await hold('r4', 1)).toMatchObject(refused);
    expect(await written()).toEqual([]);
    fixture.at.now += 24 * 60 * 60 * 1000;
    expect(await hold('r5', 4)).toMatchObject(refused);
    expect(await written()).toEqual([`cap.reached ${key.id}`]);
    const [sent] = await fixture.send(() => Promise.resolve({ status: 200 }));
    expect(parsed(sent?.body)).toMatchObject({
      type: 'cap.reached',
      data: { account_id: accountId, key_id: key.id, cap: 'daily', cap_usd: 1, spent_usd: 0 },
    });
    await ledger.close();
  });

  test('a key is announced when it is created and when it is revoked, in this order', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const fixture = await makeFixture(database);
    const written = news(fixture);
    await fixture.subscribe(['key.created', 'key.revoked']);
    const context = accountsContext(database, fixture.clock);
    const made = await createKey(context, bootstrap, accountId, { name: 'laptop' });
    await revokeApiKey(context, bootstrap, made.id);
    expect(await revokeApiKey(context, bootstrap, made.id).catch(String)).toContain(
      'no active key',
    );
    expect((await written()).toSorted()).toEqual([
      `key.created ${made.id}`,
      `key.revoked ${made.id}`,
    ]);
    const ok = () => Promise.resolve({ status: 200 });
    const bodies = [...(await fixture.send(ok)), ...(await fixture.send(ok))].map(
      ({ body }) => body,
    );
    expect(bodies.map((body) => parsed(body).type)).toEqual(['key.created', 'key.revoked']);
    expect(bodies.join()).not.toContain(made.key);
  });

  test('a provider is announced as unhealthy once for all gateways, and recovers with the last', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const fixture = await makeFixture(database);
    const written = news(fixture);
    await fixture.subscribe(['provider.unhealthy', 'provider.recovered'], '');
    await fixture.subscribe(['job.completed']);
    const gateway = (owner: string) => {
      const open = new Set<ProviderId>();
      const look = makeProviderWatch({ ...fixture.context, owner }, () => open);
      return { open, look };
    };
    const [one, other] = [gateway('one'), gateway('other')];
    await one.look();
    one.open.add('engine_a');
    other.open.add('engine_a');
    for (const { look } of [one, other, one]) await look();
    expect(await written()).toEqual(['provider.unhealthy engine_a']);
    one.open.clear();
    await one.look();
    expect(await written()).toEqual([]);
    // The other gateway was killed: its report is no longer renewed.
    fixture.at.now += 50_000;
    await one.look();
    expect(await written()).toEqual([]);
    fixture.at.now += 11_000;
    await one.look();
    expect(await written()).toEqual(['provider.recovered engine_a']);
    one.open.add('engine_a');
    await one.look();
    expect(await written()).toEqual(['provider.unhealthy engine_a']);
  });
});
