// Callers who search, extract, and read what is left of their money.
import { ask, begin, insist, keyed } from './asking.ts';
import { type Caller, type Operation, subjectOf, type Turn } from './caller.ts';
import { answeredTry, engines, requestOf, searchOf, teams, toolCallOf } from './requests.ts';
import { pick } from '../plan.ts';

export const searchers = {
  honest: async (caller) => {
    const operation = begin(caller, 'search');
    await ask(caller, operation, searchOf(operation));
  },
  retrying: (caller) => insist(caller, keyed(begin(caller, 'search'))),
  impatient: async (caller) => {
    const operation = begin(caller, 'search');
    const patienceMs = caller.world.random() * 600;
    if (caller.world.random() < 0.5) return insist(caller, keyed(operation), patienceMs);
    await ask(caller, operation, { ...searchOf(operation), patienceMs });
  },
  cached: async (caller) => {
    const operation = begin(caller, 'cached');
    const query = `cached ${Math.floor(caller.world.random() * 4)}`;
    const headers = { 'x-trivium-cache': '20' };
    await ask(caller, operation, { path: '/v1/search', key: '', body: { query }, headers });
  },
  reader: async (caller) => {
    const operation = begin(caller, 'balance');
    await ask(caller, operation, { path: '/v1/balance', key: '' });
    if (caller.world.random() > 0.2) return;
    const path = pick(caller.world.random, ['/v1/usage', '/v1/jobs', '/v1/providers']);
    await ask(caller, begin(caller, 'other'), { path, key: '' });
  },
  agent: async (caller) => {
    const operation = begin(caller, 'search');
    const query = subjectOf(operation);
    if (caller.world.random() < 0.5) {
      const body = { query, max_results: 3 };
      return void (await ask(caller, operation, { path: '/compat/tavily/search', key: '', body }));
    }
    await ask(caller, operation, toolCallOf(operation));
  },
  capped: async (caller) => {
    const operation = begin(caller, 'search');
    operation.secret = caller.tenant.capped.key;
    if (caller.world.random() < 0.5) return insist(caller, keyed(operation));
    await ask(caller, operation, searchOf(operation));
  },
  extractor: async (caller) => {
    const operation = keyed(begin(caller, 'extract'));
    await insist(caller, operation);
  },
  collector: async (caller) => {
    const operation = begin(caller, 'extract');
    operation.pages = 2 + Math.floor(caller.world.random() * 11);
    await onceOrKeyed(caller, operation);
  },
  fuser: async (caller) => {
    const operation = begin(caller, 'search');
    operation.provider = 'fusion';
    await onceOrKeyed(caller, operation);
  },
  tagged: async (caller) => {
    const operation = begin(caller, caller.world.random() < 0.7 ? 'search' : 'extract');
    operation.team = pick(caller.world.random, teams);
    await onceOrKeyed(caller, operation);
  },
  rater: async (caller) => {
    const operation = begin(caller, 'search');
    await ask(caller, operation, searchOf(operation));
    type Found = { id?: string; results?: { id: string }[] };
    const { id, results } = (answeredTry(operation)?.body ?? {}) as Found;
    if (id === undefined || !results?.[0]) return;
    const body = { search_id: id, cited: [results[0].id] };
    await ask(caller, begin(caller, 'other'), { path: '/v1/feedback', key: '', body });
  },
  burster: async (caller) => {
    const count = 2 + Math.floor(caller.world.random() * 10);
    const operations = Array.from({ length: count }, () => begin(caller, 'search'));
    await Promise.all(operations.map((operation) => ask(caller, operation, searchOf(operation))));
  },
  occupier: async (caller) => {
    const operation = begin(caller, 'search');
    // Each stays with one of them, so that all have a long queue of each account.
    operation.provider = engines[Math.floor(caller.at / 3) % 3] ?? 'engine_a';
    await ask(caller, operation, searchOf(operation));
  },
  waiter: async (caller) => {
    const operation = keyed(begin(caller, 'extract'));
    operation.provider = 'auto';
    await insist(caller, operation, caller.world.random() < 0.5 ? 20_000 : undefined);
  },
} satisfies Record<string, Turn>;

async function onceOrKeyed(caller: Caller, operation: Operation): Promise<void> {
  if (caller.world.random() < 0.5) return insist(caller, keyed(operation));
  await ask(caller, operation, requestOf(caller, operation));
}
