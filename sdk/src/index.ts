// The typed client of a Trivium gateway: search, extraction, transcription and administration.
export { createAdminClient } from './admin.ts';
export type {
  AdminClient,
  AdminOptions,
  Filters,
  List,
  Movement,
  MovementOptions,
} from './admin.ts';
export type { ApiPromise, PagePromise } from './api-promise.ts';
export { createClient } from './client.ts';
export type {
  Client,
  ClientOptions,
  LocalTranscription,
  PostOptions,
  WarningContext,
} from './client.ts';
export {
  ApiError,
  ConfigurationError,
  ConnectionError,
  JobFailedError,
  TimedOutError,
  TriviumError,
  WebhookVerificationError,
} from './errors.ts';
export type { CompletedJob, WaitOptions } from './jobs.ts';
export type { ConnectionFailure } from './connection-failure.ts';
export type { ApiResponse, CallOptions, Fetch } from './send.ts';
export { cuesOf, toSrt, toVtt } from './subtitles.ts';
export type { Cue } from './subtitles.ts';
export type { UploadOptions, Uploads, UploadSource } from './uploads.ts';
export { verifyWebhook } from './webhook.ts';
export type { VerifiedWebhook, WebhookDelivery } from './webhook.ts';
export type {
  Account,
  AccountList,
  AttemptStatus,
  Balance,
  ErrorType,
  ExtractFailure,
  ExtractRequestInput,
  ExtractResponse,
  ExtractResult,
  Job,
  JobError,
  JobLine,
  JobList,
  JobStatus,
  Key,
  KeyChange,
  KeyList,
  KeyRequest,
  NewKey,
  ProviderDescription,
  ProvidersResponse,
  RequestLine,
  RequestList,
  SearchRequestInput,
  SearchResponse,
  SearchResult,
  Transcript,
  TranscriptionAccepted,
  TranscriptionRequestInput,
  TransferLine,
  TransferList,
  Upload,
  UploadDeleted,
  Usage,
  UsageLine,
  UsageReport,
  ValidationIssue,
  Warning,
  Word,
} from '@trivium/contract';
