// A warning appears before the balance runs out, and not without a reason.
import { expect, test } from 'bun:test';
import { forecastOf } from './balance-warning.tsx';

test.each([
  [{ balance_usd: 0 }, 0, 'empty'],
  [{ balance_usd: -1 }, 0, 'empty'],
  [{ balance_usd: 4, low_balance_usd: 5 }, 0, 'low'],
  [{ balance_usd: 5, low_balance_usd: 5 }, 0, undefined],
  [{ balance_usd: 10 }, 5, 2],
  [{ balance_usd: 10 }, 0, undefined],
  [{ balance_usd: 10 }, 1, undefined],
] as const)('%j at %d USD a day: %p', (money, perDay, forecast) => {
  expect(forecastOf(money, perDay)).toBe(forecast);
});
