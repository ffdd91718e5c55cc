// Errors as the dashboard shows them: refusals by the gateway, and failures of the gateway or a
// provider.
import { ApiError, ConnectionError, TimedOutError } from '@trivium/sdk';
import type { ErrorType, ValidationIssue } from '@trivium/sdk';

/** Errors that are not refusals by the gateway; all other types are. */
const failures: readonly unknown[] = [
  'provider_error',
  'provider_not_available',
  'internal_error',
  'unknown',
];

/** True when the gateway refused a request without a call to a provider. */
export function isRefusal(errorType: unknown): boolean {
  return typeof errorType === 'string' && !failures.includes(errorType);
}

/** The issues that the message of the error does not mention. */
export function unmentionedIssues(error: Error): ValidationIssue[] {
  return issuesOf(error).filter(({ message }) => !error.message.includes(message));
}

export function issuesOf(error: Error | undefined): readonly ValidationIssue[] {
  return error instanceof ApiError ? error.issues : [];
}

/** An error response of a route that the SDK does not call. */
export function errorFrom(status: number, body: unknown): ApiError {
  const { error, message } = (body ?? {}) as { error?: ErrorBody; message?: string };
  const { type = 'unknown', detail } = error ?? {};
  const text = error?.message ?? message ?? `The gateway answered with status ${status}.`;
  return new ApiError(text, { type, status, detail });
}

interface ErrorBody {
  type?: ErrorType;
  message?: string;
  detail?: unknown;
}

/** An error whose message can be shown to the person. */
export function asError(error: unknown): Error {
  if (error instanceof ConnectionError) return new Error(unreachable, { cause: error });
  if (error instanceof TimedOutError) return new Error(late, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

const unreachable = 'The gateway cannot be reached. Check that it is running, then try again.';
const late = 'The gateway took too long to answer. Try again.';
