// The HTTP client for upstream requests, with limits of time and size. It never throws.
import { nextTurn } from './clock.ts';
import { decode, DecodingError } from './decoding.ts';
import { startAbortLimit } from './time-limit.ts';

export interface Outgoing {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string | FormData | ReadableStream<Uint8Array>;
  /** Uses a new connection: on a kept one the runtime may resend a request that costs money. */
  fresh?: boolean;
  /** For the whole call: connecting, the response headers and the body. */
  timeout_ms: number;
  /** For the body alone, from the response headers on. */
  bodyMs?: number;
  maxBytes: number;
  /** Returns the body in pieces, because joining a very long one would block the event loop. */
  inPieces?: boolean;
  signal?: AbortSignal;
}

export type Sent =
  /** With `inPieces` the text is empty and `pieces` has the body. */
  | { ok: true; status: number; headers: Headers; text: string; pieces?: string[] }
  | { ok: false; failure: Failure; message: string };

/** `unreachable`: nothing was sent. `uncertain` and `timed_out`: the provider may have got it. */
type Failure = 'unreachable' | 'timed_out' | 'uncertain' | 'too_large' | 'abandoned';

export type Send = (outgoing: Outgoing) => Promise<Sent>;

export const send: Send = async (outgoing) => {
  const { signal: caller, timeout_ms, maxBytes } = outgoing;
  const limit = startAbortLimit(timeout_ms, caller);
  try {
    const response = await fetch(outgoing.url, {
      method: outgoing.method,
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd', ...outgoing.headers },
      redirect: 'manual',
      // If the runtime decompressed, an aborted body would keep growing in memory.
      decompress: false,
      signal: limit.signal,
      ...(outgoing.fresh ? { keepalive: false } : {}),
      ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
    });
    limit.shorten(outgoing.bodyMs ?? timeout_ms);
    const declared = Number(response.headers.get('content-length') ?? 0);
    const { status, headers } = response;
    const read = outgoing.inPieces ? readPieces : readText;
    const text = declared > maxBytes ? undefined : await read(response, maxBytes);
    if (text === undefined) {
      limit.abort();
      return failed('too_large', `the answer is larger than ${maxBytes} bytes`);
    }
    if (typeof text === 'string') return { ok: true, status, headers, text };
    return { ok: true, status, headers, text: '', pieces: text };
  } catch (error) {
    if (caller?.aborted) return failed('abandoned', 'the caller no longer waits for the answer');
    const lateMs = limit.expiredMs();
    if (lateMs !== undefined) return failed('timed_out', `no answer within ${lateMs} ms`);
    return readFailure(error);
  } finally {
    limit.end();
  }
};

/** A body of known size is read at once; others are counted while they arrive. */
async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const body = decode(response.body, response.headers);
  const known = body === response.body && response.headers.has('content-length');
  if (body === null || known) return response.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const pieceBytes = 256 * 1024;

async function readPieces(response: Response, maxBytes: number): Promise<string[] | undefined> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  for await (const chunk of decode(response.body, response.headers) ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      pieces.push(decoder.decode(chunk.subarray(at, at + pieceBytes), { stream: true }));
      if (chunk.length > pieceBytes) await nextTurn();
    }
  }
  pieces.push(decoder.decode());
  return pieces;
}

const notSentCodes = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

function readFailure(error: unknown): Sent {
  if (error instanceof DecodingError) {
    return failed('uncertain', `the answer cannot be read: ${error.message}`);
  }
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && notSentCodes.has(code)) {
    return failed('unreachable', `the provider's address cannot be reached (${code})`);
  }
  return failed(
    'uncertain',
    `the connection broke before the answer was complete (${String(code)})`,
  );
}

function failed(failure: Failure, message: string): Sent {
  return { ok: false, failure, message };
}
