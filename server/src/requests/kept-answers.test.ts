// Answers that wait for a retry: each is taken once, and they are bounded in time and length.
import { expect, test } from 'bun:test';
import { makeKeptAnswers } from './kept-answers.ts';

const mebi = 1024 * 1024;

function makeKept() {
  const clock = { now: 0 };
  return { clock, kept: makeKeptAnswers({ ticks: () => clock.now }) };
}

test('an answer is taken once, and only under its own name', () => {
  const { kept } = makeKept();
  const answer = {};
  expect(kept.keep('one', answer, 10)).toBe(true);
  expect([kept.take('two'), kept.take('constructor'), kept.take('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(kept.take('one')).toBe(answer);
  expect(kept.take('one')).toBeUndefined();
});

test('it is dropped after ten minutes', () => {
  const { clock, kept } = makeKept();
  kept.keep('one', {}, 10);
  clock.now = 599_999;
  kept.keep('two', {}, 10);
  clock.now = 600_000;
  expect([kept.take('one'), kept.take('two')]).toEqual([undefined, {}]);
});

test('together they are at most 32 MiB, and the oldest goes first', () => {
  const { kept } = makeKept();
  expect(kept.keep('huge', {}, 32 * mebi + 1)).toBe(false);
  for (let at = 0; at < 100; at += 1) kept.keep(`${at}`, { at }, mebi);
  // The same again replaces the first.
  kept.keep('99', { at: 'again' }, mebi);
  const left = Array.from({ length: 100 }, (_, at) => kept.take(`${at}`)).filter(Boolean);
  expect(left).toHaveLength(32);
  expect(left.at(-1)).toEqual({ at: 'again' });
});
