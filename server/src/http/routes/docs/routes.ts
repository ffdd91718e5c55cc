// GET /docs: the documentation as web pages, each rendered at its first request and then kept.
import { GatewayError, openApiDocument } from '@trivium/contract';
import type { DocFile } from './doc-file.ts';
import { layout, navigationOf, styleSheet } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { renderReference } from './reference.ts';
import type { OpenApi } from './reference.ts';
import { makePageHeaders } from '../../middleware/page-headers.ts';
import type { Incoming, Route } from '../../route.ts';

export function docsRoutes(files: readonly DocFile[]): Route[] {
  const pages = pagesOf(files);
  const show = async ({ params }: Incoming) => {
    const page = pages.get(params['page'] ?? 'index');
    if (page !== undefined) return html(await page());
    const names = [...pages.keys()].map((name) => `/docs/${name}`).join(', ');
    throw new GatewayError('not_found', `There is no such page. There are ${names}.`);
  };
  return [
    { method: 'GET', path: '/docs', public: true, page, handle: show },
    { method: 'GET', path: '/docs/style.css', public: true, handle: () => css() },
    { method: 'GET', path: '/docs/:page', public: true, page, handle: show },
  ];
}

function pagesOf(files: readonly DocFile[]): Map<string, () => Promise<string>> {
  const index = files.find(({ name }) => name === 'index');
  const entries = navigationOf(index?.markdown ?? '');
  const pages = new Map<string, () => Promise<string>>();
  for (const { name, markdown } of files) {
    const href = name === 'index' ? '/docs' : `/docs/${name}`;
    pages.set(
      name,
      once(async () => layout({ ...(await renderMarkdown(markdown)), href }, entries)),
    );
  }
  const reference = (href: string) =>
    once(async () => {
      const text = renderReference(openApiDocument() as OpenApi);
      return layout({ title: 'API reference', html: text, href }, entries);
    });
  pages.set('api', reference('/docs/api'));
  if (index === undefined) pages.set('index', reference('/docs'));
  return pages;
}

function once(render: () => Promise<string>): () => Promise<string> {
  let rendered: Promise<string> | undefined;
  return () => (rendered ??= render());
}

/** A page loads nothing but its style sheet, and runs no scripts. */
const page = makePageHeaders({ styleSrc: ["'self'"], formAction: ["'none'"] });

function html(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

function css(): Response {
  return new Response(styleSheet, { headers: { 'content-type': 'text/css; charset=utf-8' } });
}
