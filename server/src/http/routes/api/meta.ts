// Health, readiness, metrics, the OpenAPI documents, and GET /v1/providers.
import { type ProvidersResponse, version } from '@trivium/contract';
import { overlapOf, type SearchContext } from '../../../search/index.ts';
import { describeProviders } from '../../../upstream/index.ts';
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
      role: 'public',
      handle: () => jsonText(health),
    },
    {
      method: 'GET',
      path: '/readyz',
      role: 'public',
      handle: async () => jsonText(JSON.stringify({ status: 'ready', mode, ...(await check()) })),
    },
    {
      method: 'GET',
      path: '/metrics',
      role: 'admin',
      scope: 'gateway',
      handle: metrics,
      onOwnPort: metrics,
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
    role: 'public',
    handle: async ({ request }) => {
      text ??= JSON.stringify(await make());
      return send(request, text);
    },
  };
}

/** `auto` is the current order. */
export function describeAll(
  { providers, prices, overlap, settings }: SearchContext & { settings: { mode: Mode } },
  auto: ProvidersResponse['auto'],
): ProvidersResponse {
  return {
    mode: settings.mode,
    ...describeProviders(providers, prices, (id) => overlap && overlapOf(overlap, id)),
    auto,
  };
}

export function providerRoutes(describe: () => ProvidersResponse): Route[] {
  const send = compressedJson();
  return [
    {
      method: 'GET',
      path: '/v1/providers',
      role: 'caller',
      report: true,
      handle: ({ request }) => send(request, JSON.stringify(describe())),
    },
  ];
}
