// One call over HTTP: headers, a time limit, and repeats that can never be charged twice.
import type { ErrorType } from '@trivium/contract';
import { ApiError, ConnectionError, TimedOutError } from './errors.ts';
import { pause, reasonOf } from './pause.ts';

/** As much of the platform's fetch as is used. */
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
  /** Marks a POST, so that a repeat is answered with the first answer. */
  idempotency_key?: string;
  timeout_ms?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Tries until there is an answer that a repeat would not change, or the time is over. */
export async function send<T>(transport: Transport, call: Call): Promise<T> {
  const timeout_ms = call.timeout_ms ?? transport.timeout_ms;
  const expiry = AbortSignal.timeout(timeout_ms);
  const signal = call.signal === undefined ? expiry : AbortSignal.any([call.signal, expiry]);
  const limit = call.method === 'POST' && call.idempotency_key === undefined ? 0 : undefined;
  const max_retries = limit ?? transport.max_retries;
  try {
    for (let tries = 0, waits = 0; ;) {
      const outcome = await attempt(transport, call, signal);
      if ('value' in outcome) return outcome.value as T;
      // Waiting for one's own first request is no repeat, so it has a limit of its own.
      if (outcome.still_running) waits += 1;
      else tries += 1;
      if (!outcome.again || tries > max_retries || waits > MAX_RUNNING_WAITS) throw outcome.error;
      await pause(outcome.wait_ms ?? backoff(tries), signal);
    }
  } catch (error) {
    if (call.signal?.aborted === true) throw reasonOf(call.signal);
    if (!expiry.aborted) throw error;
    const place = `${call.method} ${call.path}`;
    throw new TimedOutError(`${place} took longer than ${timeout_ms} ms.`, call.idempotency_key);
  }
}

const MAX_RUNNING_WAITS = 120;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4000;
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_SHOWN_CHARS = 200;

type Outcome =
  | { value: unknown }
  | { error: Error; again: boolean; still_running: boolean; wait_ms?: number | undefined };

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
    return { error: refused, again: true, still_running: false };
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
  const request_id = headers.get('x-request-id') ?? undefined;
  const wait_ms = retryAfter(headers.get('retry-after'));
  const told = envelopeOf(body);
  if (told === undefined) {
    const shown = text.trim().slice(0, MAX_SHOWN_CHARS);
    const message = `The answer (${status}) is not one of a Trivium gateway: ${shown}`;
    const error = new ApiError(message, { type: 'unknown', status, request_id });
    return { error, again: [502, 503, 504].includes(status), still_running: false, wait_ms };
  }
  const { type, message, detail } = told;
  const error = new ApiError(message, { type, status, detail, request_id });
  // A gateway that says when to come back asks for a repeat; on 409 the first request still runs.
  const again = status === 429 || ([409, 503].includes(status) && wait_ms !== undefined);
  return { error, again, still_running: again && status === 409, wait_ms };
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
  return Math.min(seconds * 1000, MAX_RETRY_AFTER_MS);
}

/** Doubles each time; the dice keep clients that failed together from coming back together. */
function backoff(tries: number): number {
  const ceiling = Math.min(FIRST_BACKOFF_MS * 2 ** (tries - 1), MAX_BACKOFF_MS);
  return ceiling * (0.5 + Math.random() / 2);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
