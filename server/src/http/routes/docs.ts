// GET /docs: the documentation as web pages, each rendered when it is first read and then kept.
import { GatewayError, openApiDocument } from '@trivium/contract';
import type { Incoming, Route } from '../app.ts';
import type { DocFile } from '../docs/doc-file.ts';
import { layout, navigationOf, style_sheet } from '../docs/layout.ts';
import { renderMarkdown } from '../docs/markdown.ts';
import { renderReference } from '../docs/reference.ts';
import type { OpenApi } from '../docs/reference.ts';

export function docsRoutes(files: readonly DocFile[]): Route[] {
  const pages = pagesOf(files);
  const show = ({ params }: Incoming) => {
    const page = pages.get(params['page'] ?? 'index');
    if (page !== undefined) return html(page());
    const names = [...pages.keys()].map((name) => `/docs/${name}`).join(', ');
    throw new GatewayError('not_found', `There is no such page. There are ${names}.`);
  };
  return [
    { method: 'GET', path: '/docs', public: true, handle: show },
    { method: 'GET', path: '/docs/style.css', public: true, handle: () => css() },
    { method: 'GET', path: '/docs/:page', public: true, handle: show },
  ];
}

function pagesOf(files: readonly DocFile[]): Map<string, () => string> {
  const index = files.find(({ name }) => name === 'index');
  const entries = navigationOf(index?.markdown ?? '');
  const pages = new Map<string, () => string>();
  for (const { name, markdown } of files) {
    const href = name === 'index' ? '/docs' : `/docs/${name}`;
    pages.set(
      name,
      once(() => layout({ ...renderMarkdown(markdown), href }, entries)),
    );
  }
  const reference = (href: string) =>
    once(() => {
      const text = renderReference(openApiDocument() as OpenApi);
      return layout({ title: 'API reference', html: text, href }, entries);
    });
  pages.set('api', reference('/docs/api'));
  if (index === undefined) pages.set('index', reference('/docs'));
  return pages;
}

function once(render: () => string): () => string {
  let rendered: string | undefined;
  return () => (rendered ??= render());
}

/** Nothing from elsewhere is loaded, and nothing in a page may run. */
const page_headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
};

function html(text: string): Response {
  return new Response(text, { headers: page_headers });
}

function css(): Response {
  return new Response(style_sheet, { headers: { 'content-type': 'text/css; charset=utf-8' } });
}
