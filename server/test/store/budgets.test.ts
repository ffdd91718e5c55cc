// Budgets of tag values on both engines: never exceeded by concurrent requests, on one gateway or
// on two, and no money is lost.
import { describe, expect, test } from 'bun:test';
import { Budget, BudgetList, ErrorEnvelope } from '@trivium/contract';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { found } from '../exa-upstream.ts';
import { openGateway, type TestGateway } from '../gateway.ts';
import { engines, postgresEngine } from './engines.ts';
import {
  balance,
  openGatewayOnSandbox,
  openGatewayOnStore,
  sharedGatewayOnStore,
} from './gateway-on-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

const acct = 'acct_default';

const set = (gateway: TestGateway, body: object, account = acct) =>
  gateway.admin('POST', `/accounts/${account}/budgets`, body);
const tagged = (tags: string, more = {}) => ({ 'x-trivium-tags': tags, ...more });
const statusesOf = (answers: readonly Response[]) => Map.groupBy(answers, ({ status }) => status);

async function budgetsOf(gateway: TestGateway, account = acct) {
  const response = await gateway.admin('GET', `/accounts/${account}/budgets`);
  return BudgetList.parse(await response.json()).budgets;
}

describe.each(engines)('on $name', (engine) => {
  const open = sharedGatewayOnStore(engine);

  test('concurrent requests never exceed a budget, and only its own requests count', async () => {
    await using fixture = await open('5');
    const { account, gateway, exa, store } = fixture;
    // Spent before there is a budget, and held in memory: it counts too.
    await gateway.search(tagged('team=search'));
    await set(gateway, { tag: 'team', value: 'search', daily_cap_usd: 0.05 }, account);
    await set(gateway, { tag: 'team', value: 'none' }, account);
    const audited = `select target from audit_log where action = 'budget.changed' and account_id = $1`;
    expect(await store.database.run(audited, [account])).toEqual([{ target: 'team=search' }]);
    const before = exa.calls();
    const asked = Array.from({ length: 30 }, (_, at) =>
      gateway.search(
        tagged('run=1,team=search', at % 3 === 0 ? { 'idempotency-key': `k${at}` } : {}),
      ),
    );
    const others = [
      gateway.search(),
      gateway.search(tagged('team=search2')),
      gateway.search(tagged('steam=search')),
      gateway.search(tagged('run=search')),
    ];
    const answers = await Promise.all(asked);
    const byStatus = statusesOf(answers);
    expect([byStatus.get(200)?.length, byStatus.get(402)?.length]).toEqual([6, 24]);
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(exa.calls()).toBe(before + 6 + 4);
    const { error } = ErrorEnvelope.parse(await byStatus.get(402)?.[0]?.json());
    expect(error.type).toBe('insufficient_credits');
    expect(error.message).toContain('daily budget of the tag team=search');
    expect(error.detail).toMatchObject({ budget: 'team=search', cap: 'daily', needed_usd: 0.007 });
    expect(await budgetsOf(gateway, account)).toMatchObject([
      { tag: 'team', value: 'search', today_usd: 0.049, this_month_usd: 0.049 },
    ]);
    expect(await balance(gateway)).toMatchObject({ balance_usd: 5 - 11 * 0.007, held_usd: 0 });
    expect((await auditLedger(store.database)).violations).toEqual([]);
  });

  test('failed and refunded requests no longer count, and the error names the tightest limit', async () => {
    await using fixture = await open('1');
    const { account, gateway, exa, store } = fixture;
    await set(
      gateway,
      { tag: 'run', value: '1', daily_cap_usd: 1, monthly_cap_usd: 0.014 },
      account,
    );
    const running = Promise.withResolvers<void>();
    exa.answer(async () => {
      await running.promise;
      return Response.json({ error: 'down' }, { status: 422 });
    });
    const failing = [gateway.search(tagged('run=1')), gateway.search(tagged('run=1'))];
    await waitFor(async () => exa.calls() === 2, { what: 'the provider is called twice' });
    expect((await gateway.search(tagged('run=1'))).status).toBe(402);
    running.resolve();
    expect((await Promise.all(failing)).map(({ status }) => status)).toEqual([502, 502]);
    await waitFor(async () => (await budgetsOf(gateway, account))[0]?.this_month_usd === 0, {
      what: 'nothing of the budget is spent',
    });
    exa.answer(() => found());
    const paid = [await gateway.search(tagged('run=1')), await gateway.search(tagged('run=1'))];
    expect(paid.map(({ status }) => status)).toEqual([200, 200]);
    const refused = await gateway.search(tagged('run=1'));
    const { error } = ErrorEnvelope.parse(await refused.json());
    expect(error.detail).toEqual({
      budget: 'run=1',
      cap: 'monthly',
      left_usd: 0,
      needed_usd: 0.007,
    });
    const request = paid[0]?.headers.get('x-request-id');
    const body = { amount_usd: 0.007, reason: 'no use', request_id: request };
    await gateway.admin('POST', `/accounts/${account}/refunds`, body);
    expect((await gateway.search(tagged('run=1'))).status).toBe(200);
    expect((await gateway.search(tagged('run=1'))).status).toBe(402);
    expect((await auditLedger(store.database)).violations).toEqual([]);
  });

  test('a budget can be raised and removed, and belongs to one account', async () => {
    await using fixture = await open('1');
    const { account, gateway } = fixture;
    const budget = { tag: 'team', value: 'a', daily_cap_usd: 0 };
    const made = Budget.parse(await (await set(gateway, budget, account)).json());
    expect(made).toMatchObject({ ...budget, monthly_cap_usd: null, today_usd: 0 });
    expect((await gateway.search(tagged('team=a'))).status).toBe(402);
    const { key } = await gateway.newAccount();
    const asOther = tagged('team=a', { authorization: `Bearer ${key}` });
    expect((await gateway.search(asOther)).status).toBe(200);
    await set(gateway, { ...budget, daily_cap_usd: 0.007 }, account);
    expect((await gateway.search(tagged('team=a'))).status).toBe(200);
    expect((await gateway.search(tagged('team=a'))).status).toBe(402);
    await set(gateway, { tag: 'team', value: 'a' }, account);
    expect(await budgetsOf(gateway, account)).toEqual([]);
    expect((await gateway.search(tagged('team=a'))).status).toBe(200);
    expect((await set(gateway, { ...budget, tag: 'a b' }, account)).status).toBe(400);
    expect((await set(gateway, budget, 'acct_none')).status).toBe(404);
    expect(await budgetsOf(gateway, account)).toEqual([]);
  });
});

