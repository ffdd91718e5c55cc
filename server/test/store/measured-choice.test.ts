// From shadow calls and a fusion to the scorecard and to routing by quality: who pays, whose rules hold,
// what is kept, and what is shown to whom. quality-totals.test.ts has the statements on both engines.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ProvidersResponse, RequestLine, Scorecard } from '@trivium/contract';
import { checkShadowAccounts } from '../../src/app/optional-parts.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { totalQuality } from '../../src/quality/index.ts';
import { noteChange } from '../../src/quality/store/quality-days.ts';
import { dayOf, mondayOf } from '../../src/requests/core/index.ts';
import type { TestGateway } from '../gateway.ts';
import { sqliteEngine } from './engines.ts';
import { type GatewayOnSandbox, openGatewayOnSandbox } from './gateway-on-store.ts';
import type { TestStore } from './store-pool.ts';

const topUpUsd = 2;
const panel = ['engine_a', 'engine_c', 'engine_d', 'engine_e'] as const;
const queries = [
  ...['solar energy storage', 'wind power', 'heat pumps', 'battery recycling', 'solar panels'],
  ...['battery storage', 'energy grid', 'solar storage cost', 'wind energy', 'energy prices'],
  ...['grid storage', 'renewable energy', 'solar power', 'storage of heat'],
];

const several = queries.slice(0, 5);
const columns =
  'day, source, engine, tool, language, category, freshness, observations, quality, squares, ' +
  'calls, failures, cost, latency_ms, useful';

