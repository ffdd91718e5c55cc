// Nothing that a program asks of another API may vanish without a word: each parameter changes our
// request or the answer, or is named in a warning.
import { describe, expect, test } from 'bun:test';
import { exaContents, exaSearch } from './exa.ts';
import { firecrawlBatch } from './firecrawl-batch.ts';
import { firecrawlScrape, firecrawlSearch } from './firecrawl.ts';
import { perplexitySearch } from './perplexity.ts';
import { searxngSearch } from './searxng.ts';
import { type Shape, translate } from './shape.ts';
import { tavilyExtract, tavilySearch } from './tavily.ts';

/** Every parameter of the vendors' documentation and clients, with a value that asks for it. */
type Vocabulary = [string, Shape, object, [param: string, value: unknown][]];

const vocabularies: Vocabulary[] = [
  [
    'Tavily search',
    tavilySearch,
    { query: 'x' },
    [
      ...list('include_answer include_images include_image_descriptions include_favicon', true),
      ...list('auto_parameters exact_match filter_by_language filter_by_published_date', true),
      ...list('max_tokens fetch_timeout days max_hours chunks_per_source max_results', 3),
      ...list('start_date end_date', '2026-01-02'),
      ...list('include_domains exclude_domains', ['a.com']),
      ...list('safe_search include_raw_content cache_fallback', true),
      ['search_depth', 'advanced'],
      ['search_depth', 'deepest'],
      ['topic', 'finance'],
      ['time_range', 'decade'],
      ['include_raw_content', 'text'],
      ['include_domains_mode', 'prefer'],
      ['include_domains_mode', 'soft'],
      ['country', 'narnia'],
      ['country', 'germany'],
      ['language', 'german'],
      ['days', 4000],
    ],
  ],
  [
    'Tavily extract',
    tavilyExtract,
    { urls: ['https://a.com/'] },
    [
      ...list('include_images include_favicon', true),
      ...list('query', 'prices'),
      ...list('chunks_per_source timeout', 2),
      ['extract_depth', 'advanced'],
      ['format', 'text'],
      ['format', 'html'],
    ],
  ],
  [
    'Exa search',
    exaSearch,
    { query: 'x', contents: {} },
    [
      ...list('includeText excludeText includeDomains excludeDomains flags', ['a']),
      ...list('startCrawlDate endCrawlDate startPublishedDate endPublishedDate', '2026-01-02'),
      ...list('moderation useAutoprompt', true),
      ...list('systemPrompt outputSchema context', { type: 'text' }),
      ...list('additionalQueries', ['y']),
      ...list('numResults', 3),
      ['userLocation', 'DE'],
      ['type', 'keyword'],
      ['type', 'neural'],
      ['type', 'deep-reasoning'],
      ['category', 'pdf'],
      ['category', 'publication'],
      ['contents', { subpages: 2 }],
      ['contents', { subpageTarget: 'about' }],
      ['contents', { livecrawl: 'always' }],
      ['contents', { maxAgeHours: 1 }],
      ['contents', { extras: { links: 3 } }],
      ['contents', { text: { includeHtmlTags: true } }],
      ['contents', { highlights: { query: 'y' } }],
      ['contents', { highlights: { numSentences: 2 } }],
      ['contents', { highlights: { highlightsPerUrl: 2 } }],
      ['contents', { summary: { schema: { type: 'object' } } }],
      ['contents', { summary: { query: 'y' } }],
      ['contents', { filterEmptyResults: true }],
    ],
  ],
  [
    'Exa contents',
    exaContents,
    { urls: ['https://a.com/'] },
    [
      ...list('subpages livecrawlTimeout maxAgeHours', 2000),
      ...list('subpageTarget snapshotAsOf', 'x'),
      ...list('highlights summary filterEmptyResults context', true),
      ['livecrawl', 'always'],
      ['livecrawl', 'never'],
      ['text', { verbosity: 'full' }],
      ['highlights', { query: 'y' }],
      ['summary', { schema: {} }],
      ['extras', { links: 2 }],
      ['extras', { imageLinks: 2 }],
      ['extras', { richLinks: 2 }],
    ],
  ],
  [
    'Perplexity search',
    perplexitySearch,
    { query: 'x' },
    [
      ...list('max_tokens max_tokens_per_page max_results', 3),
      ...list('search_after_date_filter search_before_date_filter', '1/2/2026'),
      ...list('last_updated_after_filter last_updated_before_filter', '1/2/2026'),
      ...list('display_server_time', true),
      ['query', ['x', 'y']],
      ['search_context_size', 'low'],
      ['search_recency_filter', 'hour'],
      ['search_mode', 'academic'],
      ['search_mode', 'sec'],
      ['search_type', 'people'],
      ['search_type', 'pictures'],
      ['search_language_filter', ['de', 'en']],
      ['search_domain_filter', ['-a.com']],
      ['country', 'DE'],
    ],
  ],
  [
    'SearXNG',
    searxngSearch,
    { q: 'x' },
    [
      ...list('engines theme enabled_plugins disabled_plugins autocomplete image_proxy', 'x'),
      ['categories', 'news'],
      ['categories', 'images'],
      ['categories', 'general,news'],
      ['language', 'de'],
      ['language', 'tlh'],
      ['time_range', 'hour'],
      ['safesearch', '2'],
      ['pageno', '2'],
    ],
  ],
  ...(['v1', 'v2'] as const).flatMap((version) => [
    ofFirecrawlSearch(version),
    ofFirecrawlPages(version, 'scrape', firecrawlScrape(version), { url: 'https://a.com/' }),
    ofFirecrawlPages(version, 'batch', firecrawlBatch(version), { urls: ['https://a.com/'] }),
  ]),
];

