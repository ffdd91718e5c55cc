// JSON that is sent compressed, and not at all to a client that has it already.
import { jsonText } from './middleware/body.ts';

/** Compressed once for each text, when a client takes it: the same one is asked for often. */
export function compressedJson(): (request: Request, text: string) => Response {
  let last: { text: string; etag: string; gzipped?: Uint8Array<ArrayBuffer> } | undefined;
  return (request, text) => {
    if (last?.text !== text) {
      const etag = `"${Bun.hash(text).toString(36)}"`;
      last = { text, etag };
    }
    const { etag } = last;
    const headers = { etag, vary: 'accept-encoding', 'cache-control': 'private, no-cache' };
    if (request.headers.get('if-none-match') === etag) {
      return new Response(null, { status: 304, headers });
    }
    const acceptsGzip = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
    if (!acceptsGzip) return jsonText(text, 200, headers);
    return new Response((last.gzipped ??= Bun.gzipSync(text)), {
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
  };
}
