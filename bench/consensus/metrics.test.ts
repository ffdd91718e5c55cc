// The figures of the study on examples that were worked out by hand.
import { expect, test } from 'bun:test';
import { choices, compare, overlap } from './compare.ts';
import { bootstrapMean, measure } from './metrics.ts';

const binary = new Map([
  ['a', 1],
  ['b', 1],
  ['c', 1],
]);

test('nDCG, recall and the reciprocal rank of a short list', () => {
  const quality = measure(['x', 'a', 'y', 'b'], binary);
  // Gains at positions 2 and 4: 1/log2(3) + 1/log2(5); the best order has 1 + 1/log2(3) + 1/2.
  expect(quality.ndcg).toBeCloseTo((0.63093 + 0.43068) / (1 + 0.63093 + 0.5), 4);
  expect(quality.recall).toBeCloseTo(2 / 3, 12);
  expect(quality.reciprocalRank).toBe(0.5);
});

test('grades weigh as 1, 3 and 7, and the best order has the highest first', () => {
  const grades = new Map([
    ['best', 3],
    ['good', 2],
    ['fair', 1],
  ]);
  expect(measure(['best', 'good', 'fair'], grades).ndcg).toBeCloseTo(1, 12);
  const turned = measure(['fair', 'good', 'best'], grades).ndcg;
  expect(turned).toBeCloseTo((1 + 3 * 0.63093 + 7 / 2) / (7 + 3 * 0.63093 + 1 / 2), 4);
});

test('only the first ten count, and ten relevant pages are enough for a full recall', () => {
  const many = new Map(Array.from({ length: 30 }, (_, page) => [page, 1]));
  const list = Array.from({ length: 30 }, (_, page) => page);
  expect(measure(list, many)).toEqual({ ndcg: 1, recall: 1, reciprocalRank: 1 });
  const late = [...Array.from({ length: 10 }, (_, at) => 100 + at), 0];
  expect(measure(late, many)).toEqual({ ndcg: 0, recall: 0, reciprocalRank: 0 });
  expect(measure([], many)).toEqual({ ndcg: 0, recall: 0, reciprocalRank: 0 });
});

test('a bootstrap interval holds the mean, is repeatable and narrows with more pairs', () => {
  const pairs = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 0.2 : 0));
  const small = bootstrapMean([pairs]);
  expect(small.mean).toBeCloseTo(0.1, 12);
  expect(small.low).toBeGreaterThan(0);
  expect(small.low).toBeLessThan(0.1);
  expect(small.high).toBeGreaterThan(0.1);
  expect(bootstrapMean([pairs])).toEqual(small);
  const large = bootstrapMean([Array.from({ length: 20 }, () => pairs).flat()]);
  expect(large.high - large.low).toBeLessThan((small.high - small.low) / 3);
  expect(bootstrapMean([[0.5, 0.5, 0.5]])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
});

test('every group weighs the same, however many questions it has', () => {
  expect(bootstrapMean([[1], Array.from({ length: 99 }, () => 0)]).mean).toBe(0.5);
});

test('all panels of two out of four, and the overlap of two lists', () => {
  expect(choices(4, 2).map((panel) => panel.join(''))).toEqual([
    '01',
    '02',
    '03',
    '12',
    '13',
    '23',
  ]);
  expect(choices(8, 4)).toHaveLength(70);
  expect(overlap([1, 2, 3, 4], [4, 3, 9])).toBeCloseTo(2 / 3, 12);
  expect(overlap([], [1])).toBe(0);
});

test('the best member is chosen for each panel, by all its questions', () => {
  const { ways, panels } = compare({
    members: ['first', 'second', 'third'],
    panels: choices(3, 2),
    grades: [new Map([[1, 1]]), new Map([[2, 1]])],
    lots: [
      [
        [[1], [9], [9, 1]],
        [[2], [2], [9, 8, 7]],
      ],
    ],
  });
  const gains = (way: string) => ways.get(way)?.map(({ ndcg }) => Number(ndcg.toFixed(3)));
  expect(gains('first')).toEqual([1, 1]);
  expect(gains('second')).toEqual([0, 1]);
  // Second leads third by its mean of 0.5 against 0.315, though third is better on question one.
  expect(gains('best member afterwards')).toEqual([0.667, 1]);
  expect(panels.map((panel) => panel.overlap)).toEqual([0.5, 0.5, 0.5]);
});
