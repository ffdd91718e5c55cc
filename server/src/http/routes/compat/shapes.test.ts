// What the parameters of other APIs become in ours, and that every request made is one of ours.
import { describe, expect, test } from 'bun:test';
import { ExtractRequest, SearchRequest } from '@trivium/contract';
import { exaContents, exaSearch } from './exa.ts';
import { perplexitySearch } from './perplexity.ts';
import { searxngSearch } from './searxng.ts';
import { type Body, type Shape, translate } from './shape.ts';
import { tavilyExtract, tavilySearch } from './tavily.ts';

const rows: [string, Shape, object, Body][] = [
  ['Tavily, nothing but a query', tavilySearch, { query: 'x' }, { query: 'x', max_results: 5 }],
  [
    'Tavily, everything we can say',
    tavilySearch,
    {
      query: 'x',
      search_depth: 'advanced',
      topic: 'news',
      max_results: 7,
      time_range: 'w',
      country: 'united kingdom',
      language: 'en',
      safe_search: true,
      chunks_per_source: 2,
      include_domains: ['a.com'],
      exclude_domains: [],
      include_raw_content: true,
      include_answer: true,
    },
    {
      query: 'x',
      max_results: 7,
      mode: 'deep',
      category: 'news',
      freshness: 'week',
      include_domains: ['a.com'],
      content: { full_text: true, snippets: { max_per_result: 2 } },
      locale: { country: 'GB', language: 'en' },
      safe_search: 'strict',
    },
  ],
  [
    'Tavily, one page',
    tavilyExtract,
    { urls: 'https://a.com/', format: 'text', timeout: 1.5, query: 'prices' },
    {
      urls: ['https://a.com/'],
      query: 'prices',
      content: { format: 'text', excerpts: { max_per_url: 3 } },
      timeout_ms: 1500,
    },
  ],
  [
    'Exa',
    exaSearch,
    {
      query: 'x',
      numResults: 3,
      type: 'fast',
      category: 'research paper',
      startPublishedDate: '2024-01-02T03:04:05.000Z',
      contents: { text: { maxCharacters: 100 }, summary: {} },
    },
    {
      query: 'x',
      max_results: 3,
      mode: 'fast',
      category: 'research',
      published_after: '2024-01-02',
      content: { full_text: true, summary: true },
    },
  ],
  [
    'Exa, contents asked for nothing',
    exaContents,
    { ids: ['https://a.com/'] },
    { urls: ['https://a.com/'], content: { full_text: true } },
  ],
  [
    'Exa, contents',
    exaContents,
    { urls: ['https://a.com/'], text: { maxCharacters: 500 }, highlights: true, maxAgeHours: 0 },
    {
      urls: ['https://a.com/'],
      max_age_hours: 0,
      content: { excerpts: {}, full_text: true },
    },
  ],
  [
    'Perplexity',
    perplexitySearch,
    {
      query: ['x', 'y'],
      country: 'DE',
      search_domain_filter: ['a.com', '-b.com'],
      search_after_date_filter: '3/1/2025',
    },
    {
      query: 'x y',
      include_domains: ['a.com'],
      exclude_domains: ['b.com'],
      published_after: '2025-03-01',
      locale: { country: 'DE' },
    },
  ],
  [
    'SearXNG',
    searxngSearch,
    { q: 'x', language: 'de-AT', safesearch: '2', pageno: '3', time_range: 'month' },
    {
      query: 'x',
      freshness: 'month',
      safe_search: 'strict',
      offset: 20,
      locale: { language: 'de', country: 'AT' },
    },
  ],
];

describe('a request in another shape', () => {
  test.each(rows)('%s', (_name, shape, asked, expected) => {
    const { request } = translate(shape, asked);
    expect(request).toEqual(expected);
    const ours = shape.tool === 'search' ? SearchRequest : ExtractRequest;
    expect(ours.safeParse(request).success).toBe(true);
  });

  test('null means not given, as many programs send it', () => {
    expect(translate(tavilySearch, { query: 'x', topic: null, time_range: null }).request).toEqual({
      query: 'x',
      max_results: 5,
    });
  });
});

test('an address is taken apart as programs for SearXNG expect', () => {
  const result = {
    id: 'res_0000000000000000',
    url: 'https://a.com/b?c=d#e',
    title: null,
    snippets: ['one', 'two'],
    score_synthesized: true,
    raw: {},
  };
  if (searxngSearch.tool !== 'search') throw new Error('SearXNG searches.');
  const answer = searxngSearch.toAnswer(
    { q: 'x' },
    {
      id: 'srch_0',
      provider: 'engine_a',
      results: [result],
      warnings: [],
      usage: { cost_usd: 0, credits: 0 },
      latency_ms: 1,
    },
  );
  expect(answer).toMatchObject({
    results: [
      {
        title: 'https://a.com/b?c=d#e',
        content: 'one … two',
        parsed_url: ['https', 'a.com', '/b', '', 'c=d', 'e'],
      },
    ],
  });
});
