// Checks which groups are named as the cause of a change.
import { expect, test } from 'bun:test';
import { causesOf } from './causes.ts';

const named = (groups: Record<string, [before: number, now: number]>) => {
  const sum = (place: 0 | 1) =>
    Object.values(groups).reduce((total, sums) => total + sums[place], 0);
  const costs = (cost: number) => ({ cost, requests: 1 });
  const all = Object.entries(groups).map(([group, [before, now]]) => ({
    ...{ group, before: costs(before), now: costs(now) },
  }));
  const total = { before: costs(sum(0)), now: costs(sum(1)) };
  return causesOf(all, total, 'cost').map(({ group }) => group);
};

test('the group that rose is named, and those that stayed or rose little are not', () => {
  expect(named({ a: [10, 24], b: [5, 5], c: [1, 2] })).toEqual(['a']);
});

test('a fall is caused by what fell, the largest first', () => {
  expect(named({ a: [10, 6], b: [9, 4], c: [0, 1] })).toEqual(['b', 'a']);
});

test('what changed in the other direction is not named, however much it changed', () => {
  expect(named({ a: [0, 20], b: [18, 0] })).toEqual(['a']);
  expect(named({ a: [0, 18], b: [20, 0] })).toEqual(['b']);
});

test('no group is named where many share the change, or nothing changed', () => {
  expect(named({ a: [1, 2], b: [1, 2], c: [1, 2], d: [1, 2] })).toEqual([]);
  expect(named({ a: [1, 3], b: [3, 1] })).toEqual([]);
  expect(named({})).toEqual([]);
});

test('of many that are larger than the change itself, two are named', () => {
  expect(named({ a: [0, 9], b: [0, 8], c: [0, 7], d: [23, 0] })).toEqual(['a', 'b']);
});

test('the only group explains nothing, unless there was nothing before', () => {
  expect(named({ a: [1, 9] })).toEqual([]);
  expect(named({ a: [0, 9] })).toEqual(['a']);
});
