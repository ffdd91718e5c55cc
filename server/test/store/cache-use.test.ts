// What a request reports about the cache, callers who wait for the same entry, and a circuit that opens
// while the cache is read, which changes neither the provider that is called nor its price.
import { describe, expect, test } from 'bun:test';
import { makeCache } from '../../src/cache/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Engine, engines, postgresEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { startExa } from '../exa-upstream.ts';
import { openGateway } from '../gateway.ts';
import { balance } from './gateway-on-store.ts';

async function open(engine: Engine) {
  const store = await makeStore(engine);
  const at = { now: 1_000_000 };
  const clock = { ...systemClock, now: () => new Date(at.now) };
  const settings = { cache_joined: 'first', cache_max_entries: 10, cache_max_mb: 1 } as const;
  const cache = makeCache({ database: store.database, clock, log: makeLog('silent'), settings });
  const current = { cache_seconds: 60, tool: 'search', caller: { account_id: 'acct' } };
  const use = () => {
    const used = cache.useFor(current as Parameters<typeof cache.useFor>[0], JSON.parse);
    if (!used) throw new Error('The request uses the cache.');
    return used;
  };
  return {
    ...store,
    at,
    use,
    fetch: async (ids: readonly string[]) => new Map(ids.map((id) => [id, '1'])),
  };
}

describe.each(engines)('on $name', (engine) => {
  test.each([
    { hits: 0, joined: 0, misses: 2, header: 'miss', isFree: false },
    { hits: 2, joined: 0, misses: 0, header: 'hit; age=7', isFree: true },
    { hits: 0, joined: 2, misses: 0, header: 'joined', isFree: true },
    {
      hits: 1,
      joined: 1,
      misses: 0,
      header: 'partial; hits=1; joined=1; misses=0; age=7',
      isFree: true,
    },
    {
      hits: 1,
      joined: 0,
      misses: 1,
      header: 'partial; hits=1; joined=0; misses=1; age=7',
      isFree: false,
    },
    { hits: 0, joined: 1, misses: 1, header: 'partial; hits=0; joined=1; misses=1', isFree: false },
  ])('an answer of $hits hits, $joined joined and $misses misses', async (one) => {
    await using store = await open(engine);
    const used = store.use();
    const idsOf = (kind: string, count: number) =>
      Array.from({ length: count }, (_, at) => used.idOf('engine_a', { kind, at }));
    const hits = idsOf('hit', one.hits);
    const joined = idsOf('joined', one.joined);
    if (hits.length > 0) await store.use().fill(hits, store.fetch, 0);
    store.at.now += 7500;
    const answered = Promise.withResolvers<void>();
    const other = store.use().fill(
      joined,
      async (ids) => {
        await answered.promise;
        return store.fetch(ids);
      },
      0,
    );
    const all = [...hits, ...joined, ...idsOf('miss', one.misses)];
    await used.look(all);
    const filled = used.fill(all, store.fetch, 60_000);
    answered.resolve();
    expect((await filled).size).toBe(all.length);
    await other;
    const { headers, fromCache } = used.report();
    expect([headers['x-trivium-cache'], fromCache]).toEqual([one.header, one.isFree]);
  });

  test('who waits for a fetch that fails fetches at once', async () => {
    await using store = await open(engine);
    const id = store.use().idOf('engine_a', {});
    const asked = Promise.withResolvers<void>();
    const fail = async () => {
      await asked.promise;
      throw new Error('no answer');
    };
    const first = store.use().fill([id], fail, 0).catch(String);
    const second = store.use().fill([id], store.fetch, 60_000);
    asked.resolve();
    expect(await first).toContain('no answer');
    expect((await second).get(id)).toMatchObject({ from: 'miss', text: '1' });
  });
});

const url = 'https://example.org/page';
const headers = { 'x-trivium-cache': '3600' };
const requests = [
  ['/v1/search', { query: 'solar' }],
  ['/v1/extract', { urls: [url] }],
] as const;
const answer = {
  requestId: 'r',
  results: [{ id: url, url, title: 'Page', text: 'Text', highlights: ['words'] }],
  statuses: [{ id: url, status: 'success' }],
  costDollars: { total: 0.001 },
};
const waiting = `select 1 as one from pg_locks
  where relation = 'cache_entries'::regclass and not granted`;
/** More than a circuit needs to open. */
const failures = 30;

// Only PostgreSQL can hold one read while other requests use the store.
test('on PostgreSQL', async () => {
  await using store = await makeStore(postgresEngine);
  using exa = startExa();
  using other = startExa();
  exa.answer(() => Response.json(answer));
  const settings = {
    ...store.settings,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '5',
    TRIVIUM_AUTO_SEARCH: 'engine_a,engine_b',
    TRIVIUM_AUTO_EXTRACT: 'engine_a,engine_b',
    PARALLEL_API_KEY: 'key',
    PARALLEL_BASE_URL: other.url,
  };
  {
    await using gateway = await openGateway(exa.url, settings);
    for (const [path, body] of requests) {
      const stored = await gateway.ask('POST', path, { body, headers });
      expect(stored.headers.get('x-trivium-cache')).toStartWith('miss');
    }
  }
  for (const [path, body] of requests) {
    // A new process has neither entries in memory nor open circuits.
    await using gateway = await openGateway(exa.url, settings);
    const held = Promise.withResolvers<void>();
    const locked = store.database.transaction(async (tx) => {
      await tx.run('set local idle_in_transaction_session_timeout = 0');
      await tx.run('lock table cache_entries in access exclusive mode');
      await held.promise;
    });
    const asked = gateway.ask('POST', path, { body, headers });
    await waitFor(() => store.database.run(waiting), {
      what: 'the cache is being read',
      until: (rows) => rows.length > 0,
    });
    exa.answer(() => new Response('down', { status: 500 }));
    const plain = { ...body, provider: 'engine_a' };
    await Promise.all(
      Array.from({ length: failures }, () => gateway.ask('POST', path, { body: plain })),
    );
    // The circuit is open: `auto` now calls the other provider.
    await gateway.ask('POST', path, { body });
    const [before, calls] = [await balance(gateway), other.calls()];
    expect(calls).toBeGreaterThan(0);
    held.resolve();
    await locked;
    const served = await asked;
    expect([served.status, await served.json()]).toMatchObject([200, { provider: 'engine_a' }]);
    expect(served.headers.get('x-trivium-cache')).toStartWith('hit');
    expect([other.calls(), await balance(gateway)]).toEqual([calls, before]);
  }
});
