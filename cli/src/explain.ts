// Errors of a command, for a person or as JSON: what happened, why, what to do next.
import { labelProviders } from '@trivium/contract';
import type { ValidationIssue } from '@trivium/contract';
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  JobFailedError,
  TimedOutError,
} from '@trivium/sdk';
import type { TriviumError } from '@trivium/sdk';
import { plain } from './style.ts';
import type { Style } from './style.ts';

export interface Explained {
  type: string;
  message: string;
  status?: number | undefined;
  detail?: unknown;
  request_id?: string | undefined;
  retry_after?: number | undefined;
  failure?: string | undefined;
  idempotency_key?: string | undefined;
  job_id?: string | undefined;
  hint?: string | undefined;
}

/** Where the values of the failed call came from. */
export interface Origins {
  url: string;
  /** The source of the credential that was sent: an option, a variable or a file. */
  credential: string;
  isOperator: boolean;
}

export function explain(error: TriviumError, origins: Origins): Explained {
  const { message } = error;
  if (error instanceof ApiError) {
    const { type, status, detail, request_id, retry_after } = error;
    const hint = hintFor(error, origins);
    return { type, message, status, detail, request_id, retry_after, hint };
  }
  if (error instanceof ConnectionError) {
    const { failure, idempotency_key } = error;
    const hint = connectionHint(error, origins);
    return { type: 'connection_failed', message, failure, idempotency_key, hint };
  }
  if (error instanceof TimedOutError) {
    const { idempotency_key } = error;
    return { type: 'timed_out', message, idempotency_key, hint: repeatHint(idempotency_key) };
  }
  if (error instanceof JobFailedError) {
    return { type: 'job_failed', message, detail: error.reason, job_id: error.job.id };
  }
  const type = error instanceof ConfigurationError ? 'configuration' : 'unknown';
  return { type, message };
}

/** The lines for a person. Issues that the message does not mention follow it. */
export function explainedText(
  explained: Explained,
  issues: readonly ValidationIssue[],
  style: Style,
): string {
  const { type, message, hint } = explained;
  const listed = issues
    .slice(0, maxListedIssues)
    .filter((issue) => !message.includes(issue.message))
    .map(({ path, message: why }) => `  ${path === '' ? '' : `${path}: `}${why}`);
  // A usage error repeats what was typed and lists what is possible.
  const label = type === 'usage' ? (line: string) => line : labelProviders;
  const lines = [message, ...listed].map((line) => plain(label(line)));
  return [`${style.red('error')}  ${lines.join('\n')}`, ...(hint === undefined ? [] : [hint])]
    .map((line) => `${line}\n`)
    .join('');
}

const maxListedIssues = 50;

function repeatHint(key: string | undefined): string | undefined {
  return key === undefined
    ? undefined
    : `Repeat the command with --idempotency-key ${key}: it is charged only once.`;
}

function connectionHint(error: ConnectionError, { url }: Origins): string {
  const { failure, idempotency_key } = error;
  const address = `Check the address; it comes from ${url}.`;
  if (failure === 'tls' || failure === 'not_http') {
    return `${address} If the gateway has no certificate, use http://.`;
  }
  if (failure === 'dns') return address;
  // The gateway may have done the work before the connection broke.
  const isLost = failure === 'closed' || failure === 'timed_out';
  const repeat = isLost ? repeatHint(idempotency_key) : undefined;
  if (repeat !== undefined) return `${repeat} ${address}`;
  return `Start a gateway with trivium serve. ${address}`;
}

function hintFor(error: ApiError, origins: Origins): string | undefined {
  switch (error.type) {
    case 'unauthorized':
      return credentialHint(origins);
    case 'insufficient_credits':
      return 'Check the balance with trivium balance.';
    case 'provider_not_configured':
    case 'provider_not_available':
      return 'List the available providers with trivium providers.';
    case 'internal_error':
      return `Report the request id ${error.request_id ?? ''} to the operator.`;
    case 'unknown':
      return `Check the address; it comes from ${origins.url}.`;
    case 'invalid_request':
    case 'provider_error':
    case 'not_found':
    case 'rate_limited':
      return undefined;
  }
}

function credentialHint({ credential, isOperator }: Origins): string {
  if (isOperator) {
    return `Check ${credential}: it must be the operator's token of this gateway, not an API key.`;
  }
  if (/^(?:--|TRIVIUM_)/.test(credential)) {
    return `Check ${credential}: it must be a key of this gateway.`;
  }
  return `The key in ${credential} is not a key of this gateway. Run trivium login.`;
}
