// Money is exact to a micro-dollar, and is rounded up once.
import { expect, test } from 'bun:test';
import { microUsd, usageOf, usd } from './amount.ts';

test('usage gives dollars and credits of the same amount', () => {
  expect(usageOf(7000)).toEqual({ cost_usd: 0.007, credits: 7 });
  expect(usageOf(1980)).toEqual({ cost_usd: 0.00198, credits: 1.98 });
  expect(usageOf(0)).toEqual({ cost_usd: 0, credits: 0 });
});

test('dollars become whole micro-dollars', () => {
  expect(microUsd(0.007)).toBe(7000);
  expect(microUsd(0.1 + 0.2)).toBe(300_000);
  expect(microUsd(0.0000005)).toBe(1);
  expect(usd(microUsd(12.345678))).toBe(12.345678);
});
