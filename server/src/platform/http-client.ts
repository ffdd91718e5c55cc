// The HTTP client for upstream requests, with limits on time and size. It never throws.
import { type ByteHold, uncountedBytes } from './byte-budget.ts';
import { type AbortLimit, endLimit, pauseLimit, shortenLimit, startAbortLimit } from './clock.ts';
import { decode, DecodingError } from './streams.ts';
import { machine } from './machine.ts';

export interface Outgoing {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string | FormData | ReadableStream<Uint8Array> | undefined;
  /** Uses a new connection: on a reused one, the runtime may resend a request that costs money. */
  fresh?: boolean | undefined;
  /** For the whole call: connecting, the response headers and the body. */
  timeout_ms: number;
  /** For the body alone, after the response headers. */
  bodyMs?: number | undefined;
  maxBytes: number;
  /** Returns the body in pieces, because joining a very long one would block the event loop. */
  inPieces?: boolean | undefined;
  /** Counts a long body, which is read once there is room for it. */
  room?: ByteHold | undefined;
  signal?: AbortSignal;
}

export type Sent =
  /** With `inPieces`, the text is empty and `pieces` contains the body. */
  | { ok: true; status: number; headers: Headers; text: string; pieces?: string[] }
  | { ok: false; failure: Failure; message: string };

/**
 * `unreachable`: nothing was sent. `uncertain` and `timed_out`: the provider may have received it.
 */
type Failure = 'unreachable' | 'timed_out' | 'uncertain' | 'too_large' | 'no_room' | 'abandoned';

export type Send = (outgoing: Outgoing) => Promise<Sent>;

export const send: Send = async (outgoing) => {
  const { signal: caller, timeout_ms, bodyMs = timeout_ms, maxBytes } = outgoing;
  const limit = startAbortLimit(timeout_ms, caller, bodyMs);
  try {
    const response = await machine.fetch(outgoing.url, {
      method: outgoing.method,
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd', ...outgoing.headers },
      redirect: 'manual',
      // If the runtime decompressed it, an aborted body would keep growing in memory.
      decompress: false,
      signal: limit.controller.signal,
      ...(outgoing.fresh ? { keepalive: false } : {}),
      ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
    });
    shortenLimit(limit, bodyMs);
    const { status, headers } = response;
    const length = headers.get('content-length');
    // A refusal may say how long to wait, counted from its date.
    if (status >= 400 && !headers.has('date'))
      headers.set('date', new Date(machine.now()).toUTCString());
    if (Number(length ?? 0) > maxBytes) throw new UnreadError('too_large');
    const isShort = length !== null && Number(length) <= uncountedBytes;
    if (isShort && !outgoing.inPieces && !headers.has('content-encoding')) {
      return { ok: true, status, headers, text: await response.text() };
    }
    const counting = countBytes(maxBytes, outgoing.room, limit);
    if (outgoing.inPieces) {
      const pieces = await readPieces(response, counting);
      return { ok: true, status, headers, text: '', pieces };
    }
    return { ok: true, status, headers, text: await readText(response, counting) };
  } catch (error) {
    if (error instanceof UnreadError) {
      limit.controller.abort();
      return failed(error.failure, unreadReasons[error.failure](maxBytes));
    }
    if (caller?.aborted) return failed('abandoned', 'the caller no longer waits for the answer');
    const lateMs = limit.expiredMs;
    if (lateMs !== undefined) return failed('timed_out', `no answer within ${lateMs} ms`);
    return readFailure(error);
  } finally {
    endLimit(limit);
  }
};

/** Thrown when the rest of a body is not read. */
class UnreadError extends Error {
  constructor(readonly failure: 'too_large' | 'no_room') {
    super(failure);
  }
}

const unreadReasons = {
  too_large: (maxBytes: number) => `the answer is larger than ${maxBytes} bytes`,
  no_room: () => 'it answered, but the gateway had no room for a long answer in time',
};

type Count = (size: number) => Promise<void> | undefined;

/**
 * Returns a function that takes the number of bytes that have arrived, or will arrive. A long body
 * is counted step by step, and waits while there is no room. The provider cannot send during that
 * time, so it does not count as the provider's.
 */
function countBytes(maxBytes: number, room: ByteHold | undefined, limit: AbortLimit): Count {
  let counted = uncountedBytes;
  const wait = async (more: Promise<boolean>) => {
    const resume = pauseLimit(limit);
    if (!(await more)) throw new UnreadError('no_room');
    resume();
  };
  return (size) => {
    if (size > maxBytes) throw new UnreadError('too_large');
    if (room === undefined || size <= counted) return undefined;
    const more = Math.ceil((size - counted) / stepBytes) * stepBytes;
    // Counts all answers of one request together.
    if (room.bytes() + more > maxBytes + stepBytes) throw new UnreadError('too_large');
    counted += more;
    const hasRoom = room.grow(more);
    return hasRoom === true ? undefined : wait(hasRoom);
  };
}

const stepBytes = 256 * 1024;

/** A body of known size is read at once. Others are counted while they arrive. */
async function readText(response: Response, count: Count): Promise<string> {
  const { headers } = response;
  const isEncoded = headers.has('content-encoding');
  const length = headers.get('content-length');
  if (!isEncoded && length !== null) {
    const admitted = count(Number(length));
    if (admitted) await admitted;
    return response.text();
  }
  // The runtime creates the stream of a body only when it is asked for.
  const body = isEncoded ? decode(response.body, headers) : response.body;
  if (body === null) return response.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    const admitted = count(size);
    if (admitted) await admitted;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const pieceBytes = 256 * 1024;

async function readPieces(response: Response, count: Count): Promise<string[]> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  for await (const chunk of decode(response.body, response.headers) ?? []) {
    size += chunk.length;
    const admitted = count(size);
    if (admitted) await admitted;
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      pieces.push(decoder.decode(chunk.subarray(at, at + pieceBytes), { stream: true }));
      if (chunk.length > pieceBytes) await machine.nextTurn();
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
