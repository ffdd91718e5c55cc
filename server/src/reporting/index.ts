// The parts of reporting that other modules may use.
export { readActivity } from './activity.ts';
export { attentionOf } from './core/attention.ts';
export { readAverageCost } from './usage.ts';
export { readOverview, readProviderHours, readProviderRecords } from './overview.ts';
export { readTransfers } from './reports.ts';
export {
  exportRequests,
  readErrorKinds,
  readRequest,
  readRequestAnswer,
  readRequests,
} from './request-log.ts';
export { seedLatencies } from './seed-latencies.ts';
export { readOwnUsage, readUsage } from './usage.ts';
