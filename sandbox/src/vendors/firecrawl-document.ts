// A page as Firecrawl returns it: the requested formats, its metadata, and its cost.
import type { Page } from '../corpus/page.ts';
import { termsOf } from '../terms.ts';
import { bestPassages, summarise, toPlainText } from '../text.ts';
import type { ScrapeOptions } from './firecrawl-wire.ts';

export function describeDocument(page: Page, url: string, options: ScrapeOptions): object {
  const formats = options.formats ?? ['markdown'];
  const parts = formats.map((format) =>
    typeof format === 'string' ? { [format]: partNames[format](page) } : modelPart(page, format),
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

/** One credit for the page; model output and each special handling cost four more. */
export function creditsOf(options: ScrapeOptions): number {
  const { formats = [], proxy = 'auto', checkPromptInjection, lockdown, redactPII } = options;
  const extras = [
    ...new Set(
      formats.map((format) => (typeof format === 'object' ? format.type : expensive[format])),
    ),
    ...[proxy === 'stealth' || proxy === 'enhanced', checkPromptInjection, lockdown, redactPII],
  ].filter(Boolean);
  return 1 + extras.length * creditsForExtra;
}

const creditsForExtra = 4;
const expensive: Partial<Record<PlainFormat, string>> = { audio: 'audio', video: 'video' };

type Format = NonNullable<ScrapeOptions['formats']>[number];
type ModelFormat = Exclude<Format, string>;

function modelPart(page: Page, format: ModelFormat): object {
  switch (format.type) {
    case 'highlights':
      return { highlights: highlightsOf(page, format.query) };
    case 'question':
      return { answer: summarise(page.body, termsOf(format.question)) };
    case 'query':
      return { answer: summarise(page.body, termsOf(format.prompt)) };
    case 'json':
      return { json: { title: page.title } };
  }
}

type PlainFormat = Extract<Format, string>;

const partNames: Record<PlainFormat, (page: Page) => unknown> = {
  markdown: ({ title, body }) => (body === '' ? '' : `# ${title}\n\n${body}`),
  html: htmlOf,
  rawHtml: htmlOf,
  links: ({ links }) => links,
  images: ({ images }) => images,
  summary: ({ body, title }) => summarise(body, termsOf(title)),
  screenshot: ({ url }) => `${new URL(url).origin}/screenshot.png`,
  branding: () => ({}),
  product: () => null,
  menu: () => null,
  changeTracking: () => ({ previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' }),
  audio: () => null,
  video: () => null,
};

function htmlOf({ title, body }: Page): string {
  return `<html><head><title>${title}</title></head><body>${toPlainText(body)}</body></html>`;
}

const maxHighlights = 4;

function highlightsOf({ body }: Page, query: string): string {
  return bestPassages(body, termsOf(query), maxHighlights)
    .filter(({ score }) => score > 0)
    .map(({ text }) => text)
    .join('\n\n');
}
