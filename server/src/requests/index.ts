// What other modules may use of requests.
export { openAnswer, withoutText } from './answer-parts.ts';
export type { RequestsContext, ServiceMetrics } from './context.ts';
export {
  answerToKeep,
  claimKey,
  findStoredAnswer,
  freeKey,
  replay,
  takenOver,
} from './idempotency.ts';
export { keepForRetry, type KeptAnswers, makeKeptAnswers, takeKept } from './kept-answers.ts';
export { journaledLog, makeLogQueue } from './log-queue.ts';
export {
  allowedOrder,
  checkAudioUrl,
  checkProviders,
  checkTool,
  isPolicyRefusal,
  pageNotAllowed,
} from './policy-checks.ts';
export { rateLimitError } from './rate-limit-error.ts';
export { makeRefusals } from './refusals.ts';
export type { Caller, RequestContext, Served } from './request-context.ts';
export {
  askedIn,
  type Attempt,
  type CostPart,
  readDetail,
  StoredWarning,
} from './request-detail.ts';
export { countServed, logFailure, requestRow, servedStatus } from './request-log.ts';
export { orLater } from './retry-later.ts';
export {
  claimSender,
  deleteExpiredClaims,
  deleteRunningClaims,
  endClaimsOf,
} from './store/idempotency.ts';
export { addToKeyMinutes, deleteOldMinutes, findKeyMinutes } from './store/rate-limits.ts';
export { deleteOldRequests, forgetAsked, readUsage, usageByDay } from './store/requests.ts';
export { deleteExpiredTexts } from './store/stored-bytes.ts';
export { addToTagUsage } from './store/tag-usage.ts';
export { makeStoredBytes, storageFull, type StoredBytes, totalOf } from './stored-bytes.ts';
export { foldUsage, type LoggedCost } from './write-requests.ts';
