// The pure part of billing that other modules may use.
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
export { type AccountState, dayOf, firstDayOfMonth, hourOf, type Transfer } from './book.ts';
export { canonicalJson } from './canonical-json.ts';
export type { AskedCost } from './cost-words.ts';
export { isFailure } from './failure.ts';
export { overridePrices } from './price-overrides.ts';
export {
  audioCost,
  type Cost,
  highestRate,
  hourlyRate,
  isOn,
  type PriceTable,
  type ProductName,
  type ProviderRates,
  type Rates,
  readCount,
  readName,
  reportedCost,
  sumOfReports,
  tierRate,
  valueAt,
} from './prices.ts';
export { minuteOf, type RequestLimit, type RequestLimits } from './rate-limit.ts';
export {
  askedIn,
  type Attempt,
  type CostPart,
  readDetail,
  StoredWarning,
} from './request-detail.ts';
export type { RequestRow, Usage, UsageSums } from './request-row.ts';
export { foldedDay, readTags, tagPairs } from './tags.ts';
