// JSON that is sent compressed, and not at all to a client that already has it.
import { jsonText } from './middleware/body.ts';

/**
 * Compresses each text once, when a client first accepts it, because the same text is requested
 * often.
 */
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
