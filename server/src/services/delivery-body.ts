// Reads the body of a delivery within bounds: strangers may send as slowly as they like, and as
// much, without keeping a genuine delivery out.
import { GatewayError } from '@trivium/contract';

export const maxDeliveryBytes = 64 * 1024 * 1024;

export interface Patience {
  /** The longest pause between two chunks. */
  pauseMs: number;
  /** The longest time for all of it. */
  wholeMs: number;
}

/** For a sender that has proven who it is. */
export const patienceWithVendors: Patience = { pauseMs: 15_000, wholeMs: 240_000 };
/** For a sender that is proven, if at all, only by the whole of its body. */
export const patienceWithStrangers: Patience = { pauseMs: 5000, wholeMs: 30_000 };

/** A length that is announced is believed only to refuse the body unread. */
export function refuseLongBody(headers: Headers): void {
  if (Number(headers.get('content-length') ?? 0) > maxDeliveryBytes) throw tooLarge();
}

/** `cut` ends the reading at once, with the error it resolves to. */
export async function* chunksInTime(
  body: ReadableStream<Uint8Array> | null,
  { pauseMs, wholeMs }: Patience,
  cut?: Promise<Error>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const late = Promise.withResolvers<Error>();
  const whole = setTimeout(() => late.resolve(tooSlow()), wholeMs);
  let pause: Timer | undefined;
  let [size, finished] = [0, false];
  try {
    for (;;) {
      pause = setTimeout(() => late.resolve(tooSlow()), pauseMs);
      const next = await Promise.race([...(cut ? [cut] : []), late.promise, reader.read()]);
      clearTimeout(pause);
      if (next instanceof Error) throw next;
      if (next.done) {
        finished = true;
        return;
      }
      size += next.value.length;
      if (size > maxDeliveryBytes) throw tooLarge();
      yield next.value;
    }
  } finally {
    clearTimeout(whole);
    clearTimeout(pause);
    // What is left of it must not be kept for a reader that has gone.
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

/** One body among those that nothing proves yet. */
export interface UnprovenBody {
  /** Counts a chunk that is kept in memory. */
  keep: (chunk: Uint8Array) => void;
  /** Resolves when it has to make room for others. */
  cut: Promise<Error>;
  leave: () => void;
}

export interface UnprovenLimits {
  maxBodies: number;
  maxBytes: number;
}

export const unprovenLimits: UnprovenLimits = { maxBodies: 1024, maxBytes: 64 * 1024 * 1024 };

/** However short a chunk is, keeping it takes about so much. */
const bytesPerChunk = 256;
/** Before that, how fast a body comes cannot be told. */
const judgedAfterMs = 1000;

/**
 * Room for bodies that nothing proves yet. A new one is always let in: where there is no room, the
 * one that comes most slowly is cut, so that unfinished bodies never keep a finished one waiting.
 */
export function makeUnprovenRoom(ticks: () => number, limits = unprovenLimits) {
  const bodies = new Set<{ began: number; bytes: number; cutWith: (error: Error) => void }>();
  let bytes = 0;
  const remove = (one: typeof bodies extends Set<infer One> ? One : never) => {
    if (bodies.delete(one)) bytes -= one.bytes;
  };
  const makeRoom = () => {
    const now = ticks();
    while (bodies.size > limits.maxBodies || bytes > limits.maxBytes) {
      const judged = [...bodies].filter(({ began }) => now - began >= judgedAfterMs);
      const speed = (one: { began: number; bytes: number }) => one.bytes / (now - one.began);
      const [oldest] = bodies;
      const slowest = judged.toSorted((one, other) => speed(one) - speed(other))[0] ?? oldest;
      if (!slowest) return;
      remove(slowest);
      slowest.cutWith(noRoom());
    }
  };
  return {
    enter: (): UnprovenBody => {
      const { promise: cut, resolve: cutWith } = Promise.withResolvers<Error>();
      const one = { began: ticks(), bytes: 0, cutWith };
      bodies.add(one);
      makeRoom();
      return {
        keep: (chunk) => {
          if (!bodies.has(one)) return;
          const kept = Math.max(chunk.length, bytesPerChunk);
          one.bytes += kept;
          bytes += kept;
          makeRoom();
        },
        cut,
        leave: () => remove(one),
      };
    },
    /** How many bodies and bytes are kept. */
    kept: () => ({ bodies: bodies.size, bytes }),
  };
}

export type UnprovenRoom = ReturnType<typeof makeUnprovenRoom>;

/** What is not read any more must not be taken for the next request. */
const closing = { connection: 'close' };

function noRoom(): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The body came too slowly while others waited. Send it again.',
    undefined,
    { status: 503, headers: { 'retry-after': '1', ...closing } },
  );
}

function tooSlow(): GatewayError {
  const message = 'The body did not arrive in time. Send it in one go.';
  return new GatewayError('invalid_request', message, undefined, { status: 408, headers: closing });
}

function tooLarge(): GatewayError {
  const message = `A delivery may have at most ${maxDeliveryBytes} bytes.`;
  return new GatewayError('invalid_request', message, undefined, { status: 413, headers: closing });
}
