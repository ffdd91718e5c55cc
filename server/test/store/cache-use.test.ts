// What a request reports about the cache, on both engines, and callers who wait for the same entry.
import { describe, expect, test } from 'bun:test';
import { makeCache } from '../../src/cache/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Engine, engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

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
