// The dashboard's page and its files, with headers that block foreign content.
import { GatewayError } from '@trivium/contract';
import { makePageHeaders } from '../../middleware/page-headers.ts';
import type { Incoming, Route } from '../../route.ts';

export interface PageFile {
  path: string;
  type: string;
  body: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
}

export interface DashboardFiles {
  /** The paths that serve the page. */
  pagePaths: readonly string[];
  /** Bundles the files at the first call, and keeps them. */
  load: () => Promise<ReadonlyMap<string, PageFile>>;
}

const page = makePageHeaders({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  // A file that a person chose, and the address of a recording that a person plays.
  'media-src': 'blob: https:',
  'form-action': "'self'",
});

const immutable = 'public, max-age=31536000, immutable';

export function dashboardRoutes({ pagePaths, load }: DashboardFiles): Route[] {
  const serve = async ({ request }: Incoming, path: string, cache: string) => {
    const file = (await load()).get(path);
    if (!file) {
      const hint = 'It may belong to another version of the dashboard: reload the page.';
      throw new GatewayError('not_found', `There is no file ${path}. ${hint}`);
    }
    const zipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
    return new Response(zipped ? file.gzipped : file.body, {
      headers: {
        'content-type': file.type,
        'cache-control': cache,
        vary: 'accept-encoding',
        ...(zipped ? { 'content-encoding': 'gzip' } : {}),
      },
    });
  };
  return [
    ...pagePaths.map((path): Route => ({
      method: 'GET',
      path,
      public: true,
      dashboard: true,
      page,
      handle: (incoming) => serve(incoming, '/', 'no-cache'),
    })),
    {
      method: 'GET',
      path: '/assets/:name',
      public: true,
      dashboard: true,
      page,
      handle: (incoming) => serve(incoming, `/assets/${incoming.params['name'] ?? ''}`, immutable),
    },
  ];
}
