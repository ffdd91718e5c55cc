// Checks the sentence about a change of usage: rises, falls, what is compared, and new accounts.
import { expect, test } from 'bun:test';
import { changeWords, figuresOf } from './change-words.ts';

const sums = (cost_usd: number, requests: number) => ({ cost_usd, requests });
const change = {
  since: '2026-11-15T00:00:00.000Z',
  until: '2026-11-16T00:00:00.000Z',
  previous_since: '2026-11-14T00:00:00.000Z',
  previous_until: '2026-11-15T00:00:00.000Z',
  total: sums(17.3, 1240),
  previous: sums(3.1, 310),
  causes: [],
  not_compared: [],
};
const cost = { measure: 'cost' } as const;

test('a rise and a fall are named as such, and so is what stayed the same', () => {
  expect(changeWords(change, cost)).toBe('+$14.20 against the day before');
  const fell = { ...change, total: change.previous, previous: change.total };
  expect(changeWords(fell, cost)).toBe('−$14.20 against the day before');
  expect(changeWords({ ...change, previous: change.total }, cost)).toBe(
    '$17.30, as much as in the day before',
  );
});

test('the number of requests is named with their outcome', () => {
  const outcome = 'failed';
  const words = changeWords(change, { measure: 'requests', outcome });
  expect(words).toBe('+930 failed requests against the day before');
  const one = { ...change, total: sums(0, 1), previous: sums(0, 2) };
  expect(changeWords(one, { measure: 'requests' })).toBe('−1 request against the day before');
});

test('the range before is named by its length, and a part of a range as a part', () => {
  const until = (end: string) => changeWords({ ...change, until: end }, { ...cost, to: end });
  expect(until('2026-11-15T01:00:00.000Z')).toEndWith('against the hour before');
  expect(until('2026-11-16T01:00:00.000Z')).toEndWith('against the 25 hours before');
  expect(until('2026-11-22T00:00:00.000Z')).toEndWith('against the 7 days before');
  expect(until('2026-11-15T00:00:00.001Z')).toEndWith('against the same length of time before');
  const part = changeWords(
    { ...change, until: '2026-11-15T10:23:00.000Z' },
    { ...cost, to: change.until },
  );
  expect(part).toEndWith('against the same part of the day before');
});

test('an account that is newer than the range before is not compared with it', () => {
  expect(changeWords(change, { ...cost, created_at: '2026-11-14T08:00:00.000Z' })).toBe(
    '$17.30, which cannot be compared with the day before: the account was created on Nov 14, 2026',
  );
  expect(changeWords(change, { ...cost, created_at: '2026-11-13T08:00:00.000Z' })).toStartWith('+');
});

test('the figures say what is not compared', () => {
  expect(figuresOf(change)).toBe(
    'The cost went from $3.10 to $17.30, and the number of requests from 310 to 1,240.',
  );
  expect(figuresOf({ ...change, not_compared: ['tag'] })).toContain(' Tags cannot be compared');
  expect(figuresOf({ ...change, not_compared: ['key', 'tag'] })).toContain(' Keys and tags cannot');
});
