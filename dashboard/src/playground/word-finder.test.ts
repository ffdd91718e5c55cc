// The word at a moment of a recording: the last one that has begun.
import { expect, test } from 'bun:test';
import { makeWordFinder } from './word-finder.ts';

const at = (starts: readonly number[]) => makeWordFinder(starts.map((start) => ({ start })));

test('before the first word there is none, and in a pause it is the word before', () => {
  const find = at([1, 1.4, 5]);
  expect([0, 0.99, 1, 1.2, 1.4, 3, 5, 1e9].map(find)).toEqual([-1, -1, 0, 0, 1, 1, 2, 2]);
});

test('a player that seeks slightly too early is at the requested word', () => {
  expect(at([1, 1.4, 5])(1.399999)).toBe(1);
});

test('words that are not sorted by time are found by their times', () => {
  const find = at([3, 1, 2]);
  expect([1, 2, 3].map(find)).toEqual([1, 2, 0]);
});

test('without words, or without a time, nothing is found', () => {
  expect([at([])(1), at([0])(Number.NaN)]).toEqual([-1, -1]);
});

test('each of 20,000 words is found at its start', () => {
  const starts = Array.from({ length: 20_000 }, (_, index) => index * 0.4);
  const find = at(starts);
  expect(starts.every((start, index) => find(start) === index)).toBe(true);
});
