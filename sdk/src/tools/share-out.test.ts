// How a budget of characters is divided among pages.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { shareOut } from './share-out.ts';

test('short pages are whole, and long ones share the rest', () => {
  expect(shareOut([1000, 10, 1000], 110)).toEqual([50, 10, 50]);
  expect(shareOut([5, 5], 100)).toEqual([5, 5]);
  expect(shareOut([], 100)).toEqual([]);
});

test('the budget is never exceeded, and never left unused by a longer page', () => {
  const lengths = fc.array(fc.nat(10_000), { maxLength: 10 });
  fc.assert(
    fc.property(lengths, fc.nat(20_000), (pages, budget) => {
      const shares = shareOut(pages, budget);
      const total = shares.reduce((sum, share) => sum + share, 0);
      const wanted = pages.reduce((sum, page) => sum + page, 0);
      expect(total).toBeLessThanOrEqual(budget);
      expect(total).toBeGreaterThanOrEqual(Math.min(wanted, budget) - pages.length);
      expect(shares.every((share, at) => share <= (pages[at] ?? 0))).toBe(true);
    }),
  );
});
