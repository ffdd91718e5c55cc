// The format of Firecrawl's search and scrape, in versions 1 and 2, served by any engine.
import type { ExtractResult, SearchResult } from '@trivium/contract';
import { z } from 'zod';
import {
  dayFrom,
  defineShape,
  flag,
  group,
  maybe,
  number,
  present,
  rawFields,
  type Reading,
  text,
  texts,
  type Body,
  type Shape,
} from './shape.ts';
import {
  checkPlainOptions,
  formatsIn,
  nativeScrape,
  pageOptions,
  plainScrapeFields,
  scrapeFields,
  ownPages,
  kindsOf,
} from './firecrawl-options.ts';

export type Version = 'v1' | 'v2';

const Kind = z.union([z.string(), z.looseObject({ type: text })]);
/** Clients identify themselves in these. They do not affect the answer. */
const senderFields = { origin: text, integration: text };

const Search = z.looseObject({
  ...senderFields,
  query: text,
  limit: number,
  sources: maybe(z.array(Kind)),
  categories: maybe(z.array(Kind)),
  includeDomains: texts,
  excludeDomains: texts,
  tbs: text,
  country: text,
  lang: text,
  timeout: number,
  /** Results without a valid address are never returned. */
  ignoreInvalidURLs: flag,
  highlights: flag,
  scrapeOptions: maybe(z.looseObject(plainScrapeFields)),
});

const Scrape = z.looseObject({ ...senderFields, ...scrapeFields, url: text });

const firecrawlId = 'engine_f' as const;
/** The number of results that a client of each version expects by default. */
const defaultLimits = { v1: 5, v2: 10 };
/** No search takes longer here, so a longer timeout counts as honoured. */
const longestSearchMs = 30_000;
const nativeSearch = ['tbs', 'location', 'safe', 'timeout', 'categories', 'enterprise'];

export function firecrawlSearch(version: Version): Shape {
  return defineShape({
    ...ofVersion(version, 'search', { native: nativeSearch, named: ownSearch }),
    params: Search,
    tool: 'search',
    toRequest: (reading) => {
      const { given, ignore } = reading;
      if (given.timeout && given.timeout < longestSearchMs) ignore('timeout');
      const country = orDefault(given.country, 'us');
      const language = orDefault(given.lang, 'en');
      const { markdown, summary } = wantedOf(reading, version);
      return {
        query: given.query,
        max_results: given.limit ?? defaultLimits[version],
        category: categoryIn(reading),
        include_domains: given.includeDomains,
        exclude_domains: given.excludeDomains,
        ...datesIn(reading),
        locale: group({ country, language }),
        content: group({ full_text: markdown || undefined, summary: summary || undefined }),
      };
    },
    toAnswer: ({ sources }, { id, provider, results, usage }) => {
      const isNews = newsOnly(sources);
      const found = results.map((one, index) => ({
        ...resultOf(one, index + 1, isNews),
        ...rawFields(one.raw, provider === firecrawlId),
      }));
      const data = version === 'v1' ? found : { [isNews ? 'news' : 'web']: found };
      return { success: true, data, id, creditsUsed: wholeCredits(usage.credits) };
    },
  });
}

export function firecrawlScrape(version: Version): Shape {
  return defineShape({
    ...ofVersion(version, 'scrape', { native: nativeScrape, named: ownPages }),
    params: Scrape,
    tool: 'extract',
    toRequest: (reading) => {
      const { url } = reading.given;
      const urls = url === undefined || url === null ? undefined : [url];
      return { urls, ...pageOptions(reading, version) };
    },
    toAnswer: (_asked, { provider, results: [page], failed: [failure], usage }) =>
      page === undefined
        ? { success: false, code: 'SCRAPE_ALL_ENGINES_FAILED', error: failure?.error ?? '' }
        : { success: true, data: documentOf(page, provider, wholeCredits(usage.credits)) },
  });
}

/** Firecrawl's object for a page. The status is that of a page that was read. */
export function documentOf(page: ExtractResult, provider: string, credits?: number): Body {
  const { url, title, content, excerpts, summary, links, images } = page;
  return present({
    markdown: content,
    summary,
    links,
    images,
    highlights: excerpts?.join('\n\n'),
    metadata: present({
      title,
      author: page.author,
      publishedTime: page.published_date,
      sourceURL: url,
      url: page.final_url ?? url,
      statusCode: 200,
      creditsUsed: credits,
    }),
    ...rawFields(page.raw, provider === firecrawlId),
  });
}

