// Answers that wait for a retry: each is taken once, and they are bounded in time and length.
import { expect, test } from 'bun:test';
import { keepForRetry, makeUnchargedAnswers } from './uncharged-answers.ts';

const mebi = 1024 * 1024;

function openAnswers() {
  const clock = { now: 0 };
  return { clock, answers: makeUnchargedAnswers({ ticks: () => clock.now }) };
}

const of = (account_id: string, answer: object, chars: number) => ({ account_id, answer, chars });

test('an answer is taken once, and only under its own name', () => {
  const { answers } = openAnswers();
  const answer = {};
  expect(answers.keep('one', of('one', answer, 10))).toBe(true);
  expect([answers.take('two'), answers.take('constructor'), answers.take('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(answers.take('one')).toBe(answer);
  expect(answers.take('one')).toBeUndefined();
});

test('it is dropped after ten minutes', () => {
  const { clock, answers } = openAnswers();
  answers.keep('one', of('one', {}, 10));
  clock.now = 599_999;
  answers.keep('two', of('one', {}, 10));
  clock.now = 600_000;
  expect([answers.take('one'), answers.take('two')]).toEqual([undefined, {}]);
});

test('together they are at most 32 MiB, and the oldest goes first', () => {
  const { answers } = openAnswers();
  expect(answers.keep('huge', of('one', {}, 32 * mebi + 1))).toBe(false);
  for (let at = 0; at < 100; at += 1) answers.keep(`${at}`, of('one', { at }, mebi));
  // The same again replaces the first.
  answers.keep('99', of('one', { at: 'again' }, mebi));
  const left = Array.from({ length: 100 }, (_, at) => answers.take(`${at}`)).filter(Boolean);
  expect(left).toHaveLength(32);
  expect(left.at(-1)).toEqual({ at: 'again' });
});

test('the account that has most is trimmed first', () => {
  const { answers } = openAnswers();
  const own = {};
  answers.keep('own', of('two', own, mebi));
  for (let at = 0; at < 60; at += 1) answers.keep(`${at}`, of('one', {}, mebi));
  expect([answers.take('own'), answers.take('0'), answers.take('59')]).toEqual([
    own,
    undefined,
    {},
  ]);
});

test.each([
  ['a paid answer', 'one', false, {}],
  ['a free answer', 'one', true, undefined],
  ['an answer without a key', undefined, false, undefined],
])('the log says whether %s is kept', (_what, retryId, isFree, kept) => {
  const { answers } = openAnswers();
  const logged: string[] = [];
  const log = { error: (_fields: object, words: string) => logged.push(words) };
  const request = { retry_id: retryId, seen: {}, caller: { account_id: 'one' } };
  const failed = { isFree, error: new Error('full'), answer: {}, chars: 1 };
  keepForRetry({ uncharged: answers, log } as never, request as never, failed);
  expect(logged.map((words) => words.includes('is kept'))).toEqual([kept !== undefined]);
  expect(answers.take('one')).toEqual(kept);
});
