// Tallies: added in any grouping they are the same, and their intervals hold.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { amend, observe } from '../../../../bench/choice/observe.ts';
import { addTallies, discountByAge, emptyTally, estimate } from './tally.ts';

const tallyOf = (values: readonly number[]) => values.reduce(observe, emptyTally);
const quality = fc.double({ min: 0, max: 1, noNaN: true });

test('parts of the observations add up to the whole', () => {
  fc.assert(
    fc.property(fc.array(quality), fc.array(quality), (one, other) => {
      const parts = addTallies([tallyOf(one), tallyOf(other)]);
      const whole = tallyOf([...one, ...other]);
      expect(parts.n).toBe(whole.n);
      expect(parts.sum).toBeCloseTo(whole.sum, 9);
      expect(parts.squares).toBeCloseTo(whole.squares, 9);
    }),
  );
});

test.each([[-0.1], [1.1], [Number.NaN], [Infinity]])('%p is no quality', (value) => {
  expect(() => observe(emptyTally, value)).toThrow('is not a quality');
  expect(() => amend(tallyOf([0.5]), 0.5, value)).toThrow('is not a quality');
});

test('an amended observation leaves nothing of the first one', () => {
  const amended = amend(tallyOf([0.25, 0.75]), 0.75, 0.5);
  expect(amended).toEqual(tallyOf([0.25, 0.5]));
});

describe('an estimate', () => {
  test('is missing without observations, and wide with few', () => {
    expect(estimate(emptyTally)).toBeUndefined();
    const few = estimate(tallyOf([0.9, 0.9]));
    const many = estimate(tallyOf(Array<number>(200).fill(0.9)));
    expect(few?.lower).toBeLessThan(0.65);
    expect(many?.lower).toBeGreaterThan(0.88);
    expect(estimate(tallyOf([1]))?.upper).toBe(1);
    expect(estimate(tallyOf([0]))?.lower).toBe(0);
  });

  test('holds the true mean about as often as it says', () => {
    let state = 7;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    let held = 0;
    for (let round = 0; round < 1000; round += 1) {
      // The mean of the square of an even draw is a third.
      const found = estimate(tallyOf(Array.from({ length: 30 }, () => random() ** 2)));
      if (found && found.lower <= 1 / 3 && found.upper >= 1 / 3) held += 1;
    }
    expect(held).toBeGreaterThan(920);
    expect(held).toBeLessThan(985);
  });
});

test('older days weigh less, and are worth fewer observations', () => {
  const day = (number: number, value: number) => ({
    day: number,
    tally: tallyOf(Array<number>(50).fill(value)),
  });
  const both = discountByAge([day(0, 0.2), day(28, 0.8)], 28);
  // Two half-lives: the older day weighs a quarter.
  expect(both.sum / both.n).toBeCloseTo((0.2 * 0.25 + 0.8) / 1.25, 9);
  expect(both.n).toBeLessThan(100);
  expect(discountByAge([day(28, 0.8)], 28).n).toBeCloseTo(50, 9);
  expect(discountByAge([], 28)).toEqual(emptyTally);
  // A clock that was wrong must not make evidence worth more.
  expect(discountByAge([day(40, 0.8)], 28).n).toBeCloseTo(50, 9);
});