/** Firecrawl's credits are whole numbers. The exact cost is in a header. */
export function wholeCredits(credits: number): number {
  return Math.ceil(credits);
}

/** Without a version in the base URL, version 2 applies. Only it passes on Firecrawl's options. */
export function ofVersion<Own>(version: Version, path: string, own: Own) {
  const common = { api: 'Firecrawl', takes: 'json' } as const;
  if (version === 'v1') return { ...common, paths: [`/compat/firecrawl/v1/${path}`] };
  const below = [`/compat/firecrawl/v2/${path}`, `/compat/firecrawl/${path}`];
  // Firecrawl's Python client calls the root of the address that it is given.
  return { ...common, paths: [...below, `/v2/${path}`], own: { id: firecrawlId, ...own } };
}

/** If the caller names Firecrawl as the provider, it also reads the found pages. */
function ownSearch(
  { scrapeOptions }: z.output<typeof Search>,
  { content: _content, ...request }: Body,
) {
  return { request, native: present({ scrapeOptions }) };
}

type SearchReading = Reading<z.output<typeof Search>>;

function wantedOf(reading: SearchReading, version: Version) {
  const { scrapeOptions } = reading.given;
  if (!scrapeOptions) return { markdown: false, summary: false };
  checkPlainOptions(reading, scrapeOptions, 'scrapeOptions.', version);
  const { links, images, highlights, ...wanted } = formatsIn(
    reading,
    'scrapeOptions.formats',
    scrapeOptions.formats ?? ['markdown'],
  );
  if (links || images || highlights !== undefined) reading.ignore('scrapeOptions.formats');
  return wanted;
}

function newsOnly(sources: z.output<typeof Search>['sources']): boolean {
  const kinds = kindsOf(sources ?? []);
  return kinds.includes('news') && !kinds.includes('web');
}

/** A search has one kind of source: the web, or news if the caller wants only news. */
function categoryIn({ given, ignore, approximate }: SearchReading): string | undefined {
  const sources = kindsOf(given.sources ?? []);
  const isNews = newsOnly(given.sources);
  if (sources.includes('web') && sources.includes('news')) {
    approximate('sources', 'Only the web was searched.');
  }
  if (sources.some((kind) => kind !== 'web' && kind !== 'news')) ignore('sources');
  const categories = kindsOf(given.categories ?? []);
  const isResearch = categories.includes('research') && !isNews;
  if (categories.length > (isResearch ? 1 : 0)) ignore('categories');
  if (isNews) return 'news';
  return isResearch ? 'research' : undefined;
}

const windowOf = new Map(Object.entries({ h: 'day', d: 'day', w: 'week', m: 'month', y: 'year' }));

/** A time window in Google's syntax, such as qdr:w or cdr:1,cd_min:1/31/2026. */
function datesIn({ given: { tbs }, ignore, approximate }: SearchReading): Body {
  const parts = (tbs ?? '').split(',').filter((part) => part !== '' && part !== 'sbd:1');
  if (tbs?.includes('sbd:1')) approximate('tbs', 'The results are not sorted by date.');
  const [first = '', ...rest] = parts;
  const window = windowOf.get(/^qdr:([hdwmy])$/.exec(first)?.[1] ?? '');
  if (first === 'qdr:h') approximate('tbs', 'The last day was searched.');
  if (window !== undefined && rest.length === 0) return { freshness: window };
  const days = rest.map((part) => /^cd_(min|max):(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(part));
  if (first === 'cdr:1' && days.length > 0 && !days.includes(null)) {
    return Object.fromEntries(
      days.map((parts) => {
        const [, end, month = '', day = '', year = ''] = parts ?? [];
        const param = end === 'min' ? 'published_after' : 'published_before';
        return [param, dayFrom(year, month, day)];
      }),
    );
  }
  if (parts.length > 0) ignore('tbs');
  return {};
}

/** Clients send the API's default if their user chose nothing. */
function orDefault(value: string | null | undefined, usual: string): string | undefined {
  return value?.toLowerCase() === usual ? undefined : (value ?? undefined);
}

function resultOf(one: SearchResult, position: number, isNews: boolean): Body {
  const { url, full_text, summary, snippets, published_date } = one;
  const title = one.title ?? '';
  const text = snippets.join('\n\n');
  const isRead = full_text !== undefined || summary !== undefined;
  return present({
    url,
    title,
    position,
    ...(isNews ? { snippet: text, date: published_date } : { description: text }),
    markdown: full_text,
    summary,
    metadata: isRead ? { title, description: text, sourceURL: url, url } : undefined,
  });
}
