// Exa's own client as reference: our fixtures send only what it knows, and it sends the same.
import { afterAll, expect, test } from 'bun:test';
import Exa from 'exa-js';
import type { ContentsOptions, RegularSearchOptions } from 'exa-js';
import type { ExtrasOptions, HighlightsContentsOptions } from 'exa-js';
import type { SummaryContentsOptions, TextContentsOptions } from 'exa-js';
import { exa } from '../../src/providers/exa/adapter.ts';
import { sentBodies } from './sent-bodies.ts';

type FieldOf<T> = T extends unknown ? keyof T : never;
type Table<T> = Record<FieldOf<T>, 'ours' | 'never'>;

/** The compiler keeps these tables equal to the client's types; `never` marks the deprecated. */
const searchFields: Table<RegularSearchOptions> = {
  type: 'ours',
  numResults: 'ours',
  includeDomains: 'ours',
  excludeDomains: 'ours',
  startPublishedDate: 'ours',
  endPublishedDate: 'ours',
  category: 'ours',
  userLocation: 'ours',
  moderation: 'ours',
  additionalQueries: 'ours',
  systemPrompt: 'ours',
  outputSchema: 'ours',
  contents: 'ours',
  stream: 'never',
  flags: 'never',
  startCrawlDate: 'never',
  endCrawlDate: 'never',
  includeText: 'never',
  excludeText: 'never',
  useAutoprompt: 'never',
};
const contentsFields: Table<ContentsOptions> = {
  text: 'ours',
  highlights: 'ours',
  summary: 'ours',
  extras: 'ours',
  maxAgeHours: 'ours',
  livecrawlTimeout: 'ours',
  subpages: 'ours',
  subpageTarget: 'ours',
  snapshotAsOf: 'ours',
  filterEmptyResults: 'ours',
  livecrawl: 'never',
  context: 'never',
};
const innerFields: Readonly<Record<string, Readonly<Record<string, 'ours' | 'never'>>>> = {
  text: {
    maxCharacters: 'ours',
    includeHtmlTags: 'ours',
    verbosity: 'ours',
    includeSections: 'ours',
    excludeSections: 'ours',
  } satisfies Table<TextContentsOptions>,
  highlights: {
    query: 'ours',
    maxCharacters: 'ours',
    dynamic: 'never',
    numSentences: 'never',
    highlightsPerUrl: 'never',
  } satisfies Table<HighlightsContentsOptions>,
  summary: { query: 'ours', schema: 'ours' } satisfies Table<SummaryContentsOptions>,
  extras: { links: 'ours', imageLinks: 'ours' } satisfies Table<ExtrasOptions>,
};

/** The client lists types its server no longer knows, and lacks `lite`, which is newer. */
const types: Table<Record<NonNullable<RegularSearchOptions['type']> | 'lite', 0>> = {
  lite: 'ours',
  instant: 'ours',
  fast: 'ours',
  auto: 'ours',
  'deep-lite': 'ours',
  deep: 'ours',
  'deep-reasoning': 'ours',
  keyword: 'never',
  neural: 'never',
  hybrid: 'never',
};
const categories: Table<Record<NonNullable<RegularSearchOptions['category']>, 0>> = {
  company: 'ours',
  publication: 'ours',
  news: 'ours',
  'personal site': 'ours',
  'financial report': 'ours',
  people: 'ours',
};

const received: { path: string; key: string | null; body: unknown }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const key = request.headers.get('x-api-key');
    received.push({ path: new URL(request.url).pathname, key, body: await request.json() });
    return Response.json({ requestId: 'x', results: [], statuses: [] });
  },
});
const client = new Exa('test-key', server.url.origin);
const key = exa.auth('test-key')['x-api-key'] ?? null;
afterAll(() => server.stop(true));

for (const { file, body } of sentBodies('exa', 'search')) {
  const { query, ...options } = body as { query: string; contents?: ContentsOptions };
  test(`${file} sends only fields and values the client knows`, () => {
    expect(unknown(options, searchFields)).toEqual([]);
    expect(unknownContents(options.contents ?? {})).toEqual([]);
    const { type, category } = options as Record<string, string | undefined>;
    if (type !== undefined) expect(types).toHaveProperty([type], 'ours');
    if (category !== undefined) expect(categories).toHaveProperty([category], 'ours');
  });

  test(`${file} sends what the client would send`, async () => {
    received.length = 0;
    await client.search(query, { ...options, contents: options.contents ?? {} });
    expect(received).toEqual([{ path: '/search', key, body }]);
  });
}

for (const { file, body } of sentBodies('exa', 'extract')) {
  const { urls, ...options } = body as { urls: string[] };
  test(`${file} sends only fields the client knows`, () => {
    expect(unknownContents(options)).toEqual([]);
  });

  test(`${file} sends what the client would send`, async () => {
    received.length = 0;
    await client.getContents(urls, options);
    expect(received).toEqual([{ path: '/contents', key, body }]);
  });
}

function unknown(fields: object, table: Readonly<Record<string, string>>): string[] {
  return Object.keys(fields).filter((field) => table[field] !== 'ours');
}

function unknownContents(contents: object): string[] {
  const inner = Object.entries(contents).flatMap(([field, value]) =>
    typeof value === 'object' && value !== null ? unknown(value, innerFields[field] ?? {}) : [],
  );
  return [...unknown(contents, contentsFields), ...inner];
}
