// An amount for tests, checked as everywhere else.
import { assertAmount } from '../src/domain/amount.ts';
import type { Amount } from '../src/domain/amount.ts';

export function amountOf(micro_usd: number): Amount {
  return assertAmount(micro_usd, 'the amount of a test');
}
