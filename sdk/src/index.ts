// The typed client of a Trivium gateway: search, extraction, transcription and administration.
export { createAdminClient } from './admin.ts';
export type {
  AdminClient,
  AdminOptions,
  BudgetClient,
  BudgetInput,
  Movement,
  MovementOptions,
  WebhookClient,
} from './admin.ts';
export type { ApiPromise, PagePromise } from './api-promise.ts';
export { checkCitations, numberSources, writeSources } from './citations.ts';
export type {
  Citation,
  CitationCheck,
  CitedResult,
  Quote,
  Source,
  SourceInput,
} from './citations.ts';
export { createClient } from './client.ts';
export type * from './filters.ts';
export type { List } from './lists.ts';
export type { EitherName, EitherOption } from './names.ts';
export type {
  CachedPostOptions,
  Client,
  ClientOptions,
  EstimateCall,
  ExtractInput,
  LocalTranscription,
  PostOptions,
  ReadJobOptions,
  SearchInput,
  TranscribeOptions,
  TranscriptionInput,
  WarningContext,
} from './client.ts';
export type { Tags } from './tags.ts';
export {
  ApiError,
  ConfigurationError,
  ConnectionError,
  InsufficientCreditsError,
  InternalError,
  InvalidRequestError,
  JobFailedError,
  NotFoundError,
  ProviderError,
  ProviderUnavailableError,
  RateLimitedError,
  TimedOutError,
  TriviumError,
  UnauthorizedError,
  WebhookVerificationError,
} from './errors.ts';
export type { CompletedJob, WaitOptions } from './jobs.ts';
export type { ConnectionFailure } from './connection-failure.ts';
export type { CallOptions, TransportOptions } from './options.ts';
export { newIdempotencyKey } from './send.ts';
export type { ApiResponse, Fetch, Logger } from './send.ts';
export { cuesOf, toSrt, toVtt } from './subtitles.ts';
export type { Cue } from './subtitles.ts';
export type { UploadOptions, Uploads, UploadSource } from './uploads.ts';
export { verifyWebhook } from './webhook.ts';
export type { VerifiedWebhook, WebhookDelivery } from './webhook.ts';
export type {
  WebhookDelivery as EventDelivery,
  DeliveryList,
  NewWebhook,
  Webhook,
  WebhookEvent,
  WebhookList,
  WebhookSecret,
} from '@trivium/contract';
export type {
  Account,
  AccountChange,
  AccountList,
  AccountRequest,
  AttemptStatus,
  Balance,
  Budget,
  BudgetList,
  ContentMode,
  ErrorType,
  Estimate,
  ExtractFailure,
  ExtractRequestInput,
  ExtractResponse,
  ExtractResult,
  FeedbackRequest,
  FeedbackResponse,
  Job,
  JobError,
  AuditEntry,
  AuditList,
  JobLine,
  JobList,
  JobStatus,
  JobSummary,
  Key,
  KeyChange,
  KeyList,
  KeyRequest,
  MeasuredQuality,
  NewKey,
  OwnJobList,
  OwnUsage,
  ProviderDescription,
  ProvidersResponse,
  RequestAttempt,
  RequestCostPart,
  RequestLine,
  RequestList,
  Scorecard,
  ScorecardLine,
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
