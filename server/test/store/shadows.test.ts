// Shadow calls on both engines: other engines are asked after the caller has its answer, the
// account of the shadow key pays, the policy of the caller holds, and nothing of the query is kept.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { checkShadowAccounts } from '../../src/app/optional-parts.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import type { TestGateway } from '../gateway.ts';
import { engines } from './engines.ts';
import { type GatewayOnSandbox, openGatewayOnSandbox } from './gateway-on-store.ts';
import type { TestStore } from './store-pool.ts';

const setUpTimeoutMs = 60_000;

describe.each(engines)('on $name', (engine) => {
  let on: GatewayOnSandbox;
  let store: TestStore;
  let gateway: TestGateway;
  let payer: string;
  let excluded: { id: string; key: string };

  const search = (key: string, query: string) =>
    gateway.search({ authorization: `Bearer ${key}` }, { query, provider: 'engine_a' });
  const requestsOf = (accountId: string) =>
    store.database.run(
      'select provider, cost, asked, parameters, detail from requests where account_id = $1',
      [accountId],
    );
  const observed = (accountId: string) =>
    store.database.run(
      `select engine, sum(calls) as calls, sum(failures) as failures, sum(observations) as observations from quality_days
       where account_id = $1 and source = 'agreement' group by engine order by engine`,
      [accountId],
    );
  const refusedShadows = async () => {
    const line = /^trivium_shadow_calls_total\{result="refused"\} (\d+)$/m;
    return Number(line.exec(await gateway.metrics())?.[1]);
  };

  beforeAll(async () => {
    on = await openGatewayOnSandbox(engine);
    ({ store } = on);
    const paying = await on.gateway.newAccount();
    payer = paying.id;
    excluded = await on.gateway.newAccount();
    gateway = await on.restart({
      TRIVIUM_SHADOW_SHARE: '1',
      TRIVIUM_SHADOW_ENGINES: 'engine_a,engine_c,engine_d,engine_e',
      TRIVIUM_SHADOW_KEY: paying.key,
      TRIVIUM_SHADOW_EXCLUDE: excluded.id,
    });
  }, setUpTimeoutMs);

  afterAll(() => on[Symbol.asyncDispose]());

  test('another account pays for the other engines, and nothing of the query is kept', async () => {
    const caller = await gateway.newAccount();
    expect((await search(caller.key, 'solar energy storage')).status).toBe(200);
    await waitFor(() => observed(caller.id), {
      what: 'the engines are compared',
      until: (rows) => rows.length === 4,
    });
    expect((await requestsOf(caller.id)).map((row) => row['provider'])).toEqual(['engine_a']);
    const paid = await requestsOf(payer);
    expect(paid.map((row) => String(row['provider'])).toSorted()).toEqual([
      ...['engine_c', 'engine_d', 'engine_e'],
    ]);
    for (const row of paid) {
      expect([row['asked'], row['parameters']]).toEqual([null, null]);
      expect(Number(row['cost'])).toBeGreaterThan(0);
      expect(JSON.stringify(row)).not.toContain('solar');
    }
    expect((await observed(caller.id)).map((row) => Number(row['observations']))).toEqual([
      ...[1, 1, 1, 1],
    ]);
  });

  test('accounts in the settings that do not exist are named in a warning', async () => {
    const warned: unknown[] = [];
    const log = { warn: (...words: unknown[]) => void warned.push(words[0]) };
    const check = (accounts: string[], left: string[]) =>
      checkShadowAccounts(
        { database: store.database, log },
        { accounts: new Set(accounts), excluded: new Set(left) },
      );
    await check([], [excluded.id]);
    await check([payer], [excluded.id]);
    expect(warned).toEqual([]);
    await check([payer, 'constructor'], ['acct_mistyped', excluded.id]);
    expect(warned).toEqual([{ accounts: ['constructor', 'acct_mistyped'] }]);
  });

  test('with an empty balance of the payer callers notice nothing, and the books are right', async () => {
    const balance = await gateway.admin('GET', `/accounts/${payer}`);
    const { balance_usd } = (await balance.json()) as { balance_usd: number };
    const all = { amount_usd: -balance_usd, reason: 'test' };
    await gateway.admin('POST', `/accounts/${payer}/adjustments`, all);
    const caller = await gateway.newAccount();
    const before = await refusedShadows();
    expect((await search(caller.key, 'rivers')).status).toBe(200);
    await waitFor(refusedShadows, {
      what: 'the calls are refused',
      until: (refused) => refused === before + 3,
    });
    expect(await observed(caller.id)).toEqual([]);
    expect((await requestsOf(caller.id)).length).toBe(1);
    const books = await gateway.admin('GET', '/books');
    expect(await books.json()).toMatchObject({ reserved_usd: 0, violations: [] });
    expect((await auditLedger(store.database)).violations).toEqual([]);
  });
});
