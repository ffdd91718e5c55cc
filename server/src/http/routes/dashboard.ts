// The dashboard's page and its files, with headers that let nothing foreign run in it.
import { GatewayError } from '@trivium/contract';
import type { Incoming, Route } from '../app.ts';

export interface PageFile {
  path: string;
  type: string;
  body: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
}

export interface DashboardFiles {
  /** Addresses that answer with the page. */
  page_paths: readonly string[];
  /** Made on the first call and kept. */
  load: () => Promise<ReadonlyMap<string, PageFile>>;
}

export const page_headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

const kept_for_good = 'public, max-age=31536000, immutable';

export function dashboardRoutes({ page_paths, load }: DashboardFiles): Route[] {
  const serve = async ({ request }: Incoming, path: string, cache: string) => {
    const file = (await load()).get(path);
    if (!file) throw new GatewayError('not_found', `There is no file ${path}.`);
    const zipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
    return new Response(zipped ? file.gzipped : file.body, {
      headers: {
        ...page_headers,
        'content-type': file.type,
        'cache-control': cache,
        vary: 'accept-encoding',
        ...(zipped ? { 'content-encoding': 'gzip' } : {}),
      },
    });
  };
  return [
    ...page_paths.map((path): Route => ({
      method: 'GET',
      path,
      public: true,
      dashboard: true,
      handle: (incoming) => serve(incoming, '/', 'no-cache'),
    })),
    {
      method: 'GET',
      path: '/assets/:name',
      public: true,
      dashboard: true,
      handle: (incoming) =>
        serve(incoming, `/assets/${incoming.params['name'] ?? ''}`, kept_for_good),
    },
  ];
}
