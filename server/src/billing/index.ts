// What other modules may use of billing.
export { openAnswer } from './answer-parts.ts';
export { auditMemory } from './audit-memory.ts';
export { auditLedger, auditLines, violationLines } from './audit.ts';
export { readBalance } from './balance.ts';
export { bookBatchWithin } from './book-batch.ts';
export { type Done, hold, holdNothing, orRelease, settle, type Work } from './charge.ts';
export type { BalanceContext, BillingContext, ServiceMetrics } from './context.ts';
export { countUnpaid } from './count-request.ts';
export { checkMaxCost, declined, howToTopUp } from './declined.ts';
export { foldTagDays, foldTagUsage } from './fold-tags.ts';
export { answerToKeep, claimKey, findStoredAnswer, freeKey, replay } from './idempotency.ts';
export { makeKeptAnswers } from './kept-answers.ts';
export { type Ledger, makeLedger } from './ledger.ts';
export type { LinkedRows } from './linked-rows.ts';
export {
  allowedOrder,
  checkAudioUrl,
  checkProviders,
  checkTool,
  isPolicyRefusal,
  pageNotAllowed,
  policyCeiling,
} from './policy-checks.ts';
export type { Posted, Posting } from './posting.ts';
export {
  checkCeiling,
  checkCost,
  type CheckedCost,
  maxCostOf,
  maxCostOfAll,
  sumOfCosts,
} from './price-call.ts';
export { makeRefusals } from './refusals.ts';
export type { Caller, RequestContext, Served } from './request-context.ts';
export { countServed, logFailure, requestRow } from './request-log.ts';
export { countGateways } from './store/gateways.ts';
export { deleteExpiredClaims, deleteRunningClaims } from './store/idempotency.ts';
export { findDueHolds, readTransfer } from './store/ledger.ts';
export { deleteOldMinutes } from './store/rate-limits.ts';
export { deleteOldRequests, forgetAsked, readUsage, usageByDay } from './store/requests.ts';
export { deleteExpiredTexts } from './store/stored-bytes.ts';
export { makeStoredBytes, storageFull, type StoredBytes, totalOf } from './stored-bytes.ts';
export { foldUsage, type LoggedCost } from './write-requests.ts';
