// The one way out: a request upstream, with a bounded time and a bounded body. It never throws.
import { nextTurn } from './clock.ts';
import { decode, DecodingError } from './decoding.ts';

export interface Outgoing {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string | FormData;
  /** Never on a kept connection: what is paid for must not be sent again by the machinery below. */
  fresh?: boolean;
  /** For everything: connecting, the head of the answer and its body. */
  timeout_ms: number;
  /** For the body alone, once the head is there; a vendor that began to answer must go on. */
  body_ms?: number;
  max_bytes: number;
  /** The answer may be so long that putting it together would hold everybody up. */
  in_pieces?: boolean;
  signal?: AbortSignal;
}

export type Sent =
  /** What was asked for in pieces has these, and no text. */
  | { ok: true; status: number; headers: Headers; text: string; pieces?: string[] }
  | { ok: false; failure: Failure; message: string };

/** `unreachable` means that nothing was sent; `uncertain` and `timed_out` that it may have been. */
export type Failure = 'unreachable' | 'timed_out' | 'uncertain' | 'too_large' | 'abandoned';

export type Send = (outgoing: Outgoing) => Promise<Sent>;

export const send: Send = async (outgoing) => {
  const { signal: caller, timeout_ms, max_bytes } = outgoing;
  const limit = makeTimeLimit(timeout_ms, caller);
  try {
    const response = await fetch(outgoing.url, {
      method: outgoing.method,
      headers: { 'accept-encoding': 'gzip, deflate, br, zstd', ...outgoing.headers },
      redirect: 'manual',
      // Left to the runtime, a body goes on growing in memory after it was given up.
      decompress: false,
      signal: limit.signal,
      ...(outgoing.fresh ? { keepalive: false } : {}),
      ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
    });
    limit.shorten(outgoing.body_ms ?? timeout_ms);
    const declared = Number(response.headers.get('content-length') ?? 0);
    const { status, headers } = response;
    const read = outgoing.in_pieces ? readPieces : readText;
    const text = declared > max_bytes ? undefined : await read(response, max_bytes);
    if (text === undefined) {
      limit.giveUp();
      return failed('too_large', `the answer is larger than ${max_bytes} bytes`);
    }
    if (typeof text === 'string') return { ok: true, status, headers, text };
    return { ok: true, status, headers, text: '', pieces: text };
  } catch (error) {
    if (caller?.aborted) return failed('abandoned', 'nobody waits for the answer any more');
    const late_ms = limit.passed();
    if (late_ms !== undefined) return failed('timed_out', `no answer within ${late_ms} ms`);
    return readFailure(error);
  } finally {
    limit.end();
  }
};

interface TimeLimit {
  signal: AbortSignal;
  /** Leaves at most this much from now on, if that is less than what is left. */
  shorten: (ms: number) => void;
  /** The limit that passed, if one did. */
  passed: () => number | undefined;
  /** What is still arriving is not wanted any more. */
  giveUp: () => void;
  end: () => void;
}

/** One signal for the time and for the caller, who may go away: cheaper than two put together. */
function makeTimeLimit(timeout_ms: number, caller: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  let passed: number | undefined;
  const expire = (ms: number) => {
    passed = ms;
    controller.abort();
  };
  const leave = () => controller.abort();
  const began = performance.now();
  let timer = setTimeout(expire, timeout_ms, timeout_ms);
  caller?.addEventListener('abort', leave);
  if (caller?.aborted) leave();
  return {
    signal: controller.signal,
    shorten: (ms) => {
      if (timeout_ms - (performance.now() - began) <= ms) return;
      clearTimeout(timer);
      timer = setTimeout(expire, ms, ms);
    },
    passed: () => passed,
    giveUp: leave,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', leave);
    },
  };
}

/** Bodies of a known small size are read in one go; others are counted as they come. */
async function readText(response: Response, max_bytes: number): Promise<string | undefined> {
  const body = decode(response.body, response.headers);
  const known = body === response.body && response.headers.has('content-length');
  if (body === null || known) return response.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > max_bytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const piece_bytes = 256 * 1024;

async function readPieces(response: Response, max_bytes: number): Promise<string[] | undefined> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  for await (const chunk of decode(response.body, response.headers) ?? []) {
    size += chunk.length;
    if (size > max_bytes) return undefined;
    for (let at = 0; at < chunk.length; at += piece_bytes) {
      pieces.push(decoder.decode(chunk.subarray(at, at + piece_bytes), { stream: true }));
      if (chunk.length > piece_bytes) await nextTurn();
    }
  }
  pieces.push(decoder.decode());
  return pieces;
}

const nothing_sent = new Set([
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
  if (typeof code === 'string' && nothing_sent.has(code)) {
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