describe('a gateway with shadows', () => {
  let on: GatewayOnSandbox;
  let store: TestStore;
  let gateway: TestGateway;
  let [payer, caller] = [
    { id: '', key: '' },
    { id: '', key: '' },
  ];

  const settings = { TRIVIUM_AUTO_SEARCH: 'engine_a,engine_c,engine_d,engine_e' };
  const withShadows = () => ({
    ...settings,
    TRIVIUM_SHADOW_SHARE: '1',
    TRIVIUM_SHADOW_ENGINES: 'engine_a,engine_c,engine_d,engine_e',
    TRIVIUM_SHADOW_KEY: payer.key,
  });
  const newAccount = (policy: object = {}) => gateway.newAccount(policy, {}, topUpUsd);
  const balanceOf = async (id: string) => {
    const response = await gateway.admin('GET', `/accounts/${id}`);
    return ((await response.json()) as { balance_usd: number }).balance_usd;
  };
  const search = async (key: string, body: object) => {
    const response = await gateway.search({ authorization: `Bearer ${key}` }, body);
    expect(response.status).toBe(200);
    return response;
  };
  const requestsOf = (accountId: string) =>
    store.database.run(
      `select id, provider, cost, delivered, asked, parameters, detail from requests
       where account_id = $1`,
      [accountId],
    );
  /** The rows of the log are written shortly after the response. */
  const logged = (accountId: string, count: number) =>
    waitFor(() => requestsOf(accountId), {
      what: 'the requests are logged',
      until: (rows) => rows.length === count,
    });
  const seenOf = (accountId: string) =>
    store.database.run(
      `select engine, sum(calls) as calls, sum(failures) as failures,
         sum(observations) as observations
       from quality_days where account_id = $1 group by engine order by engine`,
      [accountId],
    );
  const compared = (accountId: string, isWhole: (row: Record<string, unknown>) => boolean) =>
    waitFor(() => seenOf(accountId), {
      what: 'the engines are compared',
      until: (rows) => rows.length === 4 && rows.every(isWhole),
    });
  const scorecard = async (query: string) => {
    return Scorecard.parse(await (await gateway.admin('GET', `/scorecard${query}`)).json());
  };

  beforeAll(async () => {
    on = await openGatewayOnSandbox(sqliteEngine, settings);
    ({ gateway, store } = on);
    payer = await newAccount();
    gateway = await on.restart(withShadows());
    caller = await newAccount();
  });

  afterAll(() => on[Symbol.asyncDispose]());

  test('each account pays for its own calls, to the last cent', async () => {
    for (const query of queries) await search(caller.key, { query, provider: 'engine_a' });
    const seen = await compared(caller.id, (row) => Number(row['calls']) === queries.length);
    for (const row of seen) expect(Number(row['observations'])).toBe(queries.length);
    const spent = async (id: string, count: number) =>
      (await logged(id, count)).reduce((sum, row) => sum + Number(row['cost']), 0) / 1e6;
    const ofCaller = await spent(caller.id, queries.length);
    const ofPayer = await spent(payer.id, 3 * queries.length);
    expect(await balanceOf(caller.id)).toBeCloseTo(topUpUsd - ofCaller, 6);
    expect(await balanceOf(payer.id)).toBeCloseTo(topUpUsd - ofPayer, 6);
    expect((await auditLedger(store.database)).violations).toEqual([]);
    for (const row of await requestsOf(payer.id)) {
      expect(row).toMatchObject({ provider: expect.not.stringMatching('engine_a'), asked: null });
      expect(row['parameters']).toBeNull();
      expect(Number(row['cost'])).toBeGreaterThan(0);
      expect(JSON.stringify(row)).not.toMatch(/solar|wind|heat/);
    }
  });

  test('accounts in the settings that do not exist are named in a warning', async () => {
    const warned: unknown[] = [];
    const log = { warn: (...words: unknown[]) => void warned.push(words[0]) };
    const check = (accounts: string[], left: string[]) =>
      checkShadowAccounts(
        { database: store.database, log },
        { accounts: new Set(accounts), excluded: new Set(left) },
      );
    await check([], [caller.id]);
    await check([payer.id], [caller.id]);
    expect(warned).toEqual([]);
    await check([payer.id, 'constructor'], ['acct_mistyped', caller.id]);
    expect(warned).toEqual([{ accounts: ['constructor', 'acct_mistyped'] }]);
  });

  test('the pages that an account forbids are not found by shadows either', async () => {
    const before = new Set((await requestsOf(payer.id)).map((row) => row['id']));
    const strict = await newAccount({ allowed_domains: ['nothing.example'] });
    await search(strict.key, { query: 'solar energy storage', provider: 'engine_a' });
    await compared(strict.id, (row) => Number(row['calls']) === 1);
    const added = (await logged(payer.id, before.size + 3)).filter((row) => !before.has(row['id']));
    expect(added.map((row) => Number(row['delivered']))).toEqual([0, 0, 0]);
    const open = (await requestsOf(payer.id)).filter((row) => before.has(row['id']));
    expect(open.some((row) => Number(row['delivered']) > 0)).toBe(true);
  });

  test('an engine that fails is counted as such, and no caller notices', async () => {
    const body = JSON.stringify({ mount: '/tavily', fault: 'server_error' });
    await fetch(`${on.sandboxUrl}/__sandbox/faults`, { method: 'POST', body });
    const unlucky = await newAccount();
    await search(unlucky.key, { query: 'wind power', provider: 'engine_a' });
    const rows = await compared(unlucky.id, (row) => Number(row['calls']) === 1);
    expect(rows.map((row) => Number(row['failures']))).toEqual([0, 1, 0, 0]);
    await fetch(`${on.sandboxUrl}/__sandbox/faults`, { method: 'DELETE' });
  });

  test('a fusion counts its members, for the account that asked for it', async () => {
    const fuser = await newAccount();
    const options = { fusion: { providers: panel } };
    const body = { query: 'solar energy storage', provider: 'fusion', provider_options: options };
    await search(fuser.key, body);
    await compared(fuser.id, (row) => Number(row['observations']) === 1);
    // The fusion itself has no shadows.
    expect(await logged(payer.id, 3 * (queries.length + 2))).toBeArray();
  });

  test('cached answers and those to options of the caller say nothing about engines', async () => {
    const fuser = await newAccount();
    const ask = async (query: string, more: object = {}, cached = '0') => {
      const options = { fusion: { providers: panel }, ...more };
      const response = await gateway.search(
        { authorization: `Bearer ${fuser.key}`, 'x-trivium-cache': cached },
        { query, provider: 'fusion', provider_options: options },
      );
      expect(response.status).toBe(200);
    };
    const pages = async () => {
      const metrics = await gateway.metrics();
      const lines = metrics.matchAll(/^trivium_fusion_compared_pages.* (\d+)$/gm);
      return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await pages();
    await ask('solar power', { engine_a: { numResults: 5 } });
    await ask('solar power', { fusion: { providers: panel, timeout_ms: 5000 } });
    expect(await pages()).toBe(before);
    for (const query of several) await ask(query, {}, '3600');
    const fetched = await pages();
    expect(fetched).toBeGreaterThan(before);
    for (const query of several) await ask(query, {}, '3600');
    expect(await pages()).toBe(fetched);
    gateway = await on.restart(withShadows());
    const rows = await seenOf(fuser.id);
    expect(rows.map((row) => Number(row['calls']))).toEqual(panel.map(() => several.length));
  });

  test('above a limit of the gateway a shadow is refused, which is no failure of its engine', async () => {
    gateway = await on.restart({ ...withShadows(), TRIVIUM_MAX_REQUESTS: '2' });
    const last = await newAccount();
    await search(last.key, { query: 'solar energy storage', provider: 'engine_a' });
    const rows = await waitFor(() => seenOf(last.id), {
      what: 'two of three engines are compared',
      until: (found) => found.length === 3,
    });
    expect(rows.map((row) => Number(row['failures']))).toEqual([0, 0, 0]);
  });

  test('with an empty balance of the payer callers notice nothing, and the books are right', async () => {
    gateway = await on.restart(withShadows());
    const all = { amount_usd: -(await balanceOf(payer.id)), reason: 'test' };
    await gateway.admin('POST', `/accounts/${payer.id}/adjustments`, all);
    const unnoticed = await newAccount();
    await search(unnoticed.key, { query: 'rivers', provider: 'engine_a' });
    const line = /^trivium_shadow_calls_total\{result="refused"\} (\d+)$/m;
    await waitFor(async () => line.exec(await gateway.metrics())?.[1], {
      what: 'the calls are refused',
      until: (refused) => refused === '3',
    });
    expect(await seenOf(unnoticed.id)).toEqual([]);
    expect(await requestsOf(unnoticed.id)).toHaveLength(1);
    const books = await gateway.admin('GET', '/books');
    expect(await books.json()).toMatchObject({ reserved_usd: 0, violations: [] });
    expect((await auditLedger(store.database)).violations).toEqual([]);
  });

  test('what was observed is on the scorecard, and decides the choice of auto', async () => {
    await on.stop();
    // One account alone would not decide for others.
    for (const like of ['acct_two', 'acct_three']) {
      await store.database.run(
        `insert into quality_days select $1, ${columns} from quality_days where account_id = $2`,
        [like, caller.id],
      );
    }
    await noteChange(store.database, mondayOf(dayOf(Date.now())));
    // The gateway that has just stopped may have claimed this week, for half a minute.
    const later = { ...systemClock, now: () => new Date(Date.now() + 60_000) };
    await totalQuality({ database: store.database, clock: later });
    gateway = await on.restart({
      ...settings,
      TRIVIUM_AUTO_SEARCH_ROUTING: 'quality',
      TRIVIUM_AUTO_QUALITY_EXPLORATION: '0',
    });
    const own = await scorecard(`?account_id=${caller.id}`);
    expect(own.lines.map(({ provider }) => provider)).toEqual([...panel]);
    expect(own.lines.map(({ calls }) => calls)).toEqual(panel.map(() => queries.length));
    const all = await scorecard('');
    expect(all.lines.map(({ provider }) => provider)).toEqual([...panel]);
    // Every account is in it.
    expect(all.lines[0]?.calls).toBe(3 * queries.length + 4 + several.length);
    const { auto } = ProvidersResponse.parse(
      await (await gateway.ask('GET', '/v1/providers')).json(),
    );
    const [first] = auto.search.order;
    if (!first) throw new Error('auto has no engine');
    expect([auto.search.routing, first.reason]).toEqual([
      'quality',
      expect.stringMatching(/^quality at least 0\.\d{3} by \d+ observations, within 5 %/),
    ]);
    // The cheapest of those that are nearly as good as the best.
    const lowers = all.lines.map(({ agreement }) => agreement?.lower ?? 0);
    const bar = Math.max(...lowers) * 0.95;
    const good = all.lines.filter(({ agreement }) => (agreement?.lower ?? 0) >= bar);
    const cheapest = Math.min(...good.map(({ price_usd }) => price_usd ?? Infinity));
    const best = good.filter(({ price_usd }) => price_usd === cheapest);
    expect(best.map(({ provider }) => provider)).toContain(first.provider as 'engine_a');
    const newcomer = await newAccount();
    const response = await search(newcomer.key, { query: 'islands' });
    const { id, provider } = (await response.json()) as { id: string; provider: string };
    const header = response.headers.get('x-trivium-routing');
    expect([provider, header]).toEqual([
      first.provider,
      `quality; ${first.provider}: ${first.reason}`,
    ]);
    const inLog = await waitFor(() => gateway.admin('GET', `/requests/${id}`), {
      what: 'the request is logged',
      until: ({ status }) => status === 200,
    });
    expect(RequestLine.parse(await inLog.json()).routing).toBe(header);
    // The policy of the caller holds, and an engine that is named is not routed.
    const others = panel.filter((one) => one !== first.provider);
    const careful = await newAccount({ providers: others });
    const chosen = await search(careful.key, { query: 'islands' });
    expect(others).toContain(((await chosen.json()) as { provider: 'engine_a' }).provider);
    const named = await search(newcomer.key, { query: 'islands', provider: first.provider });
    expect(named.headers.get('x-trivium-routing')).toBeNull();
    expect(await gateway.metrics()).toContain(
      `trivium_engine_quality{provider="${first.provider}"`,
    );
  });
});
