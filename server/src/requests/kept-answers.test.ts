// Answers that wait for a retry: each is taken once, and they are bounded in time and length.
import { expect, test } from 'bun:test';
import { makeKeptAnswers } from './kept-answers.ts';

const mebi = 1024 * 1024;

function makeKept() {
  const clock = { now: 0 };
  return { clock, kept: makeKeptAnswers({ ticks: () => clock.now }) };
}

const of = (account_id: string, answer: object, chars: number) => ({ account_id, answer, chars });

test('an answer is taken once, and only under its own name', () => {
  const { kept } = makeKept();
  const answer = {};
  expect(kept.keep('one', of('one', answer, 10))).toBe(true);
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
  kept.keep('one', of('one', {}, 10));
  clock.now = 599_999;
  kept.keep('two', of('one', {}, 10));
  clock.now = 600_000;
  expect([kept.take('one'), kept.take('two')]).toEqual([undefined, {}]);
});

test('together they are at most 32 MiB, and the oldest goes first', () => {
  const { kept } = makeKept();
  expect(kept.keep('huge', of('one', {}, 32 * mebi + 1))).toBe(false);
  for (let at = 0; at < 100; at += 1) kept.keep(`${at}`, of('one', { at }, mebi));
  // The same again replaces the first.
  kept.keep('99', of('one', { at: 'again' }, mebi));
  const left = Array.from({ length: 100 }, (_, at) => kept.take(`${at}`)).filter(Boolean);
  expect(left).toHaveLength(32);
  expect(left.at(-1)).toEqual({ at: 'again' });
});

test('the account that has most is trimmed first', () => {
  const { kept } = makeKept();
  const own = {};
  kept.keep('own', of('two', own, mebi));
  for (let at = 0; at < 60; at += 1) kept.keep(`${at}`, of('one', {}, mebi));
  expect([kept.take('own'), kept.take('0'), kept.take('59')]).toEqual([own, undefined, {}]);
});
