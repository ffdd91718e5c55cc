// Health, readiness, metrics and the OpenAPI documents.
import { version } from '@trivium/contract';
import { compressedJson } from '../../compressed.ts';
import { jsonText } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import type { Mode } from '../../../settings/index.ts';

export interface Readiness {
  mode: Mode;
  /** Throws if the gateway cannot serve. */
  check: () => Promise<object>;
  /** The metrics in the Prometheus text format. */
  renderMetrics: () => Promise<{ type: string; text: string }>;
}

export function metaRoutes({ mode, check, renderMetrics }: Readiness): Route[] {
  const metrics = async () => {
    const { type, text } = await renderMetrics();
    return new Response(text, { headers: { 'content-type': type } });
  };
  const health = JSON.stringify({ status: 'ok', version, mode });
  return [
    {
      method: 'GET',
      path: '/healthz',
      public: true,
      handle: () => jsonText(health),
    },
    {
      method: 'GET',
      path: '/readyz',
      public: true,
      handle: async () => {
        return jsonText(JSON.stringify({ status: 'ready', mode, ...(await check()) }));
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      operator: true,
      scope: 'gateway',
      handle: metrics,
      handleOnOwnPort: metrics,
    },
    documentRoute('/openapi.json', async () => {
      const { openApiDocument } = await import('@trivium/contract/openapi');
      return openApiDocument();
    }),
    documentRoute('/openapi-3.0.json', async () => {
      const { openApi30Document } = await import('@trivium/contract/openapi30');
      return openApi30Document();
    }),
  ];
}

/** Built on first use, so that the start does not wait for it. */
function documentRoute(path: string, make: () => Promise<object>): Route {
  let text: string | undefined;
  const send = compressedJson();
  return {
    method: 'GET',
    path,
    public: true,
    handle: async ({ request }) => {
      text ??= JSON.stringify(await make());
      return send(request, text);
    },
  };
}
