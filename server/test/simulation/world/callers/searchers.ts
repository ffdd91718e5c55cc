// Callers who search, extract, and read what is left of their money.
import { ask, begin, insist, keyed } from './asking.ts';
import { subjectOf } from './caller.ts';
import type { Caller, Turn, Wish } from './caller.ts';
import { answeredTry, engines, requestOf, searchOf, teams } from './requests.ts';
import { pick } from '../plan.ts';

export const searchers = {
  honest: async (caller) => {
    const wish = begin(caller, 'search');
    await ask(caller, wish, searchOf(wish));
  },
  retrying: (caller) => insist(caller, keyed(begin(caller, 'search'))),
  impatient: async (caller) => {
    const wish = begin(caller, 'search');
    const patienceMs = caller.world.random() * 600;
    if (caller.world.random() < 0.5) return insist(caller, keyed(wish), patienceMs);
    await ask(caller, wish, { ...searchOf(wish), patienceMs });
  },
  cached: async (caller) => {
    const wish = begin(caller, 'cached');
    const query = `cached ${Math.floor(caller.world.random() * 4)}`;
    const headers = { 'x-trivium-cache': '20' };
    await ask(caller, wish, { path: '/v1/search', key: '', body: { query }, headers });
  },
  reader: async (caller) => {
    const wish = begin(caller, 'balance');
    await ask(caller, wish, { path: '/v1/balance', key: '' });
    if (caller.world.random() > 0.2) return;
    const path = pick(caller.world.random, ['/v1/usage', '/v1/jobs', '/v1/providers']);
    await ask(caller, begin(caller, 'other'), { path, key: '' });
  },
  agent: async (caller) => {
    const wish = begin(caller, 'search');
    const query = subjectOf(wish);
    if (caller.world.random() < 0.5) {
      const body = { query, max_results: 3 };
      return void (await ask(caller, wish, { path: '/compat/tavily/search', key: '', body }));
    }
    const call = { name: 'search', arguments: { query } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const headers = { accept: 'application/json, text/event-stream' };
    await ask(caller, wish, { path: '/mcp', key: '', body, headers });
  },
  capped: async (caller) => {
    const wish = begin(caller, 'search');
    wish.secret = caller.tenant.capped.key;
    if (caller.world.random() < 0.5) return insist(caller, keyed(wish));
    await ask(caller, wish, searchOf(wish));
  },
  extractor: async (caller) => {
    const wish = keyed(begin(caller, 'extract'));
    await insist(caller, wish);
  },
  collector: async (caller) => {
    const wish = begin(caller, 'extract');
    wish.pages = 2 + Math.floor(caller.world.random() * 11);
    await onceOrKeyed(caller, wish);
  },
  fuser: async (caller) => {
    const wish = begin(caller, 'search');
    wish.provider = 'fusion';
    await onceOrKeyed(caller, wish);
  },
  tagged: async (caller) => {
    const wish = begin(caller, caller.world.random() < 0.7 ? 'search' : 'extract');
    wish.team = pick(caller.world.random, teams);
    await onceOrKeyed(caller, wish);
  },
  rater: async (caller) => {
    const wish = begin(caller, 'search');
    await ask(caller, wish, searchOf(wish));
    type Found = { id?: string; results?: { id: string }[] };
    const { id, results } = (answeredTry(wish)?.body ?? {}) as Found;
    if (id === undefined || !results?.[0]) return;
    const body = { search_id: id, cited: [results[0].id] };
    await ask(caller, begin(caller, 'other'), { path: '/v1/feedback', key: '', body });
  },
  burster: async (caller) => {
    const count = 2 + Math.floor(caller.world.random() * 10);
    const wishes = Array.from({ length: count }, () => begin(caller, 'search'));
    await Promise.all(wishes.map((wish) => ask(caller, wish, searchOf(wish))));
  },
  occupier: async (caller) => {
    const wish = begin(caller, 'search');
    // Each stays with one of them, so that all have a long queue of each account.
    wish.provider = engines[Math.floor(caller.at / 3) % 3] ?? 'engine_a';
    await ask(caller, wish, searchOf(wish));
  },
  waiter: async (caller) => {
    const wish = keyed(begin(caller, 'extract'));
    wish.provider = 'auto';
    await insist(caller, wish, caller.world.random() < 0.5 ? 20_000 : undefined);
  },
} satisfies Record<string, Turn>;

async function onceOrKeyed(caller: Caller, wish: Wish): Promise<void> {
  if (caller.world.random() < 0.5) return insist(caller, keyed(wish));
  await ask(caller, wish, requestOf(caller, wish));
}
