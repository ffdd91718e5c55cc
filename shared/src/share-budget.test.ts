// How a budget is shared among texts.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { shareBudget } from './share-budget.ts';

const texts = (...lengths: number[]) => lengths.map((length, rank) => ({ length, rank }));

test('short texts stay complete, and long ones share the rest', () => {
  expect(shareBudget(texts(5, 5), 100)).toEqual([5, 5]);
  expect(shareBudget([], 100)).toEqual([]);
  const [first = 0, short, last = 0] = shareBudget(texts(1000, 10, 1000), 110);
  expect(short).toBe(10);
  expect(first + last).toBe(100);
});

test('the first results get the most', () => {
  const shares = shareBudget(texts(1000, 1000, 1000), 1000);
  expect(shares.toSorted((one, two) => two - one)).toEqual(shares);
  expect(shares[0]).toBeGreaterThan(shares[2] ?? 0);
});

test('a budget is never exceeded, and is used where texts need it', () => {
  const text = fc.record({ length: fc.nat(5000), rank: fc.nat(20) });
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 40 }),
      fc.integer({ min: 0, max: 10_000 }),
      (given, budget) => {
        const shares = shareBudget(given, budget);
        const sum = shares.reduce((total, share) => total + share, 0);
        const needed = given.reduce((total, { length }) => total + length, 0);
        expect(sum).toBeLessThanOrEqual(budget);
        // Each share is rounded down.
        expect(sum).toBeGreaterThanOrEqual(Math.min(needed, budget) - given.length);
        for (const [at, share] of shares.entries()) {
          expect(share).toBeLessThanOrEqual(given[at]?.length ?? 0);
        }
      },
    ),
  );
});
