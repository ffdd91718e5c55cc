// Tests of growing pauses.
import { describe, expect, test } from 'bun:test';
import { backoff } from './backoff.ts';

describe('backoff', () => {
  const pauseAfter = backoff(100, 3, 1000);

  test('grows by its factor from the first pause to the longest', () => {
    expect([1, 2, 3, 4, 10_000].map((failures) => pauseAfter(failures))).toEqual([
      100, 300, 900, 1000, 1000,
    ]);
  });

  test('is never shorter than asked', () => {
    expect(pauseAfter(1, 0, 250)).toBe(250);
    expect(pauseAfter(4, 0, 5000)).toBe(5000);
  });

  test('is shorter and longer by up to its shares', () => {
    const jittered = backoff(100, 3, 1000, { shorter: 0.2, longer: 0.25 });
    expect([0, 1].map((random) => jittered(1, random))).toEqual([80, 125]);
    expect([0, 1].map((random) => jittered(9, random))).toEqual([800, 1250]);
  });
});
