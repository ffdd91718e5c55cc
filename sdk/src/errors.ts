// What can go wrong: the gateway refused, was not there, was too slow, or a job failed.
import type { ErrorType, Job, JobError, ValidationIssue } from '@trivium/contract';

/** Every error of this package, for one catch around everything. */
export class TriviumError extends Error {
  override readonly name: string = 'TriviumError';
}

export interface ApiErrorFields {
  type: ErrorType | 'unknown';
  status: number;
  detail?: unknown;
  request_id?: string | undefined;
}

/** The gateway answered with an error; the fields are those of its envelope. */
export class ApiError extends TriviumError {
  override readonly name = 'ApiError';
  /** `unknown` when something else than the gateway answered, a proxy say. */
  readonly type: ErrorType | 'unknown';
  readonly status: number;
  readonly detail: unknown;
  /** Quote it to the operator: the gateway's log knows it. */
  readonly request_id: string | undefined;

  constructor(message: string, { type, status, detail, request_id }: ApiErrorFields) {
    super(message);
    this.type = type;
    this.status = status;
    this.detail = detail;
    this.request_id = request_id;
  }

  /** For `invalid_request`, every fault of the request; otherwise empty. */
  get issues(): readonly ValidationIssue[] {
    const { issues } = (this.detail ?? {}) as { issues?: unknown };
    return Array.isArray(issues) ? (issues as ValidationIssue[]) : [];
  }
}

/** No answer came: the address is wrong, or the network or the gateway is down. */
export class ConnectionError extends TriviumError {
  override readonly name = 'ConnectionError';
}

/** The time ran out. A POST may be asked again with `idempotency_key` without a second charge. */
export class TimedOutError extends TriviumError {
  override readonly name = 'TimedOutError';
  readonly idempotency_key: string | undefined;

  constructor(message: string, idempotency_key?: string) {
    super(message);
    this.idempotency_key = idempotency_key;
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
