// Routing by quality: the cheapest that is good enough, by what is known and not by what is hoped.
import { describe, expect, test } from 'bun:test';
import { choose, type QualityCandidate } from './choose.ts';

const rules = { bar: 0.05, exploration: 0 };
const never = () => 1 - Number.EPSILON;

/** A tally with this mean and the spread of ordinary observations. */
function candidate(
  engine: string,
  price: number | undefined,
  mean?: number,
  n = 400,
): QualityCandidate {
  const variance = 0.04;
  const tally =
    mean === undefined ? undefined : { n, sum: n * mean, squares: n * (mean * mean + variance) };
  return { engine, price, tally };
}

const enginesOf = (...args: Parameters<typeof choose>) =>
  choose(...args).order.map(({ engine }) => engine);

test('the cheapest within the bar is first, then the more expensive ones, then those below', () => {
  const candidates = [
    candidate('poor', 1, 0.4),
    candidate('dear', 9, 0.7),
    candidate('good', 5, 0.69),
    candidate('fair', 2, 0.5),
  ];
  const { by, order } = choose(candidates, rules, never);
  expect([by, order.map(({ engine }) => engine)]).toEqual([
    'quality',
    ['good', 'dear', 'fair', 'poor'],
  ]);
  expect(order.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(
      /^quality at least 0\.\d{3} by 400 observations, within 5 % of the best, and the cheapest of these at 0\.000005 USD$/,
    ),
    expect.stringContaining('more expensive at 0.000009 USD'),
    expect.stringContaining('more than 5 % below the best'),
    expect.stringContaining('more than 5 % below the best'),
  ]);
});

test('little evidence does not win, however good it looks', () => {
  const candidates = [
    candidate('known', 9, 0.7),
    candidate('also', 8, 0.5),
    candidate('lucky', 1, 1, 9),
    candidate('young', 1, 0.72, 25),
    candidate('never', 1),
  ];
  expect(enginesOf(candidates, rules, never)).toEqual(['known', 'young', 'also', 'lucky', 'never']);
});

test('until two engines have evidence, the configured order applies', () => {
  const candidates = [candidate('a', 9), candidate('b', 1, 0.9), candidate('c', 5, 0.9, 3)];
  const { by, order } = choose(candidates, rules, never);
  expect([by, order.map(({ engine }) => engine)]).toEqual(['order', ['a', 'b', 'c']]);
  expect(order[0]?.reason).toContain('fixed order');
  expect(choose([], rules, never)).toEqual({ by: 'order', order: [] });
});

test('one that cannot serve comes last, whatever its quality', () => {
  const candidates = [candidate('a', undefined, 1), candidate('b', 5, 0.6), candidate('c', 4, 0.6)];
  expect(enginesOf(candidates, rules, never)).toEqual(['c', 'b', 'a']);
});

test('of equal prices the configured order decides', () => {
  const candidates = [candidate('b', 5, 0.6), candidate('a', 5, 0.6)];
  expect(enginesOf(candidates, rules, never)).toEqual(['b', 'a']);
});

describe('exploration', () => {
  const candidates = [
    candidate('good', 5, 0.7),
    candidate('poor', 1, 0.4),
    candidate('new', 3),
    candidate('unable', undefined),
  ];
  const explored = (drawn: number) =>
    choose(candidates, { bar: 0.05, exploration: 0.1 }, () => drawn);

  test('tries each of the others for its share of the requests', () => {
    const firsts = Array.from({ length: 1000 }, (_, at) => explored(at / 1000).order[0]?.engine);
    const count = (engine: string) => firsts.filter((first) => first === engine).length;
    expect(['good', 'poor', 'new', 'unable'].map(count)).toEqual([900, 50, 50, 0]);
  });

  test('says so, and keeps the order of the rest for failover', () => {
    const { by, order } = explored(0.01);
    expect(by).toBe('exploration');
    expect(order.map(({ engine }) => engine)).toEqual(['poor', 'good', 'new', 'unable']);
    expect(order[0]?.reason).toContain('10 % of requests');
  });

  test('has no other to try where there is one', () => {
    expect(enginesOf([candidate('a', 1)], { bar: 0, exploration: 1 }, () => 0)).toEqual(['a']);
  });

  test('is the same for the same numbers', () => {
    const run = () => {
      let state = 5;
      const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
      return Array.from({ length: 50 }, () =>
        enginesOf(candidates, { bar: 0.05, exploration: 0.3 }, random),
      );
    };
    expect(run()).toEqual(run());
  });
});
