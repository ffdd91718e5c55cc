// The format of Exa's search and contents, served by any engine.
import type { ExtractResult, SearchResult } from '@trivium/contract';
import { z } from 'zod';
import {
  dayOf,
  defineShape,
  flag,
  group,
  isOn,
  maybe,
  number,
  pickFields,
  present,
  rawFields,
  type Reading,
  text,
  texts,
} from './shape.ts';

const orTrue = <T extends z.ZodRawShape>(fields: T) =>
  z.union([z.boolean(), z.looseObject(fields)]).nullish();
const whole = maybe(z.int().min(0));
const Wanted = {
  text: orTrue({ maxCharacters: whole }),
  highlights: orTrue({ highlightsPerUrl: whole, query: text }),
  summary: orTrue({ query: text }),
  livecrawl: text,
};
const Stream = maybe(z.boolean().refine((on) => !on, { error: 'Answers are not streamed here.' }));

const Search = z.looseObject({
  query: text,
  numResults: number,
  type: text,
  category: text,
  includeDomains: texts,
  excludeDomains: texts,
  startPublishedDate: text,
  endPublishedDate: text,
  userLocation: maybe(z.union([z.string(), z.looseObject({})])),
  moderation: flag,
  contents: maybe(z.looseObject(Wanted)),
  stream: Stream,
});

const Contents = z.looseObject({
  ...Wanted,
  urls: texts,
  ids: texts,
  maxAgeHours: number,
  livecrawlTimeout: number,
  extras: maybe(z.looseObject({ links: whole, imageLinks: whole })),
});

const common = { api: 'Exa', takes: 'json' } as const;
/** Defaults map to undefined, so that they never cause a warning. */
const modes = { instant: 'instant', fast: 'fast', auto: undefined, deep: 'deep' };
const categories = {
  news: 'news',
  company: 'company',
  people: 'people',
  publication: 'research',
  'research paper': 'research',
};

const id = 'engine_a';
const nativeSearch = [
  ...['type', 'category', 'includeText', 'excludeText', 'startCrawlDate', 'endCrawlDate'],
  ...['additionalQueries', 'systemPrompt', 'outputSchema', 'objective', 'context', 'userLocation'],
  'contents',
];
const nativeContents = [
  ...['text', 'highlights', 'summary', 'subpages', 'subpageTarget', 'extras', 'livecrawl'],
  ...['context', 'snapshotAsOf', 'filterEmptyResults'],
];
/** The vendor's fields about a search as a whole. */
const searchFields = ['resolvedSearchType', 'searchType', 'context', 'output', 'autoDate'];

export const exaSearch = defineShape({
  ...common,
  paths: ['/compat/exa/search'],
  params: Search,
  own: { id, native: nativeSearch },
  tool: 'search',
  toRequest: ({ given, pick, ignore }) => {
    const { text: pageText, summary, highlights, livecrawl } = given.contents ?? {};
    pick('contents.livecrawl', livecrawl, { fallback: undefined });
    const country = typeof given.userLocation === 'string' ? given.userLocation : undefined;
    if (given.userLocation && country === undefined) ignore('userLocation');
    if (fieldOf(highlights, 'query')) ignore('contents.highlights.query');
    if (fieldOf(summary, 'query')) ignore('contents.summary.query');
    return {
      query: given.query,
      max_results: given.numResults,
      mode: pick('type', given.type, modes),
      category: pick('category', given.category, categories),
      include_domains: given.includeDomains,
      exclude_domains: given.excludeDomains,
      published_after: dayOf(given.startPublishedDate),
      published_before: dayOf(given.endPublishedDate),
      locale: group({ country }),
      safe_search: given.moderation === true ? 'strict' : undefined,
      content: group({
        full_text: isOn(pageText) ? true : undefined,
        summary: isOn(summary) ? true : undefined,
        snippets: group({ max_per_result: fieldOf(highlights, 'highlightsPerUrl') }),
      }),
    };
  },
  toAnswer: ({ type, contents }, { id: requestId, provider, results, usage, vendor }) => ({
    requestId,
    resolvedSearchType: type ?? 'auto',
    ...pickFields(vendor, searchFields),
    results: results.map((one) => ({
      ...resultOf(one, contents ?? {}),
      ...ownFields(one.raw, provider, contents ?? {}),
    })),
    costDollars: { total: usage.cost_usd },
  }),
});

