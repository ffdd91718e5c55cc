// Ticks at round numbers: the axis begins at zero, ends above the data, and counts are whole.
import { expect, test } from 'bun:test';
import { isLabelled, ticksFor } from './ticks.ts';

test('ticks are round and few, and reach above the data', () => {
  for (const most of [1, 2, 3, 7, 9, 10, 41, 432, 999, 1001, 5e9]) {
    const { values, step, top } = ticksFor(most, true);
    expect(values.every(Number.isInteger)).toBe(true);
    expect(values[0]).toBe(0);
    expect(values.length).toBeLessThanOrEqual(6);
    expect([most <= top, top - most < step]).toEqual([true, true]);
  }
  expect(ticksFor(432, true).values).toEqual([0, 200, 400, 600]);
  expect(ticksFor(3, true).values).toEqual([0, 1, 2, 3]);
});

test('small amounts have small steps, and an empty chart has an axis', () => {
  expect(ticksFor(0.003, false).step).toBeCloseTo(0.001, 9);
  expect(ticksFor(0, true).values).toEqual([0, 1]);
  expect(ticksFor(0, false).top).toBeGreaterThan(0);
});

test('the last place of a time axis has a label, and labels are evenly spaced', () => {
  const places = (count: number, wanted: number) =>
    Array.from({ length: count }, (_, place) => place).filter((place) =>
      isLabelled(place, count, wanted),
    );
  expect(places(7, 8)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(places(24, 6)).toEqual([3, 7, 11, 15, 19, 23]);
  expect(places(1, 6)).toEqual([0]);
});
