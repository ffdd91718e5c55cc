// The typed client of a Trivium gateway: search, extraction, transcription and administration.
export { createAdminClient } from './admin.ts';
export type { AdminClient, AdminOptions, Movement, MovementOptions } from './admin.ts';
export type { ApiPromise, PagePromise } from './api-promise.ts';
export { createClient } from './client.ts';
export type { Filters, List } from './lists.ts';
export type { Client, ClientOptions, PostOptions, WarningContext } from './client.ts';
export type { CallOptions } from './options.ts';
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
export type { ApiResponse, Fetch } from './send.ts';
export { toSrt, toVtt } from './subtitles.ts';
export { verifyWebhook } from './webhook.ts';
export type { VerifiedWebhook, WebhookDelivery } from './webhook.ts';
export type {
  Account,
  AccountChange,
  AccountList,
  AccountRequest,
  AttemptStatus,
  Balance,
  ErrorType,
  ExtractFailure,
  ExtractRequestInput,
  ExtractResponse,
  ExtractResult,
  Job,
  JobError,
  AuditEntry,
  AuditList,
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
  Usage,
  UsageLine,
  UsageReport,
  ValidationIssue,
  Warning,
  Word,
} from '@trivium/contract';
