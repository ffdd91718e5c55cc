// Memory that does not agree with itself or with the store is told, whatever stands in it.
import { describe, expect, test } from 'bun:test';
import { faultBetween, faultsWithin } from './memory-faults.ts';
import type { KnownAccount } from './reservations.ts';

const sound: KnownAccount = { free: 100, reserved: 30, counted: 30, pending: 0 };

test('an account in order has no fault, whether what is free is known or not', () => {
  expect(faultsWithin('a', sound)).toEqual([]);
  expect(faultsWithin('a', { ...sound, free: undefined })).toEqual([]);
  // A report above its hold may have taken it there.
  expect(faultsWithin('a', { ...sound, free: -5 })).toEqual([]);
});

describe.each(['reserved', 'counted', 'pending'] as const)('%s', (name) => {
  test.each([NaN, Infinity, -Infinity, -1, 0.5, 1e308])('of %d is told', (value) => {
    const faults = faultsWithin('acct_7', { ...sound, [name]: value });
    expect(faults.join()).toContain(`account acct_7, found ${value} micro-USD`);
  });
});

test.each([NaN, Infinity, 0.5])('a free amount of %d is told', (free) => {
  expect(faultsWithin('a', { ...sound, free }).join()).toContain(`found ${free}`);
});

test('reservations that do not add up are told', () => {
  expect(faultsWithin('a', { ...sound, reserved: 31 })).toEqual([
    'What is reserved is the sum of 30 micro-USD: account a, found 31 micro-USD.',
  ]);
});

test('a store that has another amount is told, and one that memory does not know is not', () => {
  const store = { posted: 120, held: 20 };
  expect(faultBetween('a', sound, store)).toBeUndefined();
  expect(faultBetween('a', sound, { ...store, held: 0 })).toContain('found 100, expected 120');
  expect(faultBetween('a', { ...sound, free: NaN }, store)).toContain('found NaN');
  expect(faultBetween('a', { ...sound, free: undefined }, store)).toBeUndefined();
  expect(faultBetween('a', undefined, store)).toBeUndefined();
});