export const exaContents = defineShape({
  ...common,
  paths: ['/compat/exa/contents'],
  params: Contents,
  own: { id, native: nativeContents },
  tool: 'extract',
  toRequest: (reading) => {
    const { given } = reading;
    const { highlights, summary, extras } = given;
    return {
      urls: given.urls ?? given.ids,
      query: queryIn(reading),
      max_age_hours: ageIn(reading),
      timeout_ms: given.livecrawlTimeout,
      include_links: extras?.links ? true : undefined,
      include_images: extras?.imageLinks ? true : undefined,
      content: present({
        excerpts: isOn(highlights)
          ? present({ max_per_url: fieldOf(highlights, 'highlightsPerUrl') })
          : undefined,
        summary: isOn(summary) ? true : undefined,
        // By default, Exa returns the text.
        full_text: isOn(given.text) || !(isOn(highlights) || isOn(summary)),
      }),
    };
  },
  toAnswer: (asked, { id: requestId, provider, results, failed, usage }) => ({
    requestId,
    results: results.map((one) => ({
      ...pageOf(one, provider, asked),
      ...ownFields(one.raw, provider, asked),
    })),
    statuses: [
      ...results.map(({ url }) => ({ id: url, status: 'success', source: 'crawled' })),
      ...failed.map(({ url }) => ({
        id: url,
        status: 'error',
        error: { tag: 'CRAWL_UNKNOWN_ERROR', httpStatusCode: null },
      })),
    ],
    costDollars: { total: usage.cost_usd },
  }),
});

/** A field of an option that may also be just `true`. */
function fieldOf<T extends object, K extends keyof T>(
  wanted: T | boolean | null | undefined,
  name: K,
): T[K] | undefined {
  return typeof wanted === 'object' ? wanted?.[name] : undefined;
}

type ContentsReading = Reading<z.output<typeof Contents>>;

/** Exa has separate queries for the highlights and the summary; our API has one for both. */
function queryIn({ given, approximate }: ContentsReading): string | undefined {
  const highlightsQuery = fieldOf(given.highlights, 'query') ?? undefined;
  const summaryQuery = fieldOf(given.summary, 'query') ?? undefined;
  if (highlightsQuery && summaryQuery && highlightsQuery !== summaryQuery) {
    approximate('summary.query', 'The summary uses the query of the highlights.');
  }
  return highlightsQuery || summaryQuery || undefined;
}

function ageIn({ given, pick }: ContentsReading): number | undefined {
  const maxAge = pick('livecrawl', given.livecrawl, { fallback: undefined, always: 0 });
  return given.maxAgeHours ?? maxAge;
}

type Asked = Partial<z.output<z.ZodObject<typeof Wanted>>>;

function resultOf(one: SearchResult, wanted: Asked) {
  const { url, title, score, published_date, author, full_text, summary, snippets } = one;
  return {
    id: url,
    url,
    title,
    score,
    publishedDate: published_date,
    author,
    ...(isOn(wanted.text) ? { text: cut(full_text ?? snippets.join('\n'), wanted) } : {}),
    ...(isOn(wanted.highlights) ? { highlights: snippets } : {}),
    ...(summary === undefined ? {} : { summary }),
  };
}

function pageOf(page: ExtractResult, provider: string, asked: z.output<typeof Contents>) {
  const { url, content, excerpts, summary, links, images } = page;
  const { links: maxLinks = 0, imageLinks: maxImages = 0 } = asked.extras ?? {};
  return {
    ...{ id: url, url, title: page.title ?? null },
    publishedDate: page.published_date,
    author: page.author,
    ...(content === undefined ? {} : { text: cut(content, asked) }),
    ...(excerpts === undefined ? {} : { highlights: excerpts }),
    ...(summary === undefined ? {} : { summary }),
    extras: group({
      ...rawFields(rawFields(page.raw, provider === id)['extras'], true),
      links: links?.slice(0, maxLinks ?? 0),
      imageLinks: images?.slice(0, maxImages ?? 0),
    }),
  };
}

/** Without the text, which is cut here, and highlights that were not requested. */
function ownFields(raw: unknown, provider: string, wanted: Asked) {
  const keepHighlights = isOn(wanted.highlights) && !fieldOf(wanted.highlights, 'highlightsPerUrl');
  const without = keepHighlights ? ['text'] : ['text', 'highlights', 'highlightScores'];
  return rawFields(raw, provider === id, [...without, 'extras']);
}

/** Cuts the text to the exact length, whichever engine serves it. */
function cut(whole: string, { text: wanted }: Asked): string {
  return whole.slice(0, fieldOf(wanted, 'maxCharacters') ?? undefined);
}
