// The dashboard as files to serve. It is bundled from source at start, so there is no build step.

export interface Asset {
  /** Such as `/assets/main-3f2a.js`; `/` is the page itself. */
  path: string;
  type: string;
  body: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
}

/** Every path that serves the page; the page's router does the rest. */
export const pagePaths = [
  '/',
  '/sign-in',
  '/join',
  '/playground',
  '/keys',
  '/requests',
  '/jobs',
  '/billing',
  '/providers',
  '/people',
] as const;

export async function buildDashboard(): Promise<Asset[]> {
  const built = await Bun.build({
    entrypoints: [Bun.resolveSync('./main.tsx', import.meta.dir)],
    target: 'browser',
    minify: true,
    splitting: true,
    naming: '[name]-[hash].[ext]',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const assets = await Promise.all(
    built.outputs.map(async (output) => {
      const path = `/assets/${output.path.replace(/^.*\//, '')}`;
      return toAsset(path, typeOf(path), new Uint8Array(await output.arrayBuffer()));
    }),
  );
  const named = (pattern: RegExp) => assets.find(({ path }) => pattern.test(path))?.path ?? '';
  const page = pageText(named(/main-\w+\.js$/), named(/main-\w+\.css$/));
  return [toAsset('/', 'text/html; charset=utf-8', new TextEncoder().encode(page)), ...assets];
}

export function toAsset(path: string, type: string, body: Uint8Array<ArrayBuffer>): Asset {
  return { path, type, body, gzipped: Bun.gzipSync(body) };
}

function typeOf(path: string): string {
  return path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
  "%3Crect width='32' height='32' rx='8' fill='%231f6f5c'/%3E%3Cpath d='M16 26V16M16 16 8 7M16 " +
  "16l8-9' stroke='%23fff' stroke-width='3.2' stroke-linecap='round' fill='none'/%3E%3C/svg%3E";

function pageText(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Trivium</title>
    <link rel="icon" href="${icon}" />
    <link rel="stylesheet" href="${style}" />
    <script type="module" src="${script}"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>The dashboard needs JavaScript. The API at /v1 does not.</noscript>
  </body>
</html>
`;
}
