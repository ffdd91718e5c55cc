// The dashboard as files to serve. It is bundled from source at start, so there is no build step.

export interface Asset {
  /** Such as `/assets/main-3f2a.js`; `/` is the page itself. */
  path: string;
  type: string;
  body: Uint8Array<ArrayBuffer>;
  /** Not compressed in development, where build time matters. */
  gzipped: Uint8Array<ArrayBuffer>;
}

/** Every path that serves the page; the page's router does the rest. */
export const pagePaths = [
  '/',
  '/sign-in',
  '/join',
  '/reset',
  '/playground',
  '/keys',
  '/webhooks',
  '/requests',
  '/jobs',
  '/incidents',
  '/usage',
  '/billing',
  '/providers',
  '/scorecard',
  '/people',
  '/audit',
  '/settings',
  '/profile',
  '/oauth/authorize',
] as const;

/** The style sheet names this path, which changes with the version of the typeface. */
const fontPath = '/assets/geist-5.3.0.woff2';
const fontFile = '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';

interface BuildOptions {
  /** Readable, with source maps and React's warnings. */
  development?: boolean;
}

export async function buildDashboard({ development = false }: BuildOptions = {}): Promise<Asset[]> {
  const schemas = await requestSchemas();
  const [app, early, font] = await Promise.all([
    bundle('./main.tsx', development, { $requestSchemas: JSON.stringify(schemas) }),
    bundle('./early.ts', development, {}),
    Bun.file(Bun.resolveSync(fontFile, import.meta.dir)).bytes(),
  ]);
  const assets = [...app, ...early];
  const named = (pattern: RegExp) => assets.find(({ path }) => pattern.test(path))?.path ?? '';
  const page = pageText({
    early: named(/early-\w+\.js$/),
    script: named(/main-\w+\.js$/),
    style: named(/main-\w+\.css$/),
  });
  return [
    toAsset('/', 'text/html; charset=utf-8', new TextEncoder().encode(page), development),
    toAsset(fontPath, 'font/woff2', font, development),
    ...assets,
  ];
}

/**
 * The schemas from which the playground builds its forms: 2 of the 39 kB of the API description.
 */
async function requestSchemas(): Promise<object> {
  const { openApiDocument } = await import('@trivium/contract/openapi');
  const document = openApiDocument() as { components: { schemas: Record<string, object> } };
  const { schemas } = document.components;
  const names = ['SearchRequest', 'ExtractRequest', 'TranscriptionRequest'];
  return Object.fromEntries(names.map((name) => [name, schemas[name]]));
}

/** Each entry has its own bundle, because the early script must not load anything else. */
async function bundle(
  entry: string,
  development: boolean,
  constants: Record<string, string>,
): Promise<Asset[]> {
  const built = await Bun.build({
    entrypoints: [Bun.resolveSync(entry, import.meta.dir)],
    target: 'browser',
    minify: !development,
    sourcemap: development ? 'inline' : 'none',
    splitting: true,
    naming: '[name]-[hash].[ext]',
    external: [fontPath],
    define: {
      'process.env.NODE_ENV': development ? '"development"' : '"production"',
      ...constants,
    },
  });
  return Promise.all(
    built.outputs.map(async (output) => {
      const path = `/assets/${output.path.replace(/^.*\//, '')}`;
      const body = new Uint8Array(await output.arrayBuffer());
      return toAsset(path, typeOf(path), body, development);
    }),
  );
}

function toAsset(
  path: string,
  type: string,
  body: Uint8Array<ArrayBuffer>,
  development: boolean,
): Asset {
  return { path, type, body, gzipped: development ? body : Bun.gzipSync(body, strongest) };
}

/** The strongest compression: files are compressed once and read often. */
const strongest = { library: 'libdeflate', level: 12 } as const;

function typeOf(path: string): string {
  return path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
  "%3Crect width='32' height='32' rx='8' fill='%231f6f5c'/%3E%3Cpath d='M16 26V16M16 16 8 7M16 " +
  "16l8-9' stroke='%23fff' stroke-width='3.2' stroke-linecap='round' fill='none'/%3E%3C/svg%3E";

interface PageFiles {
  early: string;
  script: string;
  style: string;
}

function pageText({ early, script, style }: PageFiles): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Trivium</title>
    <link rel="icon" href="${icon}" />
    <script src="${early}"></script>
    <link rel="preload" href="${fontPath}" as="font" type="font/woff2" crossorigin />
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
