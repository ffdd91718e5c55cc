// The typed client of a Trivium gateway: search, extraction, transcription and administration.
export { createAdminClient } from './admin.ts';
export type * from './admin.ts';
export type { ApiPromise, PagePromise } from './api-promise.ts';
export { checkCitations, numberSources, writeSources } from './citations.ts';
export type * from './citations.ts';
export { createClient } from './client.ts';
export type * from './filters.ts';
export type { List } from './lists.ts';
export type { EitherName, EitherOption } from './names.ts';
export type * from './client.ts';
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
export type * from './subtitles.ts';
export type { UploadOptions, Uploads, UploadSource } from './uploads.ts';
export { verifyWebhook } from './webhook.ts';
export type { VerifiedWebhook, WebhookDelivery } from './webhook.ts';
export type { WebhookDelivery as EventDelivery } from '@trivium/contract';
/** What requests and answers contain; a name above takes precedence. */
export type * from '@trivium/contract';
