// Percentiles of few and of many values.
import { expect, test } from 'bun:test';
import { percentile, weightedPercentile } from './series.ts';

test('there is no percentile of an empty list', () => {
  expect(percentile([], 0.5)).toBeNull();
});

test('percentiles are measured values, in any order of the input', () => {
  const values = [30, 10, 20, 100, 40];
  expect(percentile(values, 0.5)).toBe(30);
  expect(percentile(values, 0.95)).toBe(100);
  expect(values).toEqual([30, 10, 20, 100, 40]);
});

test('a value counts as often as there are requests like it', () => {
  const values = [
    { value: 100, weight: 1 },
    { value: 900, weight: 5 },
  ];
  expect(weightedPercentile(values, 0.5)).toBe(900);
  expect(weightedPercentile(values, 0.1)).toBe(100);
  expect(weightedPercentile([], 0.5)).toBeNull();
});
