// The pure part of requests that other modules may use.
export { canonicalJson } from './idempotency-claims.ts';
export { dayOf, daysInWeek, firstDayOfMonth, mondayOf, mondaySql } from './days.ts';
export {
  type ClaimEntry,
  type ClaimOutcome,
  claimPlace,
  type ClaimRef,
  type ClaimState,
  decideClaim,
  extendClaim,
  freeClaim,
  isOwner,
  placesOf,
  storeAnswer,
  type StoredAnswer,
} from './idempotency-claims.ts';
export {
  type Counter,
  countersOf,
  countRequest,
  countRunning,
  isLimitedAtOnce,
  type KeyOfAccount,
  minuteCounters,
  minuteOf,
  openRateLimit,
  type RateLimit,
  rateLimited,
  type RateLimited,
  rateLimitError,
  rateLimitKey,
  type RequestLimit,
  type RequestLimits,
} from './rate-limit.ts';
export { costOfRequest, foldedDay, type RequestRow, tagPairs } from './request-row.ts';
