// What the gateway says of itself: its contract, and whether it lives and is ready.
import { GatewayError, openApiDocument } from '@trivium/contract';
import type { Route } from '../app.ts';
import { jsonText } from '../json-text.ts';

export interface Readiness {
  /** Throws when requests cannot be served. */
  checkStore: () => Promise<void>;
  /** The metrics as Prometheus reads them. */
  renderMetrics: () => Promise<{ type: string; text: string }>;
}

export function metaRoutes({ checkStore, renderMetrics }: Readiness): Route[] {
  const document = JSON.stringify(openApiDocument());
  return [
    {
      method: 'GET',
      path: '/healthz',
      public: true,
      handle: () => jsonText('{"status":"ok"}'),
    },
    {
      method: 'GET',
      path: '/readyz',
      public: true,
      handle: async () => {
        try {
          await checkStore();
        } catch (error) {
          throw new GatewayError(
            'provider_not_available',
            'The store cannot be reached; nothing can be served until it is back.',
            undefined,
            { status: 503, cause: error },
          );
        }
        return jsonText('{"status":"ready"}');
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      public: true,
      handle: async () => {
        const { type, text } = await renderMetrics();
        return new Response(text, { headers: { 'content-type': type } });
      },
    },
    { method: 'GET', path: '/openapi.json', public: true, handle: () => jsonText(document) },
  ];
}
