// The parts of transcription that other modules may use.
export { type Discovered, discoverVendorSettings } from './discover-vendor-settings.ts';
export { type JobContext, canCallBack } from './job-context.ts';
export { jobRows } from './job-changes.ts';
export { readJobs, readOwnJobs } from './list-jobs.ts';
export {
  type JobAnswer,
  type RawAnswer,
  readJob,
  readJobBriefly,
  readJobParts,
  readRawDocument,
} from './read-job.ts';
export { readRecording } from './read-recording.ts';
export { receiveCallback } from './receive-callback.ts';
export { startJobs } from './start-jobs.ts';
export { countOpenJobs, type JobCount } from './store/job-reports.ts';
export { makeTranscriptionTool, priceOfTranscription } from './transcribe.ts';
export {
  findLastChange,
  findRequestsOfJobs,
  listJobTimes,
  transcriptBytes,
} from './store/job-reports.ts';
