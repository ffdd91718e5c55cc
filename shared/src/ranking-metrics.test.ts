// The metrics of ranked lists, calculated by hand; e2e/clients/ranking-metrics.test.ts compares
// them with established tools.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { measureRanking } from './ranking-metrics.ts';

const grades = new Map([
  ['a', 3],
  ['b', 1],
  ['c', 0],
  ['d', -1],
]);

test('every metric of a perfect list is 1', () => {
  expect(measureRanking(['a', 'b'], grades)).toEqual({ ndcg: 1, recall: 1, reciprocalRank: 1 });
});

test('each metric by hand', () => {
  const { ndcg, recall, reciprocalRank } = measureRanking(['x', 'd', 'b', 'a'], grades);
  const ideal = 3 + 1 / Math.log2(3);
  expect(ndcg).toBeCloseTo((1 / Math.log2(4) + 3 / Math.log2(5)) / ideal, 12);
  expect([recall, reciprocalRank]).toEqual([1, 1 / 3]);
  expect(measureRanking(['x', 'b', 'a'], grades, 2)).toMatchObject({
    recall: 0.5,
    reciprocalRank: 0.5,
  });
});

test('every metric is 0 for an empty list, and for a query without a relevant page', () => {
  const nothing = { ndcg: 0, recall: 0, reciprocalRank: 0 };
  expect(measureRanking([], grades)).toEqual(nothing);
  expect(measureRanking(['a'], new Map())).toEqual(nothing);
  expect(measureRanking(['c', 'd'], new Map([['c', 0]]))).toEqual(nothing);
});

test('a page counts once, under whichever name', () => {
  expect(measureRanking(['a', 'a', 'a', 'b'], grades)).toEqual(measureRanking(['a', 'b'], grades));
  const odd = new Map([['__proto__', 1]]);
  expect(measureRanking(['__proto__'], odd).ndcg).toBe(1);
  expect(measureRanking(['constructor'], odd).ndcg).toBe(0);
});

test('every metric is from 0 to 1', () => {
  const page = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const graded = fc.array(fc.tuple(page, fc.integer({ min: -2, max: 5 })));
  fc.assert(
    fc.property(fc.array(page), graded, fc.integer({ min: 1, max: 12 }), (list, given, depth) => {
      for (const value of Object.values(measureRanking(list, new Map(given), depth))) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
      }
    }),
  );
});
