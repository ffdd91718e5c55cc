// A page as Firecrawl delivers it: the formats asked for, its metadata, and what it cost.
import type { Page } from '../corpus/page.ts';
import { termsOf } from '../terms.ts';
import { bestPassages, summarise, toPlainText } from '../text.ts';
import type { ScrapeOptions } from './firecrawl-wire.ts';

export function describeDocument(page: Page, url: string, options: ScrapeOptions): object {
  const formats = options.formats ?? ['markdown'];
  const parts = formats.map((format) =>
    typeof format === 'string'
      ? { [format]: PARTS[format](page) }
      : { highlights: highlightsOf(page, format.query) },
  );
  return {
    ...(Object.assign({}, ...parts) as object),
    metadata: {
      title: page.title,
      language: page.language,
      ...(page.published === undefined ? {} : { publishedTime: page.published.toISOString() }),
      ...(page.author === undefined ? {} : { author: page.author }),
      sourceURL: url,
      url: page.url,
      statusCode: 200,
      contentType: 'text/html',
      proxyUsed: 'basic',
      cacheState: options.maxAge === 0 ? 'miss' : 'hit',
      creditsUsed: creditsOf(options),
    },
    warning: null,
  };
}

/** Passages for a query are made by a model, which costs four more. */
export function creditsOf({ formats = [] }: ScrapeOptions): number {
  return formats.some((format) => typeof format === 'object') ? 5 : 1;
}

type PlainFormat = Extract<NonNullable<ScrapeOptions['formats']>[number], string>;

const PARTS: Record<PlainFormat, (page: Page) => unknown> = {
  markdown: ({ title, body }) => (body === '' ? '' : `# ${title}\n\n${body}`),
  html: htmlOf,
  rawHtml: htmlOf,
  links: ({ links }) => links,
  images: ({ images }) => images,
  summary: ({ body, title }) => summarise(body, termsOf(title)),
};

function htmlOf({ title, body }: Page): string {
  return `<html><head><title>${title}</title></head><body>${toPlainText(body)}</body></html>`;
}

const MAX_HIGHLIGHTS = 4;

function highlightsOf({ body }: Page, query: string): string {
  return bestPassages(body, termsOf(query), MAX_HIGHLIGHTS)
    .filter(({ score }) => score > 0)
    .map(({ text }) => text)
    .join('\n\n');
}