describe.each(vocabularies)('%s', (_name, shape, least, words) => {
  const plain = translate(shape, least);

  test('the least request asks for nothing that has no counterpart', () => {
    expect(plain.warnings).toEqual([]);
  });

  test.each(words)('%s: %j changes the request or is named in a warning', (param, value) => {
    const { request, warnings } = translate(shape, { ...least, [param]: value });
    const changed = JSON.stringify(request) !== JSON.stringify(plain.request);
    const named = warnings.map((warning) => (warning.param ?? '').split('.')[0]);
    expect(changed || named.includes(param)).toBe(true);
    expect(named.every((name) => name === param)).toBe(true);
  });
});

test('what a program leaves off is not named', () => {
  const off = { include_answer: false, include_images: null, max_tokens: 0, days: 0 };
  const neutral = { search_depth: 'basic', topic: 'general', include_usage: true };
  const { warnings } = translate(tavilySearch, { query: 'x', ...off, ...neutral });
  expect(warnings).toEqual([]);
});

test('a warning says where inside the body the parameter stands', () => {
  const { warnings } = translate(exaSearch, { query: 'x', contents: { text: { verbosity: 'x' } } });
  expect(warnings.map(({ param }) => param)).toEqual(['contents.text.verbosity']);
});

function list(names: string, value: unknown): [string, unknown][] {
  return names.split(' ').map((name) => [name, value]);
}

function ofFirecrawlSearch(version: 'v1' | 'v2'): Vocabulary {
  return [
    `Firecrawl search ${version}`,
    firecrawlSearch(version),
    { query: 'x' },
    [
      ...list('includeDomains excludeDomains', ['a.com']),
      ...list('location filter toolDetail', 'x'),
      ...list('safe domainTools enterprise threatProtection', ['x']),
      ['limit', 3],
      ['timeout', 5000],
      ['sources', ['news']],
      ['sources', [{ type: 'news' }]],
      ['sources', ['web', 'news']],
      ['sources', ['images']],
      ['categories', ['research']],
      ['categories', [{ type: 'github' }]],
      ['categories', ['research', 'pdf']],
      ['tbs', 'qdr:w'],
      ['tbs', 'qdr:h'],
      ['tbs', 'qdr:d3'],
      ['tbs', 'sbd:1,qdr:m'],
      ['tbs', 'cdr:1,cd_min:1/31/2026,cd_max:12/1/2026'],
      ['tbs', 'cdr:1,cd_min:never'],
      ['tbs', 'constructor'],
      ['country', 'de'],
      ['lang', 'de'],
      ['scrapeOptions', {}],
      ['scrapeOptions', { formats: ['markdown'] }],
      ['scrapeOptions', { formats: ['html'] }],
      ['scrapeOptions', { formats: ['links'] }],
      ['scrapeOptions', { formats: [], waitFor: 100 }],
      ['scrapeOptions', { formats: [], onlyMainContent: false }],
      ['scrapeOptions', { formats: [], maxAge: 0.5 }],
    ],
  ];
}

function ofFirecrawlPages(
  version: 'v1' | 'v2',
  name: string,
  shape: Shape,
  least: object,
): Vocabulary {
  return [
    `Firecrawl ${name} ${version}`,
    shape,
    least,
    [
      ...list('includeTags excludeTags actions', ['a']),
      ...list('waitFor minAge', 100),
      ...list('mobile fastMode zeroDataRetention lockdown', true),
      ...list('onlyMainContent storeInCache parsePDF', false),
      ...list('headers location jsonOptions extract changeTrackingOptions profile', { a: 1 }),
      ...list('webhook appendToId agent', 'x'),
      ['formats', ['html']],
      ['formats', ['markdown', 'rawHtml']],
      ['formats', ['markdown', 'links']],
      ['formats', ['images']],
      ['formats', ['summary']],
      ['formats', [{ type: 'highlights', query: 'y' }]],
      ['formats', ['markdown', { type: 'json', prompt: 'y' }]],
      ['timeout', 5000],
      ['timeout', 300_000],
      ['maxAge', 0],
      ['maxAge', 3_600_000],
      ['maxAge', 1000],
      ['proxy', 'stealth'],
      ['parsers', []],
      ['parsers', [{ type: 'pdf', maxPages: 3 }]],
      ...(version === 'v1' ? list('skipTlsVerification', true) : []),
    ],
  ];
}
