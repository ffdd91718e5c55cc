// Reads the body of a callback within limits of size and time, so that unauthenticated senders
// cannot block genuine callbacks.
import { GatewayError } from '@trivium/contract';
import { withTimeLimit } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';

const maxCallbackBytes = 64 * 1024 * 1024;

interface BodyTimeouts {
  /** Between two chunks. */
  pauseMs: number;
  /** For the whole body. */
  wholeMs: number;
}

/** For a sender that is already authenticated. */
export const authenticatedTimeouts: BodyTimeouts = { pauseMs: 15_000, wholeMs: 240_000 };
/** For a sender that only a signature over the whole body can authenticate. */
export const unauthenticatedTimeouts: BodyTimeouts = { pauseMs: 5000, wholeMs: 30_000 };

/** `Content-Length` is only used to refuse a body without reading it. */
export function refuseLongBody(headers: Headers): void {
  if (Number(headers.get('content-length') ?? 0) > maxCallbackBytes) throw tooLarge();
}

/** `cut` aborts reading with the error that it resolves to. */
export async function* chunksInTime(
  body: ReadableStream<Uint8Array> | null,
  { pauseMs, wholeMs }: BodyTimeouts,
  cut?: Promise<Error>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const deadline = machine.ticks() + wholeMs;
  let [size, finished] = [0, false];
  try {
    for (;;) {
      const limitMs = Math.min(pauseMs, deadline - machine.ticks());
      if (limitMs <= 0) throw tooSlow();
      const read = Promise.race([...(cut ? [cut] : []), reader.read()]);
      const next = await withTimeLimit(read, limitMs, tooSlow);
      if (next instanceof Error) throw next;
      if (next.done) {
        finished = true;
        return;
      }
      size += next.value.length;
      if (size > maxCallbackBytes) throw tooLarge();
      yield next.value;
    }
  } finally {
    // Release the rest of the body.
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

/** One body that is not authenticated yet. */
export interface UnprovenBody {
  /** Counts a chunk that is buffered in memory. */
  keep: (chunk: Uint8Array) => void;
  /** Resolves when the body is evicted. */
  cut: Promise<Error>;
  leave: () => void;
}

export interface UnprovenLimits {
  maxBodies: number;
  maxBytes: number;
}

const unprovenLimits: UnprovenLimits = { maxBodies: 1024, maxBytes: 64 * 1024 * 1024 };

/** The memory that buffering even a short chunk takes. */
const bytesPerChunk = 256;
/** Until then, the speed of a body is not known. */
const measuredAfterMs = 1000;

/**
 * Buffers for bodies that are not authenticated yet. A new body is always admitted: above a limit
 * the slowest one is evicted, so that unfinished bodies never delay a finished one.
 */
export function makeUnprovenBodies(ticks: () => number, limits = unprovenLimits) {
  const bodies = new Set<{ began: number; bytes: number; cutWith: (error: Error) => void }>();
  let bytes = 0;
  const remove = (one: typeof bodies extends Set<infer One> ? One : never) => {
    if (bodies.delete(one)) bytes -= one.bytes;
  };
  const evict = () => {
    const now = ticks();
    while (bodies.size > limits.maxBodies || bytes > limits.maxBytes) {
      const measured = [...bodies].filter(({ began }) => now - began >= measuredAfterMs);
      const speed = (one: { began: number; bytes: number }) => one.bytes / (now - one.began);
      const [oldest] = bodies;
      const slowest = measured.toSorted((one, other) => speed(one) - speed(other))[0] ?? oldest;
      if (!slowest) return;
      remove(slowest);
      slowest.cutWith(evicted());
    }
  };
  return {
    enter: (): UnprovenBody => {
      const { promise: cut, resolve: cutWith } = Promise.withResolvers<Error>();
      const one = { began: ticks(), bytes: 0, cutWith };
      bodies.add(one);
      evict();
      return {
        keep: (chunk) => {
          if (!bodies.has(one)) return;
          const kept = Math.max(chunk.length, bytesPerChunk);
          one.bytes += kept;
          bytes += kept;
          evict();
        },
        cut,
        leave: () => remove(one),
      };
    },
    /** How many bodies and bytes are kept. */
    kept: () => ({ bodies: bodies.size, bytes }),
  };
}

export type UnprovenBodies = ReturnType<typeof makeUnprovenBodies>;

/** The unread rest of a body must not be parsed as the next request. */
const closing = { connection: 'close' };

function evicted(): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The body arrived too slowly while others were waiting. Send it again.',
    undefined,
    { status: 503, headers: { 'retry-after': '1', ...closing } },
  );
}

function tooSlow(): GatewayError {
  const message = 'The body did not arrive in time. Send it without pauses.';
  return new GatewayError('invalid_request', message, undefined, { status: 408, headers: closing });
}

function tooLarge(): GatewayError {
  const message = `A callback can have at most ${maxCallbackBytes} bytes.`;
  return new GatewayError('invalid_request', message, undefined, { status: 413, headers: closing });
}
