// GET /docs: the documentation as web pages, rendered on first request and then kept; as Markdown
// for programs; and the files that the pages load: style, script, search index and images.
import { GatewayError } from '@trivium/contract';
import type { Documentation } from './markdown.ts';
import { icon, layout } from './layout.ts';
import { loadJsonHighlighter, renderMarkdown } from './markdown.ts';
import { navigationOf } from './navigation.ts';
import { listForModels, plainMarkdown } from './plain-pages.ts';
import { renderReference } from './reference.ts';
import type { OpenApi } from './reference.ts';
import script from './script.js' with { type: 'text' };
import { sectionsOf } from './search-index.ts';
import styleSheet from './style.css' with { type: 'text' };
import { nextTurn } from '../../../platform/clock.ts';
import { makePageHeaders } from '../../middleware/page-headers.ts';
import type { Incoming, Route } from '../../route.ts';

/** `tokens` are the colours and sizes of the dashboard, as a style sheet. */
export function docsRoutes(read: () => Promise<Documentation>, tokens: string): Route[] {
  let made: ReturnType<typeof siteOf> | undefined;
  const site = async () => (made ??= siteOf(await read()));
  const show = async ({ params }: Incoming) => {
    const name = params['page'] ?? 'index';
    const { pages, markdown } = await site();
    const plain = name.endsWith('.md') ? markdown(name.slice(0, -'.md'.length)) : undefined;
    if (plain !== undefined) return respond('text/markdown', plain);
    const page = pages.get(name);
    if (page !== undefined) return respond('text/html', (await page()).document);
    throw notFound(
      'page',
      [...pages.keys()].map((one) => `/docs/${one}`),
    );
  };
  const file = (path: string, type: string, text: () => string | Promise<string>): Route => ({
    method: 'GET',
    path,
    public: true,
    handle: async () => respond(type, await text()),
  });
  return [
    { method: 'GET', path: '/docs', public: true, page, handle: show },
    file('/docs/style.css', 'text/css', () => `${tokens}\n${String(styleSheet)}`),
    file('/docs/script.js', 'text/javascript', () => script),
    file('/docs/icon.svg', 'image/svg+xml', () => icon),
    file('/docs/search.json', 'application/json', async () => (await site()).searchIndex()),
    file('/llms.txt', 'text/plain', async () => (await site()).list()),
    {
      method: 'GET',
      path: '/docs/images/:picture',
      public: true,
      handle: async (incoming) => (await site()).picture(incoming),
    },
    { method: 'GET', path: '/docs/:page', public: true, page, handle: show },
  ];
}

interface RenderedPage {
  title: string;
  href: string;
  html: string;
  document: string;
}

function siteOf({ pages: files, pictures }: Documentation) {
  const index = files.find(({ name }) => name === 'index');
  const groups = navigationOf(index?.markdown ?? '');
  const pages = new Map<string, () => Promise<RenderedPage>>();
  for (const { name, markdown } of files) {
    const href = name === 'index' ? '/docs' : `/docs/${name}`;
    pages.set(
      name,
      once(async () => {
        const rendered = { ...(await renderMarkdown(markdown, pictures)), href, markdown: true };
        return { ...rendered, document: layout(rendered, groups) };
      }),
    );
  }
  const reference = (href: string) =>
    once(async () => {
      const highlight = await loadJsonHighlighter();
      const { openApiDocument } = await import('@trivium/contract/openapi');
      const html = renderReference(openApiDocument() as OpenApi, highlight);
      const headings = [
        { id: 'endpoints', title: 'Endpoints' },
        { id: 'schemas', title: 'Schemas' },
      ];
      const rendered = { title: 'API reference', html, href, headings, markdown: false };
      return { ...rendered, document: layout(rendered, groups) };
    });
  pages.set('api', reference('/docs/api'));
  if (index === undefined) pages.set('index', reference('/docs'));
  return {
    pages,
    markdown: (name: string) => {
      const found = files.find((file) => file.name === name);
      return found && plainMarkdown(found.markdown);
    },
    list: () => listForModels(files, groups),
    searchIndex: once(async () => {
      const rendered: RenderedPage[] = [];
      for (const render of pages.values()) {
        rendered.push(await render());
        // Serves other requests between two pages.
        await nextTurn();
      }
      return JSON.stringify(rendered.flatMap(sectionsOf));
    }),
    picture: ({ params }: Incoming) => {
      const found = pictures.find(({ name }) => name === params['picture']);
      if (found === undefined)
        throw notFound(
          'picture',
          pictures.map(({ name }) => name),
        );
      const type = found.name.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
      return respond(type, Buffer.from(found.base64, 'base64'));
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** A page loads and runs only what this gateway serves. */
const page = makePageHeaders({
  'style-src': "'self'",
  'font-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'none'",
});

function respond(type: string, body: string | Uint8Array<ArrayBuffer>): Response {
  const charset = type === 'image/png' ? '' : '; charset=utf-8';
  return new Response(body, { headers: { 'content-type': `${type}${charset}` } });
}

function notFound(kind: string, names: readonly string[]): GatewayError {
  return new GatewayError('not_found', `There is no such ${kind}. There are ${names.join(', ')}.`);
}
