// Alerts of budgets: at 80 and at 100 %, once for each cap and period.
import { expect, test } from 'bun:test';
import { alertOf } from './caps.ts';

const cap = { cap: 100, spent: 0, period: '2026-11-18', announced: null };

test.each([
  [79, undefined],
  [80, 80],
  [99, 80],
  [100, 100],
  [250, 100],
])('of 100, %d is the alert %p', (spent, percent) => {
  expect(alertOf({ ...cap, spent })?.percent).toBe(percent as 80);
});

test('a level is announced once, and then the next one', () => {
  const announced = alertOf({ ...cap, spent: 85 })?.mark ?? null;
  expect(alertOf({ ...cap, spent: 95, announced })).toBeUndefined();
  expect(alertOf({ ...cap, spent: 100, announced })?.percent).toBe(100);
  const all = alertOf({ ...cap, spent: 100 })?.mark ?? null;
  // What is held can be returned: it was used up, and stays announced.
  expect(alertOf({ ...cap, spent: 90, announced: all })).toBeUndefined();
});

test('another period or another cap is announced again', () => {
  const announced = alertOf({ ...cap, spent: 100 })?.mark ?? null;
  expect(alertOf({ ...cap, spent: 90, period: '2026-11-19', announced })?.percent).toBe(80);
  expect(alertOf({ ...cap, cap: 110, spent: 100, announced })?.percent).toBe(80);
});

test('a budget without a cap, or that allows nothing, has no alerts', () => {
  expect(alertOf({ ...cap, cap: null, spent: 10 })).toBeUndefined();
  expect(alertOf({ ...cap, cap: 0, spent: 10 })).toBeUndefined();
});
