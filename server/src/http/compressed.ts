// JSON that is sent compressed, and not at all to a client that has it already.
import { jsonText } from './middleware/body.ts';

/** Compressed once for each text: the same one is asked for again and again. */
export function compressedJson(): (request: Request, text: string) => Response {
  let last: { text: string; gzipped: Uint8Array<ArrayBuffer>; etag: string } | undefined;
  return (request, text) => {
    if (last?.text !== text) {
      const etag = `"${Bun.hash(text).toString(36)}"`;
      last = { text, gzipped: Bun.gzipSync(text), etag };
    }
    const { gzipped, etag } = last;
    const headers = { etag, vary: 'accept-encoding', 'cache-control': 'private, no-cache' };
    if (request.headers.get('if-none-match') === etag) {
      return new Response(null, { status: 304, headers });
    }
    const acceptsGzip = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
    if (!acceptsGzip) return jsonText(text, 200, headers);
    return new Response(gzipped, {
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
  };
}
