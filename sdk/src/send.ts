// One call over HTTP: headers, a timeout, and retries that are never charged twice.
import type { ErrorType } from '@trivium/contract';
import { ApiError, ConnectionError, TimedOutError } from './errors.ts';
import { pause, reasonOf } from './pause.ts';

/** The part of the platform's fetch that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Transport {
  url: string;
  token: string;
  timeout_ms: number;
  max_retries: number;
  fetch: Fetch;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** A retry of a POST with this key returns the first response. */
  idempotency_key?: string;
  timeout_ms?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Retries until a response is final or the call times out. */
export async function send<T>(transport: Transport, call: Call): Promise<T> {
  const timeoutMs = call.timeout_ms ?? transport.timeout_ms;
  const expiry = AbortSignal.timeout(timeoutMs);
  const signal = call.signal === undefined ? expiry : AbortSignal.any([call.signal, expiry]);
  const limit = call.method === 'POST' && call.idempotency_key === undefined ? 0 : undefined;
  const maxRetries = limit ?? transport.max_retries;
  try {
    for (let tries = 0, waits = 0; ;) {
      const outcome = await attempt(transport, call, signal);
      if ('value' in outcome) return outcome.value as T;
      // Waiting for our own first request is not a retry, so it has its own limit.
      if (outcome.stillRunning) waits += 1;
      else tries += 1;
      if (!outcome.again || tries > maxRetries || waits > maxRunningWaits) throw outcome.error;
      await pause(outcome.waitMs ?? backoff(tries), signal);
    }
  } catch (error) {
    if (call.signal?.aborted === true) throw reasonOf(call.signal);
    if (!expiry.aborted) throw error;
    const endpoint = `${call.method} ${call.path}`;
    throw new TimedOutError(`${endpoint} took longer than ${timeoutMs} ms.`, call.idempotency_key);
  }
}

const maxRunningWaits = 120;
const firstBackoffMs = 250;
const maxBackoffMs = 4000;
const maxRetryAfterMs = 60_000;
const maxShownChars = 200;

type Outcome =
  | { value: unknown }
  | { error: Error; again: boolean; stillRunning: boolean; waitMs?: number | undefined };

async function attempt(transport: Transport, call: Call, signal: AbortSignal): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    response = await transport.fetch(transport.url + call.path, requestOf(transport, call, signal));
    text = await response.text();
  } catch (error) {
    if (signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const message = `The gateway at ${transport.url} cannot be reached: ${why}`;
    const refused = new ConnectionError(message, { cause: error });
    return { error: refused, again: true, stillRunning: false };
  }
  const body = parse(text);
  if (response.ok && body !== undefined) return { value: body };
  return failure(response, text, body);
}

function requestOf(transport: Transport, call: Call, signal: AbortSignal): RequestInit {
  const { method, body, headers, idempotency_key } = call;
  return {
    method,
    signal,
    headers: {
      authorization: `Bearer ${transport.token}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function failure(response: Response, text: string, body: unknown): Outcome {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const waitMs = retryAfter(headers.get('retry-after'));
  const envelope = envelopeOf(body);
  if (envelope === undefined) {
    const shown = text.trim().slice(0, maxShownChars);
    const message = `The response (${status}) is not from a Trivium gateway: ${shown}`;
    const error = new ApiError(message, { type: 'unknown', status, request_id: requestId });
    return { error, again: [502, 503, 504].includes(status), stillRunning: false, waitMs };
  }
  const { type, message, detail } = envelope;
  const error = new ApiError(message, { type, status, detail, request_id: requestId });
  // Retry-After asks for a retry; on a 409 it means that the first request is still running.
  const again = status === 429 || ([409, 503].includes(status) && waitMs !== undefined);
  return { error, again, stillRunning: again && status === 409, waitMs };
}

function envelopeOf(
  body: unknown,
): { type: ErrorType; message: string; detail?: unknown } | undefined {
  const { error } = (body ?? {}) as { error?: { type?: unknown; message?: unknown } };
  const known = typeof error?.type === 'string' && typeof error.message === 'string';
  return known ? (error as { type: ErrorType; message: string }) : undefined;
}

function retryAfter(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  return Math.min(seconds * 1000, maxRetryAfterMs);
}

/** Exponential backoff with jitter, so that clients that failed together do not retry together. */
function backoff(tries: number): number {
  const ceiling = Math.min(firstBackoffMs * 2 ** (tries - 1), maxBackoffMs);
  return ceiling * (0.5 + Math.random() / 2);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
