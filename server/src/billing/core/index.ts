// The pure part of billing that other modules may use.
export {
  type Amount,
  assertAmount,
  greatestOf,
  highestCeiling,
  lesserOf,
  toAmount,
  zeroAmount,
} from './amount.ts';
export { askedIn } from './asked.ts';
export { type AccountState, dayOf, firstDayOfMonth, hourOf, type Transfer } from './book.ts';
export { canonicalJson } from './canonical-json.ts';
export type { AskedCost } from './cost-words.ts';
export { isFailure } from './failure.ts';
export { exactMicroUsd, microUsd, microUsdPerCredit, microUsdPerUsd, usd } from './money.ts';
export { isOn, readCount, readName, valueAt } from './native-values.ts';
export { overridePrices } from './price-overrides.ts';
export {
  audioCost,
  type Cost,
  highestRate,
  hourlyRate,
  type PriceTable,
  type ProductName,
  type ProviderRates,
  type Rates,
  reportedCost,
  sumOfReports,
  tierRate,
} from './prices.ts';
export { minuteOf, type RequestLimit, type RequestLimits } from './rate-limit.ts';
export { type Attempt, type CostPart, readDetail } from './request-detail.ts';
export type { RequestRow, Usage, UsageSums } from './request-row.ts';
export { foldedDay, readTags, tagPairs } from './tags.ts';
