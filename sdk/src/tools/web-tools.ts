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
import { argumentsOf, providerArgument, tokensArgument } from './arguments.ts';
import { ExtractOutput, SearchOutput } from './outputs.ts';
import { signalsByResult, withSignals } from './signals.ts';
import { definedOnly, numberedPage, resultText, shorten } from './text.ts';
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
  max_tokens: tokensArgument('The maximum number of tokens of all titles and excerpts together.'),
};
const searchInput = argumentsOf('search', searchArguments);

const extractInput = argumentsOf('extract', {
  urls: ExtractRequest.shape.urls.describe('1 to 20 addresses.'),
  query: ExtractRequest.shape.query,
  provider: providerArgument(['auto', ...extractEngineIds], 'auto, or one engine by name or id.'),
  max_chars: z
    .int()
    .min(100)
    .max(100_000)
    .default(10_000)
    .describe('The maximum length of each page.'),
  max_tokens: tokensArgument(
    'The maximum number of tokens of all pages together; the first pages get the most.',
  ),
});

const readsTheWeb = { readOnlyHint: true, openWorldHint: true };

export const searchTool: AgentTool<SearchToolOutput, typeof searchInput> = {
  name: 'search',
  title: 'Search the web',
  description: 'Find web pages. Returns titles, URLs and short excerpts.',
  input: searchInput,
  output: SearchOutput,
  annotations: readsTheWeb,
  run: async ({ query, max_tokens: maxTokens, ...rest }, { client, signal, contentMode }) => {
    const options = { signal, contentMode, maxTokens };
    const found = await client.search({ query, ...definedOnly(rest) }, options);
    const { id, provider, usage, warnings } = found;
    const signals = signalsByResult(warnings);
    const results = found.results.map((result, at) => ({
      ...compactResult(result),
      ...withSignals(signals.get(at)),
    }));
    return { id, provider, results, warnings, usage };
  },
  write: ({ results, ...ending }, frame) => {
    const listed = results.map((page, at) => numberedPage(page, at, page.snippets.join(' … ')));
    return resultText(listed, ending, frame);
  },
};

export const extractTool: AgentTool<ExtractToolOutput, typeof extractInput> = {
  name: 'extract',
  title: 'Read pages',
  description: 'Get the content of web pages as markdown. Lists pages that could not be read.',
  input: extractInput,
  output: ExtractOutput,
  annotations: readsTheWeb,
  run: async ({ urls, max_chars, max_tokens: maxTokens, ...rest }, call) => {
    const { client, signal, contentMode } = call;
    const request = { urls, content: { max_chars }, ...definedOnly(rest) };
    const got = await client.extract(request, { signal, contentMode, maxTokens });
    const { id, provider, usage, warnings, failed } = got;
    const signals = signalsByResult(warnings);
    const results = got.results.map((page, at) => ({
      ...compactPage(page),
      ...withSignals(signals.get(at)),
    }));
    return { id, provider, results, failed, warnings, usage };
  },
  write: ({ results, failed, provider, warnings, usage }, frame) => {
    const read = [
      ...results.map((page, at) => numberedPage(page, at, `\n${page.content}`)),
      ...failed.map(({ url, error }) => `Could not read ${url}: ${error}`),
    ];
    return resultText(read, { provider, warnings, usage }, frame);
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
