// The parts of requests that other modules may use.
import * as notes from './notes.ts';

export { makeAnswerLog } from './answer-log.ts';
export { answerToKeep, withoutText } from './answer-parts.ts';
export type {
  Caller,
  CurrentRequest,
  RequestsContext,
  ResultNotes,
  Served,
  ServiceMetrics,
  StoredBytes,
} from './context.ts';
export {
  claimKey,
  endClaims,
  freeKey,
  openStoredAnswer,
  orLater,
  replay,
  takenOver,
} from './idempotency.ts';
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

export { countWithin, makeRefusals } from './refusals.ts';
export {
  type Attempt,
  type CostPart,
  type Shown,
  storableText,
  StoredWarning,
} from './request-detail.ts';
export { countServed, logFailure, noteAsked, requestRow, servedStatus } from './request-log.ts';
export { notes };
export { readLog, readLogErrors, readLoggedAnswer, readPurposes, readSearch } from './read-log.ts';
export {
  readAnswerTimes,
  readProviderHours,
  readProviderRecords,
  readUsageOverview,
  readUsageVersion,
} from './overview.ts';
export { noteSimulated, readSimulated, type SimulatedPeriods, wasSimulated } from './simulated.ts';
export { makeStoredBytes, storageFull, totalOf } from './stored-bytes.ts';
export { addTagUsage, type LoggedCost, takeOldTagUsage } from './write-requests.ts';
export { readAverageCost, readOwnUsage, readUsage } from './usage.ts';
export { readUsageChange } from './usage-change.ts';
