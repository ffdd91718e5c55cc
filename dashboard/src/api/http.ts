// The one place that talks to the gateway: with the session's cookie, for the chosen account.
import { createClient } from '@trivium/sdk';
import type { Client, ValidationIssue } from '@trivium/sdk';

/** What went wrong, in words that can be shown. */
export class RequestError extends Error {
  readonly status: number;
  readonly issues: readonly ValidationIssue[];
  readonly detail: unknown;

  constructor(message: string, status: number, detail: unknown) {
    super(message);
    this.status = status;
    this.detail = detail;
    this.issues = issuesIn(detail);
  }
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const time_limit_ms = 60_000;

export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    signal: AbortSignal.timeout(time_limit_ms),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch((error: unknown) => {
    throw new RequestError(unreachable(error), 0, undefined);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  throw new RequestError(messageIn(answer, response.status), response.status, detailIn(answer));
}

/** A query string of what is set. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>) {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(set as [string, string][]).toString();
  return text === '' ? path : `${path}?${text}`;
}

export interface Talk {
  client: Client;
  /** Why pages survived the last fusion, as the gateway explained it. */
  explanation: () => string | null;
}

/** The SDK as programs use it, signed in by cookie in place of a key. */
export function talkFor(account_id: string): Talk {
  let explanation: string | null = null;
  const client = createClient({
    api_key: 'session',
    url: location.origin,
    max_retries: 0,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('authorization');
      headers.set('x-trivium-account', account_id);
      headers.set('x-trivium-explain', '1');
      const response = await fetch(input, { ...init, headers });
      explanation = response.headers.get('x-trivium-explain');
      return response;
    },
  });
  return { client, explanation: () => explanation };
}

function unreachable(error: unknown): string {
  const late = error instanceof DOMException && error.name === 'TimeoutError';
  return late
    ? 'The gateway took too long to answer. Try again.'
    : 'The gateway cannot be reached. Check that it runs, then try again.';
}

function messageIn(answer: unknown, status: number): string {
  const { error, message } = (answer ?? {}) as { error?: { message?: string }; message?: string };
  return error?.message ?? message ?? `The gateway answered with status ${status}.`;
}

function detailIn(answer: unknown): unknown {
  return (answer as { error?: { detail?: unknown } } | undefined)?.error?.detail;
}

function issuesIn(detail: unknown): readonly ValidationIssue[] {
  const { issues } = (detail ?? {}) as { issues?: unknown };
  return Array.isArray(issues) ? (issues as ValidationIssue[]) : [];
}
