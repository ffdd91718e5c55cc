// One call over HTTP: headers, a timeout, and retries that are never charged twice.
import { version } from '@trivium/contract/version';
import type { ErrorType } from '@trivium/contract';
import { explainConnection } from './connection-failure.ts';
import { isBrowser } from './environment.ts';
import { apiError, ConnectionError, TimedOutError } from './errors.ts';
import { checkRetries, checkTimeout } from './limits.ts';
import { pause, reasonOf } from './pause.ts';

/** The part of the platform's fetch that this package uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Transport {
  url: string;
  token: string;
  timeoutMs: number;
  maxRetries: number;
  headers: Readonly<Record<string, string>>;
  logger: Logger | undefined;
  fetch: Fetch;
}

/** Where the client reports what it does. */
export interface Logger {
  debug: (message: string, fields: object) => void;
  warn: (message: string, fields: object) => void;
}

/** The fields of a response that are used without a further check. */
export type Shape = Readonly<Record<string, 'string' | 'number' | 'list'>>;

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Sent unchanged, instead of a JSON body. */
  file?: Blob | ReadableStream<Uint8Array>;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The fields that a response to this call must have. */
  shape: Shape;
  /** A retry of a POST with this key returns the first response. */
  idempotencyKey?: string;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  logger?: Logger | undefined;
  signal?: AbortSignal | undefined;
  /** Keeps the text of the response in addition to the parsed value. */
  keepsText?: boolean;
}

export interface ApiResponse<T> {
  data: T;
  status: number;
  /** Report it to the operator, who can find it in the gateway's log. */
  request_id: string | undefined;
  /** True for the stored response of an earlier call with the same idempotency key. */
  replayed: boolean;
  headers: Headers;
  /** The body as received, if the call keeps it. */
  text?: string;
}

/**
 * Random, in the format of a UUID, because `crypto.randomUUID` is missing on pages over plain HTTP.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Retries until a response is final or the call times out. */
export async function send<T>(transport: Transport, call: Call): Promise<ApiResponse<T>> {
  const timeoutMs = checkTimeout(call.timeoutMs ?? transport.timeoutMs);
  const expiry = AbortSignal.timeout(timeoutMs);
  const signal = call.signal === undefined ? expiry : AbortSignal.any([call.signal, expiry]);
  const isRepeatable = call.method !== 'POST' || call.idempotencyKey !== undefined;
  const maxRetries = checkRetries(call.maxRetries ?? transport.maxRetries);
  const logger = call.logger ?? transport.logger;
  const { method, path } = call;
  const endsAt = performance.now() + timeoutMs;
  try {
    for (let tries = 0, waits = 0; ;) {
      const startedAt = performance.now();
      const outcome = await attempt(transport, call, signal);
      const ms = Math.round(performance.now() - startedAt);
      const result = 'data' in outcome ? outcome : outcome.error;
      const { status, request_id } = result as Partial<ApiResponse<T>>;
      logger?.debug(`${method} ${path}`, { status, request_id, ms, attempt: tries + waits + 1 });
      if ('data' in outcome) return outcome as ApiResponse<T>;
      // Waiting for our own earlier request is not a retry, so it has its own limit.
      if (outcome.stillRunning) waits += 1;
      else tries += 1;
      if (!outcome.again || !isRepeatable) throw outcome.error;
      if (tries > maxRetries || waits > maxRunningWaits) throw outcome.error;
      const { waitMs = backoff(tries) } = outcome;
      // A shorter wait would only be refused again, so the caller decides about a longer one.
      if (waitMs > Math.min(maxRetryAfterMs, endsAt - performance.now())) throw outcome.error;
      const why = outcome.error.message;
      logger?.warn(`Retrying ${method} ${path}: ${why}`, { wait_ms: Math.round(waitMs) });
      await pause(waitMs, signal);
    }
  } catch (error) {
    if (call.signal?.aborted === true) throw reasonOf(call.signal);
    if (!expiry.aborted) throw error;
    throw new TimedOutError(
      `${method} ${path} took longer than ${timeoutMs} ms.`,
      call.idempotencyKey,
    );
  }
}

const maxRunningWaits = 120;
const firstBackoffMs = 250;
const maxBackoffMs = 4000;
/** The caller decides about a longer wait; the error says how long it would be. */
const maxRetryAfterMs = 60_000;
const maxShownChars = 200;

type Outcome =
  | ApiResponse<unknown>
  | { error: Error; again: boolean; stillRunning: boolean; waitMs?: number | undefined };

async function attempt(transport: Transport, call: Call, signal: AbortSignal): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    response = await transport.fetch(transport.url + call.path, requestOf(transport, call, signal));
    text = await response.text();
  } catch (error) {
    if (signal.aborted) throw error;
    const { failure, words } = explainConnection(error);
    const message = `The gateway at ${transport.url} cannot be reached: ${words}.`;
    const options = { cause: error, idempotency_key: call.idempotencyKey };
    const lost = new ConnectionError(message, failure, options);
    return { error: lost, again: true, stillRunning: false };
  }
  const body = parse(text);
  if (!response.ok || !hasShape(body, call.shape)) return failure(call, response, text, body);
  const { status, headers } = response;
  return {
    data: body,
    status,
    headers,
    request_id: headers.get('x-request-id') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    ...(call.keepsText === true ? { text } : {}),
  };
}

function requestOf(transport: Transport, call: Call, signal: AbortSignal): RequestInit {
  const { method, body, file, headers, idempotencyKey } = call;
  return {
    method,
    signal,
    headers: {
      authorization: `Bearer ${transport.token}`,
      accept: 'application/json',
      ...(isBrowser() ? {} : { 'user-agent': `trivium-sdk-typescript/${version}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...transport.headers,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Node.js requires `duplex` for a streamed body.
    ...(file === undefined ? {} : { body: file, duplex: 'half' }),
  };
}

function failure(call: Call, response: Response, text: string, body: unknown): Outcome {
  const { status, headers } = response;
  const seconds = readRetryAfter(headers.get('retry-after'), Date.now());
  const waitMs = seconds === undefined ? undefined : seconds * 1000;
  const fields = {
    status,
    request_id: headers.get('x-request-id') ?? undefined,
    idempotency_key: call.idempotencyKey,
    retry_after: seconds,
  };
  const envelope = envelopeOf(body);
  if (envelope === undefined) {
    const shown = text.trim().slice(0, maxShownChars);
    const message = `The response (${status}) is not from a Trivium gateway: ${shown}`;
    const error = apiError(message, { type: 'unknown', ...fields });
    return { error, again: [502, 503, 504].includes(status), stillRunning: false, waitMs };
  }
  const { type, message, detail } = envelope;
  const error = apiError(message, { type, detail, ...fields });
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

function hasShape(body: unknown, shape: Shape): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(shape).every(([name, kind]) => {
    const value: unknown = Object.hasOwn(body, name) ? (body as never)[name] : undefined;
    return kind === 'list' ? Array.isArray(value) : typeof value === kind;
  });
}

/** In seconds, from seconds or a date; anything else is ignored. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  if (!/^[A-Za-z]{3}, [\w: -]{20,30}$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now) / 1000;
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
