// Kendall's tau, by hand, and the tables of the documentation.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kendallTau } from './kendall.ts';
import { choosingPage } from './report.ts';

test('tau is 1 for the same order, -1 for the reversed one, and allows for ties', () => {
  expect(kendallTau([1, 2, 3], [10, 20, 30])).toBe(1);
  expect(kendallTau([1, 2, 3], [3, 2, 1])).toBe(-1);
  expect(kendallTau([1, 2, 3, 4], [1, 2, 4, 3])).toBeCloseTo(4 / 6, 12);
  // scipy.stats.kendalltau gives the same.
  expect(kendallTau([1, 2, 2, 3], [1, 2, 3, 4])).toBeCloseTo(0.9128709291752769, 12);
});

test('the tables in the documentation are those of the measurements', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/choosing.md'), 'utf8');
  expect(choosingPage()).toBe(page);
});
