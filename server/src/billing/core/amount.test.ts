// An amount is whole micro-USD between 0 and a ceiling; nothing else is accepted.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { assertAmount, highestCeiling, toAmount } from './amount.ts';

const ceiling = toAmount(10_000_000) ?? highestCeiling;

test('whole figures from 0 to the ceiling are amounts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: ceiling }), (figure) => {
      expect(toAmount(figure, ceiling)).toBe(toAmount(figure));
      expect(Number(assertAmount(figure, 'a hold'))).toBe(figure);
    }),
  );
});

const hostile = [-1, -1e-9, 0.5, 10.000_01, 1e308, NaN, Infinity, -Infinity, 2 ** 53, ceiling + 1];
const otherTypes = ['1', '', null, undefined, {}, [], [1], true, 'constructor', 10n];

test('nothing else is an amount', () => {
  for (const figure of [...hostile, ...otherTypes]) {
    expect(toAmount(figure, ceiling)).toBeUndefined();
  }
});

test('an invalid amount throws an error that names it', () => {
  expect(() => assertAmount(NaN, 'the hold of req_1')).toThrow('the hold of req_1');
});
