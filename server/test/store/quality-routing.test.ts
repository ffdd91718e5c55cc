// TRIVIUM_AUTO_SEARCH_ROUTING=quality on both engines: the configured order without evidence, then
// the cheapest engine that is good enough, within the policy of the caller, with its reasons.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startSandbox } from '@trivium/sandbox';
import { NewKey, ProvidersResponse, RequestLine } from '@trivium/contract';
import { vendorSettings } from '../../../e2e/vendor-settings.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { totalQuality } from '../../src/quality/index.ts';
import { addToQualityDays } from '../../src/quality/store/quality-days.ts';
import { dayOf } from '../../src/requests/core/index.ts';
import { adminToken, openGateway } from '../gateway.ts';
import type { TestGateway } from '../gateway.ts';
import { engines } from './engines.ts';
import type { TestStore } from './store-pool.ts';
import { seenOn } from './observations.ts';

const operator = { authorization: `Bearer ${adminToken}` };
const setUpTimeoutMs = 60_000;
const seen = seenOn(dayOf(Date.now()));

describe.each(engines)('on $name', (engine) => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  let store: TestStore;
  let gateway: TestGateway;

  const start = () =>
    openGateway(`${sandbox.url}/exa`, {
      ...vendorSettings(sandbox.url),
      ...store.settings,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: '5',
      TRIVIUM_AUTO_SEARCH: 'engine_a,engine_c,engine_d',
      TRIVIUM_AUTO_SEARCH_ROUTING: 'quality',
      TRIVIUM_AUTO_QUALITY_EXPLORATION: '0',
    });
  const search = async (key = gateway.key, fields: object = {}) => {
    const authorization = `Bearer ${key}`;
    const response = await gateway.search({ authorization }, { query: 'solar', ...fields });
    const { id, provider } = (await response.json()) as { id: string; provider: string };
    return { id, provider, routing: response.headers.get('x-trivium-routing') };
  };
  const orderNow = async () => {
    const { auto } = ProvidersResponse.parse(
      await (await gateway.ask('GET', '/v1/providers')).json(),
    );
    return auto.search;
  };

  beforeAll(async () => {
    sandbox = await startSandbox();
    store = await engine.open('migrated');
    gateway = await start();
  }, setUpTimeoutMs);

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await sandbox.stop();
    await store.discard();
  });

  test('without evidence the configured order, and then the best that is cheap enough', async () => {
    const first = await search();
    expect(first.provider).toBe('engine_a');
    expect(first.routing).toStartWith('order; engine_a: its place in the fixed order');
    const before = (await orderNow()).order.map(({ provider }) => provider);
    expect(before).toEqual(['engine_a', 'engine_c', 'engine_d']);
    await addToQualityDays(store.database, [
      ...['acct_one', 'acct_two', 'acct_three'].flatMap((id) => [
        seen(id, ['engine_a', 40, 0.2]),
        seen(id, ['engine_d', 40, 0.7]),
      ]),
    ]);
    // The evidence is read at the start, and then every minute.
    await gateway[Symbol.asyncDispose]();
    await totalQuality({ database: store.database, clock: systemClock });
    gateway = await start();
    const gauge =
      'trivium_engine_quality{provider="engine_d",source="agreement",figure="mean"} 0.7';
    await waitFor(
      async () => (await gateway.ask('GET', '/metrics', { headers: operator })).text(),
      {
        what: 'the metric of quality',
        until: (text) => text.includes(gauge),
      },
    );
    const next = await search();
    expect(next.provider).toBe('engine_d');
    expect(next.routing).toStartWith('quality; engine_d: quality at least 0.');
    const { routing, order } = await orderNow();
    expect(routing).toBe('quality');
    expect(order.map(({ provider }) => provider)).toEqual(['engine_d', 'engine_a', 'engine_c']);
    expect(order.at(-1)?.reason).toBe('only 0 of 10 observations');
    const path = `/admin/v1/requests/${next.id}`;
    const logged = await gateway.ask('GET', path, { headers: operator });
    expect(RequestLine.parse(await logged.json()).routing).toBe(next.routing);
  });

  test('the policy of the caller holds, and a named engine is not routed', async () => {
    const ask = async (path: string, body: object) =>
      (await gateway.ask('POST', `/admin/v1${path}`, { body, headers: operator })).json();
    const account = { name: 'A', providers: ['engine_a', 'engine_c'] };
    const { id } = (await ask('/accounts', account)) as { id: string };
    await ask(`/accounts/${id}/topups`, { amount_usd: 1, reason: 'test' });
    const { key } = NewKey.parse(await ask(`/accounts/${id}/keys`, { name: 'K' }));
    const found = await search(key);
    expect(['engine_a', 'engine_c']).toContain(found.provider);
    expect(found.routing).not.toContain('engine_d');
    expect(await search(gateway.key, { provider: 'engine_c' })).toMatchObject({
      ...{ provider: 'engine_c', routing: null },
    });
  });
});
