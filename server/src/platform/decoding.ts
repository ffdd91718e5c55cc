// Decodes the Content-Encoding of a body as a stream, so that the reader can count the bytes and
// stop if a small body decompresses into a huge one.

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

function encodingOf(headers: Headers): string {
  return (headers.get('content-encoding') ?? '').trim().toLowerCase();
}

/**
 * Returns the body itself if it is not encoded. Throws a DecodingError for an unknown encoding or
 * invalid bytes.
 */
export function decode(body: Body | null, headers: Headers): Body | null {
  const encoding = encodingOf(headers);
  if (!formats.has(encoding)) {
    throw new DecodingError('its Content-Encoding is not gzip, deflate, br or zstd');
  }
  const format = formats.get(encoding);
  if (format === undefined || body === null) return body;
  return decompressed(body.pipeThrough(new DecompressionStream(format)), encoding);
}

function decompressed(body: Body, encoding: string): Body {
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    const next = await reader.read().catch(() => {
      throw new DecodingError(`it is not valid ${encoding}`);
    });
    if (next.done) controller.close();
    else controller.enqueue(next.value);
  };
  const cancel = (reason: unknown) => reader.cancel(reason);
  // Decompresses only what the reader asks for.
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
