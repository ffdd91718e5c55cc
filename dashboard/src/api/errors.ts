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
  const lack = lackWords(error);
  if (lack !== undefined) return new BalanceTooLow(lack, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

/** The balance does not cover a request. */
export class BalanceTooLow extends Error {
  readonly type = 'insufficient_credits';
}

/** The gateway’s own message suggests a command. */
function lackWords(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.type !== 'insufficient_credits') return undefined;
  const { balance_usd: has, needed_usd: needs } = (error.detail ?? {}) as Lack;
  if (has === undefined || needs === undefined) return undefined;
  return `The balance of ${has} USD does not cover the ${needs} USD that this request may cost.`;
}

interface Lack {
  balance_usd?: number;
  needed_usd?: number;
}

const unreachable = 'The gateway cannot be reached. Check that it is running, then try again.';
const late = 'The gateway took too long to answer. Try again.';
