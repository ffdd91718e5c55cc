// Health, readiness, metrics, the OpenAPI documents, and GET /v1/providers.
import { version } from '@trivium/contract';
import type { HttpContext } from '../../context.ts';
import { acceptsGzip, jsonText } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import { callerRoute, publicRoute } from '../rows.ts';

export function metaRoutes({ readiness, describe, settings: { mode } }: HttpContext): Route[] {
  const { check, renderMetrics } = readiness;
  const metrics = async () => {
    const { type, text } = await renderMetrics();
    return new Response(text, { headers: { 'content-type': type } });
  };
  const sendProviders = compressedJson();
  const health = JSON.stringify({ status: 'ok', version, mode });
  return [
    callerRoute('GET', '/v1/providers', { report: true }, ({ request }) =>
      sendProviders(request, JSON.stringify(describe())),
    ),
    publicRoute('GET', '/healthz', {}, () => jsonText(health)),
    publicRoute('GET', '/readyz', {}, async () =>
      jsonText(JSON.stringify({ status: 'ready', mode, ...(await check()) })),
    ),
    {
      method: 'GET',
      path: '/metrics',
      report: true,
      role: 'admin',
      scope: 'gateway',
      handle: metrics,
      onOwnPort: metrics,
    },
    documentRoute('/openapi.json', async () =>
      (await import('@trivium/contract/openapi')).openApiDocument(),
    ),
    documentRoute('/openapi-3.0.json', async () =>
      (await import('@trivium/contract/openapi30')).openApi30Document(),
    ),
  ];
}

/** Built on first use, so that the start does not wait for it. */
function documentRoute(path: string, make: () => Promise<object>): Route {
  let text: string | undefined;
  const send = compressedJson();
  return publicRoute('GET', path, {}, async ({ request }) => {
    text ??= JSON.stringify(await make());
    return send(request, text);
  });
}

/** Compresses each text once, because the same text is requested often. */
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
    if (!acceptsGzip(request)) return jsonText(text, 200, headers);
    return new Response((last.gzipped ??= Bun.gzipSync(text)), {
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
  };
}
