// Callers who disconnect during the provider call: each pays once, over HTTP, as an agent and
// through a drop-in address; with an idempotency key a retry gets the stored answer.
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { engines, startGateway } from '../harness.ts';
import type { Engine, Gateway } from '../harness.ts';
import { waitForNoBytes } from '../gauges.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import {
  asOperator,
  makeAccount,
  micro,
  moneyOf,
  operatorToken,
  settledMoney,
} from './small-account.ts';
import type { SmallAccount } from './small-account.ts';
import { waitFor } from '../wait-for.ts';

const limitMs = 240_000;
const callers = 8;
const priceUsd = 0.007;
const openingUsd = 1;
const pollMs = 20;
const results = [{ url: 'https://example.org/', title: 'Example', highlights: ['words'] }];

type Way = { path: string; body: (query: string) => object; keyed: boolean };

const search = (query: string) => ({ query, provider: 'engine_a' });
const dropIn = (query: string) => ({ query });
const call = (query: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: search(query) },
});
/** Answered with a stream of events. */
const streamedCall = (query: string) => {
  const { params, ...rest } = call(query);
  return { ...rest, params: { ...params, _meta: { progressToken: 'one' } } };
};

const ways: readonly Way[] = [
  { path: '/v1/search', body: search, keyed: false },
  { path: '/v1/search', body: search, keyed: true },
  { path: '/compat/tavily/search', body: dropIn, keyed: false },
  { path: '/compat/tavily/search', body: dropIn, keyed: true },
  { path: '/mcp', body: call, keyed: false },
  { path: '/mcp', body: streamedCall, keyed: false },
];

test.each(engines)('on %s, every caller who disconnects pays once', disconnectAll);

async function disconnectAll(engine: Engine): Promise<void> {
  let release = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => {
    await release.promise;
    return exaAnswer(results, priceUsd);
  });
  const env = { ...upstream.env, TRIVIUM_ADMIN_TOKEN: operatorToken, LOG_LEVEL: 'error' };
  await using gateway = await startGateway({ engine, env });
  for (const way of ways) {
    const account = await makeAccount(gateway, openingUsd);
    const called = upstream.received.length;
    const disconnect = new AbortController();
    const asked = queries.map((query) => ask(gateway, account, way, query, disconnect.signal));
    await upstream.receives(called + callers);
    disconnect.abort();
    expect(await Promise.all(asked)).toEqual(queries.map(() => 'left'));
    await waitForDisconnects(gateway);
    release.resolve();
    await checkCharges(gateway, account);
    // A retry under the same idempotency key calls no provider.
    if (way.keyed) await retryAll(gateway, account, way);
    expect(upstream.received).toHaveLength(called + callers);
    await waitForNoBytes(gateway);
    release = Promise.withResolvers<void>();
  }
  await gateway.stop();
  await auditStore(gateway.store);
}

const queries = Array.from({ length: callers }, (_, at) => `membranes ${at}`);

async function ask(
  gateway: Gateway,
  { key }: SmallAccount,
  { path, body, keyed }: Way,
  query: string,
  signal: AbortSignal,
): Promise<Response | 'left'> {
  const answer = fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(keyed ? { 'idempotency-key': query.replace(' ', '-') } : {}),
    },
    body: JSON.stringify(body(query)),
    signal,
    // The connection closes with its request, so the gateway sees the disconnect.
    keepalive: false,
  });
  return answer.catch(() => 'left' as const);
}

type Line = { status: number; cost_usd: number; error_type: string | null };

async function checkCharges(gateway: Gateway, account: SmallAccount): Promise<void> {
  const client = account.on(gateway);
  const left = micro(openingUsd) - callers * micro(priceUsd);
  const listed = async (what: 'requests' | 'transfers', query: string) => {
    const path = `/admin/v1/${what}?account_id=${account.id}&limit=100${query}`;
    const { body } = await gateway.get(path, asOperator);
    return (body as Record<string, Line[]>)[what] ?? [];
  };
  await waitFor(() => listed('requests', ''), {
    what: 'every request is logged',
    until: ({ length }) => length === callers,
  });
  expect(await settledMoney(client)).toEqual({ balance: left, held: 0 });
  for (const line of await listed('requests', '')) {
    expect(line).toMatchObject({ status: 499, cost_usd: priceUsd, error_type: null });
  }
  expect(await listed('transfers', '&kind=settle')).toHaveLength(callers);
}

async function retryAll(gateway: Gateway, account: SmallAccount, way: Way): Promise<void> {
  const before = await moneyOf(account.on(gateway));
  for (const query of queries) {
    const again = await ask(gateway, account, way, query, AbortSignal.timeout(limitMs));
    if (again === 'left') throw new Error(`no answer for ${query}`);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await again.text()).toContain('https://example.org/');
  }
  expect(await moneyOf(account.on(gateway))).toEqual(before);
}

/** Once later requests are served, the gateway has seen the earlier disconnects. */
async function waitForDisconnects(gateway: Gateway): Promise<void> {
  for (let ask = 0; ask < 5; ask += 1) {
    await Bun.sleep(pollMs);
    await gateway.get('/healthz');
  }
}
