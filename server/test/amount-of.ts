// An amount for tests, checked as everywhere else.
import { type Amount, assertAmount } from '../src/billing/core/amount.ts';

export function amountOf(microUsd: number): Amount {
  return assertAmount(microUsd, 'the amount of a test');
}
