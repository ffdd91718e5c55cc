// The parts of reporting that other modules may use.
export { readActivity, readOverview, readTransfers, seedLatencies } from './reports.ts';
export { findAnything } from './find.ts';
export {
  accountOfRequest,
  exportRequests,
  noRequest,
  readErrorKinds,
  readRequest,
  readRequestAnswer,
  readRequests,
} from './request-log.ts';
