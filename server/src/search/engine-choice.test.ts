// The order by quality: the same seed gives the same choices, and only engines that may serve.
import { expect, test } from 'bun:test';
import { SearchRequest } from '@trivium/contract';
import type { SearchContext } from './context.ts';
import { qualityOrder, routingText, withoutTrials } from './engine-choice.ts';

const tally = (quality: number) => ({ n: 100, sum: 100 * quality, squares: 100 * quality ** 2 });
const request = SearchRequest.parse({ query: 'solar', provider: 'auto' });
const ids = ['engine_a', 'engine_c', 'engine_d', 'engine_e'] as const;
const prices: Record<string, number> = { engine_a: 9000, engine_c: 1000, engine_d: 2000 };

const context = {
  providers: Object.fromEntries(
    ids.map((id) => [
      id,
      { provider: { id }, state: id === 'engine_e' ? 'disabled' : 'configured', upstream: {} },
    ]),
  ),
  settings: { auto_search: ids, quality_routing: { bar: 0.05, exploration: 0.3 } },
  routingEvidence: {
    talliesFor: () =>
      new Map([
        ...([['engine_a', tally(0.6)]] as const),
        ...([['engine_c', tally(0.2)]] as const),
        ...([['engine_d', tally(0.6)]] as const),
      ]),
  },
} as unknown as SearchContext;

const order = (random: () => number, policy?: object) =>
  qualityOrder(
    context,
    request,
    { account_id: 'acct_1', ...(policy ? { policy } : {}) },
    ({ provider }) => prices[provider.id] ?? 0,
    random,
  );

/** A fixed sequence for a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test('the cheapest of the good ones first, and engines that cannot be called not at all', () => {
  const chosen = order(withoutTrials);
  expect(chosen.order.map(({ engine }) => engine)).toEqual(['engine_d', 'engine_a', 'engine_c']);
  expect(routingText(chosen, 'engine_a')).toStartWith('quality; engine_a: quality at least');
  const allowed = order(withoutTrials, { providers: ['engine_a', 'engine_c'] });
  expect(allowed.order.map(({ engine }) => engine)).toEqual(['engine_a', 'engine_c']);
});

test('the same seed gives the same choices, and others are tried as often as wanted', () => {
  const firsts = (seed: number) => {
    const random = seeded(seed);
    return Array.from({ length: 1000 }, () => order(random).order[0]?.engine);
  };
  const found = firsts(7);
  expect(firsts(7)).toEqual(found);
  expect(firsts(8)).not.toEqual(found);
  const tried = found.filter((engine) => engine !== 'engine_d').length;
  expect(tried).toBeGreaterThan(240);
  expect(tried).toBeLessThan(360);
});
