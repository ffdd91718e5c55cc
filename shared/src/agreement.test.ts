// Agreement without judgements: who votes, what a vote is worth, and what no engine can gain.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareAnswers, opinionsOf } from './agreement.ts';

const list = (engine: string, pages: string) => ({
  engine,
  pages: pages.split(' ').filter(Boolean),
});
const agreementOf = (engine: string, ...args: Parameters<typeof compareAnswers>) =>
  compareAnswers(...args).get(engine)?.agreement;

test('an engine that returns what the others agree on agrees more than one that does not', () => {
  const answers = [list('a', 'p q r'), list('b', 'p q s'), list('c', 'q p t'), list('d', 'x y z')];
  const found = compareAnswers(answers);
  expect(found.get('a')?.agreement).toBeGreaterThan(0.3);
  expect(found.get('d')).toEqual({ agreement: 0, unique: 3, compared: 3 });
  expect(found.get('a')?.unique).toBe(1);
});

test('an engine does not vote on itself', () => {
  const others = [list('b', 'p q'), list('c', 'p q')];
  const alone = agreementOf('a', [list('a', 'x p q'), ...others]);
  const repeated = agreementOf('a', [list('a', 'x x x x p q'), ...others]);
  expect(alone).toBeLessThan(1);
  expect(repeated).toBe(alone);
});

test('engines on one index are one opinion, and do not vote on each other', () => {
  const answers = [
    list('a', 'p q'),
    list('copy1', 'x y'),
    list('copy2', 'x y'),
    list('copy3', 'x y'),
    list('b', 'p q'),
  ];
  const opinions = [['a'], ['b'], ['copy1', 'copy2', 'copy3']];
  expect(agreementOf('copy1', answers)).toBeGreaterThan(0.3);
  expect(agreementOf('copy1', answers, opinions)).toBe(0);
  const oneCopy = answers.filter(({ engine }) => !['copy2', 'copy3'].includes(engine));
  expect(agreementOf('a', answers, opinions)).toBe(agreementOf('a', oneCopy));
  expect(agreementOf('a', answers)).not.toBe(agreementOf('a', oneCopy));
});

test('a page that every engine returns counts little', () => {
  const shared = [list('b', 'all p'), list('c', 'all p'), list('d', 'all q')];
  const onlyShared = agreementOf('a', [list('a', 'all'), ...shared]) ?? 0;
  const onlyChosen = agreementOf('a', [list('a', 'p'), ...shared]) ?? 0;
  expect(onlyChosen).toBeGreaterThan(onlyShared);
});

test('an empty answer agrees with nothing, and has no vote', () => {
  const answers = [list('a', ''), list('b', 'p q'), list('c', 'p q')];
  expect(agreementOf('a', answers)).toBe(0);
  expect(agreementOf('b', answers)).toBeUndefined();
  expect(agreementOf('a', [list('a', 'p'), list('b', ''), list('c', '')])).toBeUndefined();
});

test('two engines are not enough for a panel', () => {
  expect(agreementOf('a', [list('a', 'p'), list('b', 'p')])).toBeUndefined();
  expect(compareAnswers([]).size).toBe(0);
});

test('engines share an opinion through another engine, and an unknown overlap does not join them', () => {
  const overlap = new Map([
    ['a b', 0.9],
    ['b c', 0.8],
    ['c d', 0.3],
  ]);
  const overlapOf = (one: string, other: string) => overlap.get([one, other].toSorted().join(' '));
  const sorted = opinionsOf(['a', 'c', 'd', 'b', 'e'], overlapOf).map((group) => group.toSorted());
  expect(sorted.toSorted()).toEqual([['a', 'b', 'c'], ['d'], ['e']]);
});

test('agreement is from 0 to 1, and no order of the panel changes it', () => {
  const pages = fc.array(fc.constantFrom('p', 'q', 'r', 's', 't', '__proto__'), { maxLength: 14 });
  fc.assert(
    fc.property(fc.array(pages, { minLength: 3, maxLength: 6 }), (lists) => {
      const answers = lists.map((each, at) => ({ engine: `e${at}`, pages: each }));
      const found = compareAnswers(answers);
      const reversed = compareAnswers(answers.toReversed());
      for (const [engine, { agreement, unique, compared }] of found) {
        expect(unique).toBeLessThanOrEqual(compared);
        if (agreement === undefined) continue;
        expect(agreement).toBeGreaterThanOrEqual(0);
        expect(agreement).toBeLessThanOrEqual(1);
        expect(reversed.get(engine)?.agreement).toBeCloseTo(agreement, 10);
      }
    }),
  );
});
