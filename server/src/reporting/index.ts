// The parts of reporting that other modules may use.
export { readActivity, readOverview, readTransfers, seedLatencies } from './reports.ts';
export { attentionOf } from './core/attention.ts';
export {
  exportRequests,
  readErrorKinds,
  readRequest,
  readRequestAnswer,
  readRequests,
} from './request-log.ts';
