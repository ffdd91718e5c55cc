// The typed client of a Trivium gateway: what a program needs to search, extract and transcribe.
export { createClient } from './client.ts';
export type { CallOptions, Client, ClientOptions, PostOptions, WarningContext } from './client.ts';
export {
  ApiError,
  ConnectionError,
  JobFailedError,
  TimedOutError,
  TriviumError,
} from './errors.ts';
export type { CompletedJob, WaitOptions } from './jobs.ts';
export type { Fetch } from './send.ts';
export { toSrt, toVtt } from './subtitles.ts';
export type {
  AttemptStatus,
  Balance,
  ErrorType,
  ExtractFailure,
  ExtractRequestInput,
  ExtractResponse,
  ExtractResult,
  Job,
  JobError,
  JobStatus,
  ProviderDescription,
  ProvidersResponse,
  SearchRequestInput,
  SearchResponse,
  SearchResult,
  Transcript,
  TranscriptionAccepted,
  TranscriptionRequestInput,
  Usage,
  ValidationIssue,
  Warning,
  Word,
} from '@trivium/contract';
