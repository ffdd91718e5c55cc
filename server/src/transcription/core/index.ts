// The pure part of transcription that other modules may use.
export { baseLanguage, readLanguage } from './language.ts';
export {
  type Failure,
  providerFailure,
  readSubmission,
  retryAfterMs,
  type Submission,
  type TranscriptReading,
} from './submission.ts';
