// The parts of reporting that other modules may use.
export { readActivity, readTransfers, seedLatencies } from './reports.ts';
export { attentionOf } from './core/attention.ts';
export { readAverageCost, readOwnUsage, readUsage } from './usage.ts';
export { readOverview, readProviderHours, readProviderRecords } from './overview.ts';
export {
  exportRequests,
  readErrorKinds,
  readRequest,
  readRequestAnswer,
  readRequests,
} from './request-log.ts';
