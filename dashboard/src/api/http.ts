// HTTP calls to the gateway, with the session cookie and for the chosen account.
import type { ValidationIssue } from '@trivium/sdk';
import { reportLostSession } from './session-events.ts';

/** An error whose message can be shown to the user. */
export class RequestError extends Error {
  readonly status: number;
  /** The type in the gateway's error envelope. */
  readonly type: string | undefined;
  readonly issues: readonly ValidationIssue[];
  readonly detail: unknown;

  constructor(message: string, status: number, type: string | undefined, detail: unknown) {
    super(message);
    this.status = status;
    this.type = type;
    this.detail = detail;
    this.issues = issuesIn(detail);
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const timeLimitMs = 60_000;

interface RequestOptions {
  /** The same key twice makes a change once. */
  idempotencyKey?: string;
  headers?: Readonly<Record<string, string>>;
}

export async function requestJson<T>(
  method: Method,
  path: string,
  body?: unknown,
  { idempotencyKey, headers }: RequestOptions = {},
): Promise<T> {
  const response = await fetch(path, {
    method,
    signal: AbortSignal.timeout(timeLimitMs),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new RequestError(unreachable(error), 0, undefined, undefined);
  });
  if (response.status === 401 && !path.startsWith('/auth/')) reportLostSession();
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  throw errorFrom(response.status, answer);
}

/** What the gateway answered instead of what was asked for. */
export function errorFrom(status: number, answer: unknown): RequestError {
  const { type, detail } = errorIn(answer);
  return new RequestError(messageIn(answer, status), status, type, detail);
}

/** A query string of the values that are set. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>) {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(set as [string, string][]).toString();
  return text === '' ? path : `${path}?${text}`;
}

function unreachable(error: unknown): string {
  const late = error instanceof DOMException && error.name === 'TimeoutError';
  return late
    ? 'The gateway took too long to answer. Try again.'
    : 'The gateway cannot be reached. Check that it is running, then try again.';
}

function messageIn(answer: unknown, status: number): string {
  const { error, message } = (answer ?? {}) as { error?: { message?: string }; message?: string };
  return error?.message ?? message ?? `The gateway answered with status ${status}.`;
}

function errorIn(answer: unknown): { type?: string; detail?: unknown } {
  return (answer as { error?: { type?: string; detail?: unknown } } | undefined)?.error ?? {};
}

function issuesIn(detail: unknown): readonly ValidationIssue[] {
  const { issues } = (detail ?? {}) as { issues?: unknown };
  return Array.isArray(issues) ? (issues as ValidationIssue[]) : [];
}
