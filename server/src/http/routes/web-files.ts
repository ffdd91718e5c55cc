// The files of the dashboard at / and of the documentation at /docs. Their pages load and run only
// what this gateway serves.
import { GatewayError } from '@trivium/contract';
import type { HttpContext, WebFile } from '../context.ts';
import { acceptsGzip } from '../middleware/body.ts';
import type { Incoming, PageHeaders, Route } from '../route.ts';
import { publicRoute } from './rows.ts';

const self = "'self'";

const dashboardPage = makePageHeaders({
  'script-src': self,
  'style-src': self,
  'img-src': "'self' data:",
  'font-src': self,
  'connect-src': self,
  // A file that a person chose, and the address of a recording that a person plays.
  'media-src': `${self} blob: https:`,
  'form-action': self,
});

const docsPage = makePageHeaders({
  'style-src': self,
  'font-src': self,
  'script-src': self,
  'img-src': self,
  'connect-src': self,
  'form-action': "'none'",
});

/** A page may load and run only what `policy` allows. */
export function makePageHeaders(policy: Readonly<Record<string, string>>): PageHeaders {
  const none = "'none'";
  const all = { 'default-src': none, 'base-uri': none, 'frame-ancestors': none, ...policy };
  return {
    'content-security-policy': Object.entries(all)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'referrer-policy': 'no-referrer',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}

const immutable = 'public, max-age=31536000, immutable';

export function dashboardRoutes({ dashboard: { pagePaths, load } }: HttpContext): Route[] {
  const serve = async ({ request }: Incoming, path: string, cache: string) => {
    const file = (await load()).get(path);
    if (!file) {
      const hint = 'It may belong to another version of the dashboard: reload the page.';
      throw new GatewayError('not_found', `There is no file ${path}. ${hint}`);
    }
    const zipped = acceptsGzip(request);
    return new Response(zipped ? file.gzipped : file.body, {
      headers: {
        'content-type': file.type,
        'cache-control': cache,
        vary: 'accept-encoding',
        ...(zipped ? { 'content-encoding': 'gzip' } : {}),
      },
    });
  };
  const row = { method: 'GET', role: 'visitor', page: dashboardPage } as const;
  return [
    ...pagePaths.map((path): Route => ({
      ...row,
      path,
      handle: (incoming: Incoming) => serve(incoming, '/', 'no-cache'),
    })),
    {
      ...row,
      path: '/assets/:name',
      handle: (incoming: Incoming) =>
        serve(incoming, `/assets/${incoming.params['name'] ?? ''}`, immutable),
    },
  ];
}

const loadedByPages = ['style.css', 'script.js', 'icon.svg', 'search.json'];

export function docsRoutes({ docs: load }: HttpContext): Route[] {
  const serve = async ({ keepOpen }: Incoming, path: string, kind: 'page' | 'picture') => {
    // Rendering them for the first time takes seconds.
    keepOpen?.();
    const files = await load();
    const file = files.get(path);
    if (!file) throw noFile(kind, [...files.values()]);
    return new Response(file.body, { headers: { 'content-type': file.type } });
  };
  const page = (incoming: Incoming) =>
    serve(incoming, `/docs/${incoming.params['page'] ?? 'index'}`, 'page');
  return [
    publicRoute('GET', '/docs', { page: docsPage }, page),
    ...[...loadedByPages.map((name) => `/docs/${name}`), '/llms.txt'].map((path) =>
      publicRoute('GET', path, {}, (incoming) => serve(incoming, path, 'page')),
    ),
    publicRoute('GET', `${picturesPath}:picture`, {}, (incoming) =>
      serve(incoming, `${picturesPath}${incoming.params['picture'] ?? ''}`, 'picture'),
    ),
    publicRoute('GET', '/docs/:page', { page: docsPage }, page),
  ];
}

const picturesPath = '/docs/images/';

function noFile(kind: 'page' | 'picture', files: readonly WebFile[]): GatewayError {
  const names =
    kind === 'page'
      ? files.filter(({ type }) => type.startsWith('text/html')).map(({ path }) => path)
      : files.flatMap(({ path }) =>
          path.startsWith(picturesPath) ? [path.slice(picturesPath.length)] : [],
        );
  return new GatewayError('not_found', `There is no such ${kind}. There are ${names.join(', ')}.`);
}
