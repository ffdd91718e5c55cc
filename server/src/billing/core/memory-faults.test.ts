// The audit reports memory that is inconsistent or differs from the store, whatever values it has.
import { describe, expect, test } from 'bun:test';
import { faultBetween, faultsWithin } from './audit-faults.ts';
import type { KnownAccount } from './reservations.ts';

const consistent: KnownAccount = { free: 100, reserved: 30, counted: 30, pending: 0 };

test('a consistent account has no fault, also when its available amount is not known', () => {
  expect(faultsWithin('a', consistent)).toEqual([]);
  expect(faultsWithin('a', { ...consistent, free: undefined })).toEqual([]);
  // A charge above its hold may have caused the debt.
  expect(faultsWithin('a', { ...consistent, free: -5 })).toEqual([]);
});

describe.each(['reserved', 'counted', 'pending'] as const)('%s', (name) => {
  test.each([NaN, Infinity, -Infinity, -1, 0.5, 1e308])('of %d is reported', (value) => {
    const faults = faultsWithin('acct_7', { ...consistent, [name]: value });
    expect(faults.join()).toContain(`account acct_7, found ${value} micro-USD`);
  });
});

test.each([NaN, Infinity, 0.5])('an available amount of %d is reported', (free) => {
  expect(faultsWithin('a', { ...consistent, free }).join()).toContain(`found ${free}`);
});

test('holds that do not add up are reported', () => {
  expect(faultsWithin('a', { ...consistent, reserved: 31 })).toEqual([
    'The reserved sum is the sum of the holds, 30 micro-USD: account a, found 31 micro-USD.',
  ]);
});

test('a different amount in the store is reported, unless memory does not know the amount', () => {
  const store = { posted: 120, held: 20 };
  expect(faultBetween('a', consistent, store)).toBeUndefined();
  expect(faultBetween('a', consistent, { ...store, held: 0 })).toContain('found 100, expected 120');
  expect(faultBetween('a', { ...consistent, free: NaN }, store)).toContain('found NaN');
  expect(faultBetween('a', { ...consistent, free: undefined }, store)).toBeUndefined();
  expect(faultBetween('a', undefined, store)).toBeUndefined();
});
