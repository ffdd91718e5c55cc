// Health, readiness, metrics, the OpenAPI documents, and GET /v1/providers.
import { version } from '@trivium/contract';
import type { HttpContext } from '../../context.ts';
import { compressedJson } from '../../compressed.ts';
import { jsonText } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import { callerRoute, publicRoute } from '../rows.ts';

export function metaRoutes({ readiness, settings: { mode } }: HttpContext): Route[] {
  const { check, renderMetrics } = readiness;
  const metrics = async () => {
    const { type, text } = await renderMetrics();
    return new Response(text, { headers: { 'content-type': type } });
  };
  const health = JSON.stringify({ status: 'ok', version, mode });
  return [
    publicRoute('GET', '/healthz', {}, () => jsonText(health)),
    publicRoute('GET', '/readyz', {}, async () =>
      jsonText(JSON.stringify({ status: 'ready', mode, ...(await check()) })),
    ),
    {
      method: 'GET',
      path: '/metrics',
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

export function providerRoutes({ describe }: HttpContext): Route[] {
  const send = compressedJson();
  return [
    callerRoute('GET', '/v1/providers', { report: true }, ({ request }) =>
      send(request, JSON.stringify(describe())),
    ),
  ];
}
