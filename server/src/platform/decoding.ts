// Undoes the Content-Encoding of a body piece by piece, so that a small body which unpacks into a
// huge one is counted while it grows and never stands in memory as a whole.

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;
type Format = ConstructorParameters<typeof DecompressionStream>[0];

/** By the name on the wire; undefined stands for bytes that are sent as they are. */
const formats: ReadonlyMap<string, Format | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  // The runtime knows these two as well; the types do not yet.
  ['br', 'brotli' as Format],
  ['zstd', 'zstd' as Format],
]);

export class DecodingError extends Error {}

function encodingOf(headers: Headers): string {
  return (headers.get('content-encoding') ?? '').trim().toLowerCase();
}

/**
 * The body itself where there is nothing to undo. An encoding that is not known, and bytes that are
 * not what it says, are a DecodingError.
 */
export function decode(body: Body | null, headers: Headers): Body | null {
  const encoding = encodingOf(headers);
  if (!formats.has(encoding)) {
    throw new DecodingError('its Content-Encoding is none of gzip, deflate, br and zstd');
  }
  const format = formats.get(encoding);
  if (format === undefined || body === null) return body;
  return unpacked(body.pipeThrough(new DecompressionStream(format)), encoding);
}

function unpacked(body: Body, encoding: string): Body {
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    const next = await reader.read().catch(() => {
      throw new DecodingError(`it cannot be unpacked as ${encoding}`);
    });
    if (next.done) controller.close();
    else controller.enqueue(next.value);
  };
  const cancel = (reason: unknown) => reader.cancel(reason);
  // Nothing is unpacked before it is asked for.
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