test('two gateways on PostgreSQL share a budget and never exceed it', async () => {
  await using fixture = await openGatewayOnStore(postgresEngine, '5');
  const { gateway: first, store, exa } = fixture;
  await set(first, { tag: 'team', value: 'search', monthly_cap_usd: 0.1 });
  await using second = await openGateway(exa.url, store.settings);
  // Traffic without the tag keeps allowances of both gateways busy.
  const asked = Array.from({ length: 40 }, (_, at) => {
    const gateway = at % 2 === 0 ? first : second;
    return at % 4 < 2 ? gateway.search(tagged('team=search,x=y')) : gateway.search();
  });
  const more = Array.from({ length: 20 }, (_, at) =>
    (at % 2 === 0 ? first : second).search(tagged(`run=${at},team=search`)),
  );
  const answers = await Promise.all([...asked, ...more]);
  const byStatus = statusesOf(answers);
  expect([byStatus.get(200)?.length, byStatus.get(402)?.length]).toEqual([20 + 14, 26]);
  expect(await budgetsOf(second)).toMatchObject([{ this_month_usd: 0.098 }]);
  // A budget that is set on one gateway is soon known to the other.
  await set(first, { tag: 'late', value: 'x', daily_cap_usd: 0 });
  await waitFor(async () => (await second.search(tagged('late=x'))).status === 402, {
    what: 'the other gateway knows the budget',
  });
  await first.ask('GET', '/v1/balance');
  expect((await auditLedger(store.database)).violations).toEqual([]);
});

describe.each(engines)('every tool on $name', (engine) => {
  test('fusion, pages and recordings count towards the budget of their tags', async () => {
    await using on = await openGatewayOnSandbox(engine, { TRIVIUM_FAILOVER: 'on' });
    const { gateway, store } = on;
    const post = (path: string, body: object) =>
      gateway.ask('POST', path, { body, headers: tagged('team=all') });
    await set(gateway, { tag: 'team', value: 'all', daily_cap_usd: 3 });
    const fused = await post('/v1/search', { query: 'solar', provider: 'fusion' });
    const pages = await post('/v1/extract', { urls: ['https://grid.example/storage'] });
    const interview = 'https://recordings.example/interview.wav';
    const spoken = await post('/v1/transcriptions', { audio_url: interview });
    expect([fused.status, pages.status, spoken.status]).toEqual([200, 200, 202]);
    const { id } = (await spoken.json()) as { id: string };
    const readJob = async () =>
      (await (await gateway.ask('GET', `/v1/jobs/${id}`)).json()) as { status?: string };
    await waitFor(readJob, {
      what: 'the job completes',
      until: ({ status }) => status === 'completed',
    });
    const { balance_usd } = await balance(gateway);
    const [budget] = await budgetsOf(gateway);
    expect(budget?.today_usd).toBeCloseTo(5 - balance_usd, 9);
    await set(gateway, { tag: 'team', value: 'all', daily_cap_usd: budget?.today_usd ?? 0 });
    const refused = [
      await post('/v1/search', { query: 'solar', provider: 'fusion' }),
      await post('/v1/extract', { urls: ['https://grid.example/storage'], provider: 'auto' }),
      await post('/v1/transcriptions', { audio_url: interview }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([402, 402, 402]);
    expect((await balance(gateway)).balance_usd).toBe(balance_usd);
    expect((await auditLedger(store.database)).violations).toEqual([]);
  });
});
