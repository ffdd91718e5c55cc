// The parts of requests that other modules may use.
export { makeAnswerLog } from './answer-log.ts';
export { answerToKeep, openAnswer, withoutText } from './answer-parts.ts';
export type {
  AnswerParts,
  Caller,
  CurrentRequest,
  RequestsContext,
  Served,
  ServiceMetrics,
  StoredBytes,
} from './context.ts';
export { claimKey, findStoredAnswer, freeKey, orLater, replay, takenOver } from './idempotency.ts';
export { logPartitions, requestExpiry } from './expiry.ts';
export { keepForRetry, makeUnchargedAnswers, takeUncharged } from './uncharged-answers.ts';
export { journaledLog, makeLogQueue } from './log-queue.ts';
export {
  allowedOrder,
  checkAudioUrl,
  checkProviders,
  checkTool,
  isPolicyRefusal,
  pageNotAllowed,
} from './policy-checks.ts';

export { makeRefusals } from './refusals.ts';
export {
  askedIn,
  type Attempt,
  type CostPart,
  maxLoggedChars,
  type Shown,
  StoredWarning,
} from './request-detail.ts';
export { countServed, logFailure, requestRow, servedStatus } from './request-log.ts';
export { deleteRunningClaims, endClaimsOf } from './store/idempotency.ts';
export { addToKeyMinutes, findKeyMinutes } from './store/rate-limits.ts';
export { costOfRequest } from './store/requests.ts';
export { readLog, readLogErrors, readLoggedAnswer, readSearch } from './read-log.ts';
export { readProviderHours, readProviderRecords, readUsageOverview } from './overview.ts';
export { tagUsage } from './store/usage.ts';
export { makeStoredBytes, storageFull, totalOf } from './stored-bytes.ts';
export type { LoggedCost } from './write-requests.ts';
export { findPurposes, listAnswerTimes, type Purpose, sumSince } from './store/samples.ts';
export { readAverageCost, readOwnUsage, readUsage } from './usage.ts';
