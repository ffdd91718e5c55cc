// Where a text may be cut.
import { expect, test } from 'bun:test';
import { wholeEnd } from './whole-end.ts';

test('a character of two code units is not split', () => {
  const text = 'a😀b';
  expect([0, 1, 2, 3, 4, 9].map((end) => wholeEnd(text, end))).toEqual([0, 1, 1, 3, 4, 9]);
});
