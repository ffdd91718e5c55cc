// The checker of histories: what it accepts, what it refuses, and that it decides long histories.
import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../seeded-random.ts';
import { checkHistory, type HistoryEntry } from './linearizable.ts';

const add = (by: number, calledAt: number, returnedAt: number): HistoryEntry<number> => ({
  name: `add ${by}`,
  calledAt,
  returnedAt,
  apply: (state) => state + by,
});
const read = (value: number, calledAt: number, returnedAt: number): HistoryEntry<number> => ({
  name: `read ${value}`,
  calledAt,
  returnedAt,
  isRead: true,
  apply: (state) => (state === value ? state : undefined),
});
const check = (...history: HistoryEntry<number>[]) => checkHistory(0, history, String);

describe('a history', () => {
  test('of one entry after the other must match exactly', () => {
    expect(check(add(5, 0, 1), read(5, 2, 3), add(-2, 4, 5), read(3, 6, 7))).toBe('linearizable');
    expect(check(add(5, 0, 1), read(0, 2, 3))).toBe('impossible');
  });

  test('of a read beside a write may see it or not, but not un-see it', () => {
    expect(check(add(5, 0, 10), read(0, 1, 2), read(5, 3, 4))).toBe('linearizable');
    expect(check(add(5, 0, 10), read(5, 1, 2), read(0, 3, 4))).toBe('impossible');
  });

  test('may not show a state that no order of the writes passes', () => {
    expect(check(add(5, 0, 9), add(7, 0, 9), read(12, 1, 2))).toBe('linearizable');
    expect(check(add(5, 0, 9), add(7, 0, 9), read(6, 1, 2))).toBe('impossible');
  });

  test('may contain a write whose result no one saw, once, late or never', () => {
    const unseen = { ...add(-3, 5, Infinity), isOptional: true };
    expect(check(add(9, 0, 1), unseen, read(9, 10, 11))).toBe('linearizable');
    expect(check(add(9, 0, 1), unseen, read(9, 10, 11), read(6, 90, 91))).toBe('linearizable');
    expect(check(add(9, 0, 1), unseen, read(6, 10, 11), read(9, 90, 91))).toBe('impossible');
    expect(check(add(9, 0, 1), read(6, 2, 3), unseen)).toBe('impossible');
    expect(check(add(9, 0, 1), unseen, read(3, 90, 91))).toBe('impossible');
  });

  test('of a thousand entries, ten at a time, is decided', () => {
    const random = seededRandom(3);
    const history: HistoryEntry<number>[] = [];
    let state = 0;
    for (let at = 0; at < 1000; at += 1) {
      const [before, after] = [random() * 5, random() * 5];
      if (random() < 0.5) {
        const by = Math.floor(random() * 100) - 50;
        state += by;
        history.push(add(by, at - before, at + after));
      } else history.push(read(state, at - before, at + after));
    }
    expect(checkHistory(0, history, String)).toBe('linearizable');
  });

  test('that would take too long is undecided, which is no failure', () => {
    const adds = Array.from({ length: 24 }, (_, at) => add(2 ** at, 0, 100));
    expect(checkHistory(0, [...adds, read(-1, 101, 102)], String, 1000)).toBe('undecided');
  });
});
