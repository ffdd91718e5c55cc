// Votes: every account is equal in a week, sums do not depend on how they are grouped, and the
// running week weighs no more than its days.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayOf } from '../../requests/core/index.ts';
import { observe, weighAccountsEqually } from '../../../../bench/choice/observe.ts';
import { addTallies, emptyTally, reduceVotes, scaleVotes, shareOfWeek, votesOf } from './tally.ts';

const tallyOf = (values: readonly number[]) => values.reduce(observe, emptyTally);
const repeated = (count: number, value: number) => tallyOf(Array<number>(count).fill(value));

test('one account cannot decide for others, and few searches are a part of a vote', () => {
  const [loud, quiet] = [repeated(10_000, 1), repeated(10, 0.2)];
  const { n, sum } = weighAccountsEqually([loud, quiet, quiet, repeated(2, 1)]);
  expect(sum / n).toBeCloseTo((1 + 0.2 + 0.2 + 0.4) / 3.4, 9);
  expect(n).toBeLessThan(46);
  // A single search of another account does not take the worth of many.
  expect(weighAccountsEqually([repeated(1000, 0.5), repeated(1, 1)]).n).toBeGreaterThan(30);
  expect(weighAccountsEqually([])).toEqual(emptyTally);
});

test('equal accounts are worth all of their observations', () => {
  for (const each of [1, 4, 5, 200]) {
    const { n, sum } = weighAccountsEqually(Array.from({ length: 30 }, () => repeated(each, 0.5)));
    expect(n).toBeCloseTo(30 * each, 6);
    expect(sum / n).toBeCloseTo(0.5, 9);
  }
});

test('the parts of accounts by day and class add up to their votes', () => {
  const quality = fc.double({ min: 0, max: 1, noNaN: true });
  const account = fc.array(fc.array(quality, { maxLength: 20 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(account, { maxLength: 6 }), (accounts) => {
      const parts = accounts.flatMap((values) => {
        const ofWeek = values.flat().length;
        return values.map((part) => votesOf(tallyOf(part), ofWeek));
      });
      const added = addTallies(scaleVotes(parts));
      const whole = weighAccountsEqually(accounts.map((values) => tallyOf(values.flat())));
      expect(added.n).toBeCloseTo(whole.n, 6);
      expect(added.sum).toBeCloseTo(whole.sum, 6);
      expect(added.squares).toBeCloseTo(whole.squares, 6);
    }),
  );
});

test('the running week counts by its days so far', () => {
  const monday = dayOf(Date.parse('2026-11-16'));
  const shares = [0, 2, 6, 7, 500].map((passed) => shareOfWeek(monday, monday + passed));
  expect(shares).toEqual([1 / 7, 3 / 7, 1, 1, 1]);
  const [past, running] = [votesOf(repeated(100, 0.2)), votesOf(repeated(5, 1))];
  const { n, sum } = addTallies(scaleVotes([past, reduceVotes(running, 1 / 7)]));
  expect(sum / n).toBeCloseTo((0.2 + 1 / 7) / (1 + 1 / 7), 9);
  expect(n).toBeGreaterThan(90);
});
