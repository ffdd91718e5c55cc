// The errors of this package: the gateway refused, was unreachable, timed out, or a job failed.
import type { ConnectionFailure } from './connection-failure.ts';
import type { ErrorType, Job, JobError, ValidationIssue } from '@trivium/contract';

/** Base class of every error of this package. */
export class TriviumError extends Error {
  override readonly name: string = 'TriviumError';
}

interface ApiErrorFields {
  type: ErrorType | 'unknown';
  status: number;
  detail?: unknown;
  request_id?: string | undefined;
  idempotency_key?: string | undefined;
  retry_after?: number | undefined;
}

/** The gateway answered with an error; the fields are those of its envelope. */
export class ApiError extends TriviumError {
  override readonly name: string = 'ApiError';
  /** `unknown` when something other than the gateway answered, such as a proxy. */
  readonly type: ErrorType | 'unknown';
  readonly status: number;
  readonly detail: unknown;
  /** Report it to the operator, who can find it in the gateway's log. */
  readonly request_id: string | undefined;
  /**
   * The idempotency key of a call that changes something. A call repeated with it is charged once.
   */
  readonly idempotency_key: string | undefined;
  /** After how many seconds to try again, if the gateway says so. */
  readonly retry_after: number | undefined;

  constructor(message: string, { type, status, detail, ...fields }: ApiErrorFields) {
    super(message);
    this.type = type;
    this.status = status;
    this.detail = detail;
    this.request_id = fields.request_id;
    this.idempotency_key = fields.idempotency_key;
    this.retry_after = fields.retry_after;
  }

  /** For `invalid_request`, every problem of the request; otherwise empty. */
  get issues(): readonly ValidationIssue[] {
    const { issues } = (this.detail ?? {}) as { issues?: unknown };
    return Array.isArray(issues) ? issues.filter(isIssue) : [];
  }
}

function isIssue(value: unknown): value is ValidationIssue {
  const { path, code, message } = Object(value) as Record<string, unknown>;
  return [path, code, message].every((field) => typeof field === 'string');
}

/** The API key is missing, unknown or revoked. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}

/** The request is invalid; `issues` lists the problems. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** The balance, a cap or `maxCostUsd` does not cover the request. */
export class InsufficientCreditsError extends ApiError {
  override readonly name = 'InsufficientCreditsError';
}

/** There is no such job, account or key for this caller. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** Too many requests; `retry_after` says when to try again. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError';
}

/** The provider failed; `detail` has its own message. */
export class ProviderError extends ApiError {
  override readonly name = 'ProviderError';
}

/** The provider is not configured, or not available on this gateway. */
export class ProviderUnavailableError extends ApiError {
  override readonly name = 'ProviderUnavailableError';
}

/** Something broke inside the gateway. */
export class InternalError extends ApiError {
  override readonly name = 'InternalError';
}

const errorClasses: Readonly<Record<ErrorType, typeof ApiError>> = {
  unauthorized: UnauthorizedError,
  invalid_request: InvalidRequestError,
  insufficient_credits: InsufficientCreditsError,
  not_found: NotFoundError,
  rate_limited: RateLimitedError,
  provider_error: ProviderError,
  provider_not_available: ProviderUnavailableError,
  provider_not_configured: ProviderUnavailableError,
  internal_error: InternalError,
};

/**
 * Creates an error of the class for its type. A type that only a newer gateway knows is an
 * ApiError.
 */
export function apiError(message: string, fields: ApiErrorFields): ApiError {
  const { type } = fields;
  const Kind =
    type !== 'unknown' && Object.hasOwn(errorClasses, type) ? errorClasses[type] : ApiError;
  return new Kind(message, fields);
}

/** The options of a client are invalid, such as a malformed URL or a missing credential. */
export class ConfigurationError extends TriviumError {
  override readonly name = 'ConfigurationError';
}

/** No response: the URL is wrong, or the network or the gateway is down. */
export class ConnectionError extends TriviumError {
  override readonly name = 'ConnectionError';
  /** What kind of failure it was; `unknown` if the runtime does not say. */
  readonly failure: ConnectionFailure;
  /** The gateway may have done the work. A call repeated with this key is charged once. */
  readonly idempotency_key: string | undefined;

  constructor(
    message: string,
    failure: ConnectionFailure,
    { idempotency_key, ...options }: ErrorOptions & { idempotency_key?: string | undefined } = {},
  ) {
    super(message, options);
    this.failure = failure;
    this.idempotency_key = idempotency_key;
  }
}

/** A webhook was not signed with the secret, or not recently. */
export class WebhookVerificationError extends TriviumError {
  override readonly name = 'WebhookVerificationError';
}

/** The call timed out. Retry a POST with `idempotency_key`: it is not charged twice. */
export class TimedOutError extends TriviumError {
  override readonly name = 'TimedOutError';
  readonly idempotency_key: string | undefined;

  constructor(message: string, idempotencyKey?: string) {
    super(message);
    this.idempotency_key = idempotencyKey;
  }
}

/** A transcription job ended without a transcript. */
export class JobFailedError extends TriviumError {
  override readonly name = 'JobFailedError';
  readonly job: Job;
  readonly reason: JobError;

  constructor(job: Job, reason: JobError) {
    super(`The job ${job.id} failed: ${reason.message}`);
    this.job = job;
    this.reason = reason;
  }
}
