// The pure part of billing that other modules may use.
export { BrokenRuleError, type Rule } from './book-rules.ts';
export {
  type Amount,
  assertAmount,
  exactMicroUsd,
  greatestOf,
  highestCeiling,
  lesserOf,
  microUsd,
  microUsdPerCredit,
  microUsdPerUsd,
  toAmount,
  usd,
  zeroAmount,
} from './amount.ts';
export type { Transfer } from './book.ts';
export {
  type Cost,
  overridePrices,
  type PriceTable,
  type ProductName,
  type ProviderRates,
  type Rates,
} from './prices.ts';
