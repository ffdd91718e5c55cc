// The tools search and extract, with as few parameters as a model needs.
import {
  extractEngineIds,
  ExtractRequest,
  searchEngineIds,
  SearchRequest,
} from '@trivium/contract';
import type { ExtractResult, SearchResult } from '@trivium/contract';
import { z } from 'zod';
import type { ExtractToolOutput, SearchToolOutput } from '../tool-types.ts';
import { argumentsOf } from './arguments.ts';
import { ExtractOutput, SearchOutput } from './outputs.ts';
import { providerArgument } from './provider-argument.ts';
import { definedOnly, footer, shorten } from './text.ts';
import type { AgentTool } from './tool.ts';

const requestFields = SearchRequest.shape;
const searchArguments = {
  query: requestFields.query,
  provider: providerArgument(
    ['auto', 'fusion', ...searchEngineIds],
    'auto, fusion (a panel), or one engine by name or id.',
  ),
  max_results: requestFields.max_results.optional().describe('1 to 100; 10 by default.'),
  freshness: requestFields.freshness.describe('Only pages of the last day, week, month or year.'),
  include_domains: requestFields.include_domains.describe('Only these domains.'),
  exclude_domains: requestFields.exclude_domains.describe('Not these domains.'),
  category: requestFields.category,
};
const searchInput = argumentsOf('search', searchArguments, {
  published_after: 'freshness',
  published_before: 'freshness',
  time_range: 'freshness',
  days: 'freshness',
  recency: 'freshness',
  start_date: 'freshness',
  end_date: 'freshness',
  count: 'max_results',
  limit: 'max_results',
  top_k: 'max_results',
  k: 'max_results',
  engine: 'provider',
  engines: 'provider',
  topic: 'category',
  site: 'include_domains',
});

const extractInput = argumentsOf('extract', {
  urls: ExtractRequest.shape.urls.describe('1 to 20 addresses.'),
  query: ExtractRequest.shape.query,
  provider: providerArgument(['auto', ...extractEngineIds], 'auto, or one engine by name or id.'),
  max_chars: z.int().min(100).max(100_000).default(10_000).describe('Cut each page to this.'),
});

const readsTheWeb = { readOnlyHint: true, openWorldHint: true };

export const searchTool: AgentTool<SearchToolOutput, typeof searchInput> = {
  name: 'search',
  title: 'Search the web',
  description: 'Find web pages. Returns titles, URLs and short excerpts.',
  input: searchInput,
  output: SearchOutput,
  annotations: readsTheWeb,
  run: async ({ query, ...rest }, { client, signal }) => {
    const found = await client.search({ query, ...definedOnly(rest) }, { signal });
    const { id, provider, usage, warnings } = found;
    const results = found.results.map(compactResult);
    const lines = results.map(
      ({ title, url, published_date, snippets }, index) =>
        `${index + 1}. ${title ?? url}${published_date ? ` (${published_date})` : ''}\n` +
        `   ${url}\n   ${snippets.join(' … ')}`,
    );
    const listed = lines.length === 0 ? 'Nothing was found.' : lines.join('\n');
    const text = `${listed}\n\n${footer(provider, warnings, usage)}`;
    return { text, facts: { id, provider, results, warnings, usage } };
  },
};

export const extractTool: AgentTool<ExtractToolOutput, typeof extractInput> = {
  name: 'extract',
  title: 'Read pages',
  description: 'Get the content of web pages as markdown. Lists pages that could not be read.',
  input: extractInput,
  output: ExtractOutput,
  annotations: readsTheWeb,
  run: async ({ urls, max_chars, ...rest }, { client, signal }) => {
    const request = { urls, content: { max_chars }, ...definedOnly(rest) };
    const got = await client.extract(request, { signal });
    const { id, provider, usage, warnings, failed } = got;
    const results = got.results.map(compactPage);
    const parts = [
      ...results.map(({ title, url, content }) => `# ${title ?? url}\n${url}\n\n${content}`),
      ...failed.map(({ url, error }) => `Could not read ${url}: ${error}`),
      footer(provider, warnings, usage),
    ];
    const facts = { id, provider, results, failed, warnings, usage };
    return { text: parts.join('\n\n'), facts };
  },
};

const maxSnippets = 3;
const maxSnippetChars = 400;

function compactResult({ title, url, published_date, snippets }: SearchResult) {
  const some = snippets.slice(0, maxSnippets).map((one) => shorten(one, maxSnippetChars));
  return { title, url, ...(published_date ? { published_date } : {}), snippets: some };
}

function compactPage({ title, url, published_date, content }: ExtractResult) {
  return {
    url,
    ...(title === undefined ? {} : { title }),
    ...(published_date === undefined ? {} : { published_date }),
    content: content ?? '',
  };
}
