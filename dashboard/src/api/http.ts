// HTTP calls to the gateway, with the session cookie and for the chosen account.
import { createClient } from '@trivium/sdk';
import type { Client, ValidationIssue } from '@trivium/sdk';
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
  const { type, detail } = errorIn(answer);
  throw new RequestError(messageIn(answer, response.status), response.status, type, detail);
}

/** A query string of the values that are set. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>) {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(set as [string, string][]).toString();
  return text === '' ? path : `${path}?${text}`;
}

export interface GatewayClient {
  client: Client;
  /** Why pages were kept in the last fusion, as the gateway explained it. */
  explanation: () => string | null;
}

/** The SDK client, authenticated by the session cookie instead of a key. */
export function gatewayClientFor(accountId: string): GatewayClient {
  let explanation: string | null = null;
  const client = createClient({
    api_key: 'session',
    url: location.origin,
    max_retries: 0,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('authorization');
      headers.set('x-trivium-account', accountId);
      headers.set('x-trivium-explain', '1');
      const response = await fetchOnce(input, { ...init, headers });
      if (response.status === 401) reportLostSession();
      explanation = response.headers.get('x-trivium-explain');
      return response;
    },
  });
  return { client, explanation: () => explanation };
}

/** The idempotency keys of requests whose response was lost, by what was sent. */
const unanswered = new Map<string, string>();

/** A request that is sent again after its response was lost is paid once. */
async function fetchOnce(
  input: Parameters<typeof fetch>[0],
  init: RequestInit & { headers: Headers },
): Promise<Response> {
  const { headers, body } = init;
  const key = headers.get('idempotency-key');
  if (key === null || typeof body !== 'string') return fetch(input, init);
  const sent = JSON.stringify([input, headers.get('x-trivium-account'), body]);
  const lostKey = unanswered.get(sent);
  if (lostKey !== undefined) headers.set('idempotency-key', lostKey);
  unanswered.set(sent, lostKey ?? key);
  const response = await fetch(input, init);
  unanswered.delete(sent);
  return response;
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
