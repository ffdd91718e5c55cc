// Points of the chart of price against quality: beside each other where prices are alike, and on an
// axis that has every interval and no more than is possible.
import { expect, test } from 'bun:test';
import { placesOf, qualityAxis } from './places.ts';

test('points with nearly the same price stand side by side, and others where they belong', () => {
  expect(placesOf([])).toEqual([]);
  expect(placesOf([0, 0.5, 1])).toEqual([0, 0, 0]);
  expect(placesOf([0.5, 0.1, 0.52, 0.51])).toEqual([-12, 0, 12, 0]);
  expect(placesOf([0, 0])).toEqual([-6, 6]);
});

test.each([
  [[], [0.98, 1]],
  [[[0, 1]], [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [[[1, 1]], [0.98, 1]],
  [[[0, 0]], [0, 0.02]],
  [
    [
      [0.41, 0.44],
      [0.5, 0.62],
    ],
    [0.4, 0.45, 0.5, 0.55, 0.6, 0.65],
  ],
  [[[0.3, 0.7]], [0.3, 0.4, 0.5, 0.6, 0.7]],
])('the axis of %j has the ticks %j', (intervals, ticks) => {
  const given = intervals.map(([lower = 0, upper = 0]) => ({ lower, upper }));
  const { bottom, top, values } = qualityAxis(given);
  expect(values.map((value) => Number(value.toFixed(6)))).toEqual(ticks);
  expect([bottom, top]).toEqual([values[0] ?? -1, values.at(-1) ?? -1]);
});
