// Tavily's own client as reference: given the same options, it sends what our fixtures send.
import { afterAll, expect, test } from 'bun:test';
import { tavily as connect } from '@tavily/core';
import type { TavilyExtractOptions, TavilySearchOptions } from '@tavily/core';
import { tavily } from '../../src/providers/tavily/adapter.ts';
import { countryNames } from '../../src/providers/tavily/countries.ts';
import { sentBodies } from './sent-bodies.ts';

/** The client's options by name; it also passes on any other key, which proves nothing. */
type Named<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

/** The compiler keeps these tables equal to the client's types: each option, and its wire name. */
const searchOptions: Record<Named<TavilySearchOptions>, string | undefined> = {
  searchDepth: 'search_depth',
  topic: 'topic',
  days: 'days',
  maxResults: 'max_results',
  includeImages: 'include_images',
  includeImageDescriptions: 'include_image_descriptions',
  includeAnswer: 'include_answer',
  includeRawContent: 'include_raw_content',
  includeDomains: 'include_domains',
  excludeDomains: 'exclude_domains',
  includeDomainsMode: 'include_domains_mode',
  timeRange: 'time_range',
  chunksPerSource: 'chunks_per_source',
  country: 'country',
  startDate: 'start_date',
  endDate: 'end_date',
  maxHours: 'max_hours',
  autoParameters: 'auto_parameters',
  includeFavicon: 'include_favicon',
  includeUsage: 'include_usage',
  exactMatch: 'exact_match',
  fetchTimeout: 'fetch_timeout',
  cacheFallback: 'cache_fallback',
  language: 'language',
  filterByLanguage: 'filter_by_language',
  maxTokens: undefined,
  timeout: undefined,
  sessionId: undefined,
  humanId: undefined,
  clientName: undefined,
};
const extractOptions: Record<Named<TavilyExtractOptions>, string | undefined> = {
  includeImages: 'include_images',
  extractDepth: 'extract_depth',
  format: 'format',
  timeout: 'timeout',
  includeFavicon: 'include_favicon',
  includeUsage: 'include_usage',
  query: 'query',
  chunksPerSource: 'chunks_per_source',
  sessionId: undefined,
  humanId: undefined,
  clientName: undefined,
};
/** Newer than the client: documented for the wire, and passed on under this name. */
const newerSearchFields = ['include_published_date'];

const depths: Record<NonNullable<TavilySearchOptions['searchDepth']>, true> = {
  'ultra-fast': true,
  fast: true,
  basic: true,
  advanced: true,
};
const topics: Record<NonNullable<TavilySearchOptions['topic']>, true> = {
  general: true,
  news: true,
  finance: true,
};
/** `filter` is the name older servers have for the strict mode; it is sent only after a refusal. */
const modes: Record<NonNullable<TavilySearchOptions['includeDomainsMode']> | 'filter', true> = {
  restrict: true,
  prefer: true,
  filter: true,
};

const received: { path: string; key: string | null; body: unknown }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const key = request.headers.get('authorization');
    received.push({ path: new URL(request.url).pathname, key, body: await request.json() });
    return Response.json({ images: [], results: [], failed_results: [] });
  },
});
const client = connect({ apiKey: 'test-key', apiBaseURL: server.url.origin });
const key = tavily.auth('test-key')['authorization'] ?? null;
afterAll(() => server.stop(true));

for (const { file, body } of sentBodies('tavily', 'search')) {
  const { query, ...fields } = body as { query: string };
  test(`${file} sends what the client would send`, async () => {
    received.length = 0;
    const { options, unknown } = inItsWords(fields, searchOptions);
    expect(unknown.filter((field) => !newerSearchFields.includes(field))).toEqual([]);
    await client.search(query, options);
    expect(received).toEqual([{ path: '/search', key, body }]);
  });

  test(`${file} uses only values the client knows`, () => {
    const { search_depth, topic, include_domains_mode } = body as Record<string, string>;
    if (search_depth !== undefined) expect(depths).toHaveProperty([search_depth]);
    if (topic !== undefined) expect(topics).toHaveProperty([topic]);
    if (include_domains_mode !== undefined) expect(modes).toHaveProperty([include_domains_mode]);
  });
}

for (const { file, body } of sentBodies('tavily', 'extract')) {
  const { urls, ...fields } = body as { urls: string[] };
  test(`${file} sends what the client would send`, async () => {
    received.length = 0;
    const { options, unknown } = inItsWords(fields, extractOptions);
    expect(unknown).toEqual([]);
    await client.extract(urls, options);
    expect(received).toEqual([{ path: '/extract', key, body }]);
  });
}

test('countries have their English names, except for a few that the vendor names differently', () => {
  const english = new Intl.DisplayNames(['en'], { type: 'region' });
  const plain = (name: string) => name.toLowerCase().replace('&', 'and');
  const other = Object.entries(countryNames).filter(
    ([code, name]) => plain(english.of(code) ?? '') !== name,
  );
  expect(Object.fromEntries(other)).toEqual({
    CG: 'congo',
    CZ: 'czech republic',
    MM: 'myanmar',
    TR: 'turkey',
  });
  expect(Object.keys(countryNames)).toHaveLength(166);
});

function inItsWords(fields: object, names: Readonly<Record<string, string | undefined>>) {
  const optionOf = new Map(Object.entries(names).map(([option, name]) => [name, option]));
  const unknown = Object.keys(fields).filter((field) => !optionOf.has(field));
  const options = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [optionOf.get(field) ?? field, value]),
  );
  return { options, unknown };
}
