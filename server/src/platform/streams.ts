// Streams of bytes: one that gives back what it holds, the decoding of bodies, and the pace and the
// memory of long bodies that are received.
import { every } from './every.ts';
import { machine } from './machine.ts';

type Maybe<T> = T | undefined;

/**
 * `next` returns nothing at the end. `onEnd` is called once: at the end, after an error, or when
 * the reader leaves. `ahead` is how many chunks are made before they are asked for.
 */
export function makeStream<Bytes extends Uint8Array>(
  next: () => Maybe<Bytes> | Promise<Maybe<Bytes>>,
  onEnd: (reason?: unknown) => unknown = () => undefined,
  ahead = 1,
): ReadableStream<Bytes> {
  let isOver = false;
  const end = async (reason?: unknown) => {
    if (isOver) return;
    isOver = true;
    await onEnd(reason);
  };
  const pull = async (controller: ReadableStreamDefaultController<Bytes>) => {
    try {
      const bytes = await next();
      if (bytes) return controller.enqueue(bytes);
    } catch (error) {
      await end(error);
      throw error;
    }
    await end();
    controller.close();
  };
  return new ReadableStream({ pull, cancel: end }, { highWaterMark: ahead });
}

/** The chunks of a generator, which ends when the reader leaves. */
export function streamOf<Bytes extends Uint8Array>(
  chunks: AsyncGenerator<Bytes>,
  ahead?: number,
): ReadableStream<Bytes> {
  const next = async (): Promise<Maybe<Bytes>> => (await chunks.next()).value;
  return makeStream(next, () => chunks.return(undefined), ahead);
}

/** The same bytes. */
export function watchStream(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return makeStream(
    async () => (await reader.read()).value,
    async (reason) => {
      onEnd();
      // It may have failed itself.
      await reader.cancel(reason).catch(() => undefined);
    },
  );
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;
type Format = ConstructorParameters<typeof DecompressionStream>[0];

/** By the name in the header. Undefined means no encoding. */
const formats: ReadonlyMap<string, Format | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  // Bun supports these two; its types do not list them yet.
  ['br', 'brotli' as Format],
  ['zstd', 'zstd' as Format],
]);

export class DecodingError extends Error {}

/**
 * Returns the body itself if it is not encoded. Throws a DecodingError for an unknown encoding or
 * invalid bytes.
 */
export function decode(body: Body | null, headers: Headers): Body | null {
  const encoding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (!formats.has(encoding)) {
    throw new DecodingError('its Content-Encoding is not gzip, deflate, br or zstd');
  }
  const format = formats.get(encoding);
  if (format === undefined || body === null) return body;
  return decompressed(body.pipeThrough(new DecompressionStream(format)), encoding);
}

function decompressed(body: Body, encoding: string): Body {
  const reader = body.getReader();
  const next = async () => {
    const read = await reader.read().catch(() => {
      throw new DecodingError(`it is not valid ${encoding}`);
    });
    return read.value;
  };
  // Decompresses only what the reader asks for.
  return makeStream(next, (reason) => reader.cancel(reason).catch(() => undefined), 0);
}

interface Pace {
  /** Extra time for the sender, including its first byte. */
  graceMs: number;
  bytesPerSecond: number;
}

const checkEveryMs = 500;

/** Only the time spent waiting for the sender counts. Rejects with `tooSlow()`. */
export async function* pacedChunks(
  body: ReadableStream<Uint8Array>,
  { graceMs, bytesPerSecond }: Pace,
  tooSlow: () => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let [received, waitedMs] = [0, 0];
  let waitingSince: number | undefined;
  let [late, finished] = [false, false];
  const check = () => {
    const allowedMs = graceMs + (received / bytesPerSecond) * 1000;
    const begun = waitingSince === undefined ? 0 : machine.ticks() - waitingSince;
    if (late || waitedMs + begun <= allowedMs) return;
    late = true;
    // Ends the pending read. A race with a promise would keep one reaction for each chunk.
    reader.cancel().catch(() => undefined);
  };
  const checking = every(checkEveryMs, { name: 'upload_pace', work: check });
  try {
    for (;;) {
      const began = (waitingSince = machine.ticks());
      const next = await reader.read();
      waitingSince = undefined;
      waitedMs += machine.ticks() - began;
      if (late) throw tooSlow();
      if (next.done) {
        finished = true;
        return;
      }
      received += next.value.length;
      yield next.value;
    }
  } finally {
    checking.stop();
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

/** The same chunks. Each is shown to `see` before the reader gets it. */
export async function* passThrough(
  chunks: AsyncIterable<Uint8Array>,
  see: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}

/** The same chunks. Each is released when the reader asks for the next one. */
export async function* releasedChunks(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    yield chunk;
    releaseChunk(chunk);
  }
}

/**
 * Frees the memory of a chunk at once. The garbage collector would let tens of megabytes
 * accumulate.
 */
export function releaseChunk({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
