// Excerpts are cut to the letter, and never through a character.
import { expect, test } from 'bun:test';
import { cutTo } from './text.ts';

test('a cut never splits a character', () => {
  expect(cutTo('abc', 2)).toBe('ab');
  expect(cutTo('abc', 3)).toBe('abc');
  expect(cutTo('a😀b', 2)).toBe('a');
  expect(cutTo('a😀b', 3)).toBe('a😀');
});
