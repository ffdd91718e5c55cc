// The tools search and extract, with as few parameters as a model needs.
import type { McpServer } from '@modelcontextprotocol/server';
import { ExtractRequest, SearchRequest } from '@trivium/contract';
import type { ExtractResult, SearchResult } from '@trivium/contract';
import { z } from 'zod';
import type { Client } from '../client.ts';
import { answer, footer, definedOnly, explainErrors, shorten } from './answer.ts';
import { argumentsOf } from './arguments.ts';
import { ExtractOutput, SearchOutput } from './outputs.ts';

const requestFields = SearchRequest.shape;
const searchArguments = {
  query: requestFields.query,
  provider: requestFields.provider.optional().describe('auto, fusion (a panel), or one engine.'),
  max_results: requestFields.max_results.optional().describe('1 to 100; 10 by default.'),
  freshness: requestFields.freshness.describe('Only pages of the last day, week, month or year.'),
  include_domains: requestFields.include_domains.describe('Only these domains.'),
  exclude_domains: requestFields.exclude_domains.describe('Not these domains.'),
  category: requestFields.category,
};
const searchInput = argumentsOf('search', searchArguments, {
  ...{ published_after: 'freshness', published_before: 'freshness', time_range: 'freshness' },
  ...{ days: 'freshness', recency: 'freshness', start_date: 'freshness', end_date: 'freshness' },
  ...{ count: 'max_results', limit: 'max_results', top_k: 'max_results', k: 'max_results' },
  ...{ engine: 'provider', engines: 'provider', topic: 'category', site: 'include_domains' },
});

const extractInput = argumentsOf('extract', {
  urls: ExtractRequest.shape.urls.describe('1 to 20 addresses.'),
  query: ExtractRequest.shape.query,
  provider: ExtractRequest.shape.provider.optional().describe('auto, or one engine.'),
  max_chars: z.int().min(100).max(100_000).default(10_000).describe('Cut each page to this.'),
});

const readsTheWeb = { readOnlyHint: true, openWorldHint: true };

export function registerWebTools(server: McpServer, client: Client): void {
  server.registerTool(
    'search',
    {
      title: 'Search the web',
      description: 'Find web pages. Returns titles, URLs and short excerpts.',
      inputSchema: searchInput,
      outputSchema: SearchOutput,
      annotations: readsTheWeb,
    },
    (input, { mcpReq: { signal } }) =>
      explainErrors(async () => {
        const { query, ...rest } = input;
        const request = { query, ...definedOnly(rest) };
        const found = await client.search(request, { signal });
        const { id, provider, usage, warnings } = found;
        const results = found.results.map(compactResult);
        const lines = results.map(
          ({ title, url, published_date, snippets }, index) =>
            `${index + 1}. ${title ?? url}${published_date ? ` (${published_date})` : ''}\n` +
            `   ${url}\n   ${snippets.join(' … ')}`,
        );
        const listed = lines.length === 0 ? 'Nothing was found.' : lines.join('\n');
        const text = `${listed}\n\n${footer(provider, warnings, usage)}`;
        return answer(text, { id, provider, results, warnings, usage });
      }),
  );
  server.registerTool(
    'extract',
    {
      title: 'Read pages',
      description: 'Get the content of web pages as markdown. Lists pages that could not be read.',
      inputSchema: extractInput,
      outputSchema: ExtractOutput,
      annotations: readsTheWeb,
    },
    (input, { mcpReq: { signal } }) =>
      explainErrors(async () => {
        const { urls, max_chars, ...rest } = input;
        const request = { urls, content: { max_chars }, ...definedOnly(rest) };
        const got = await client.extract(request, { signal });
        const { id, provider, usage, warnings, failed } = got;
        const pages = got.results.map(compactPage);
        const parts = [
          ...pages.map(({ title, url, content }) => `# ${title ?? url}\n${url}\n\n${content}`),
          ...failed.map(({ url, error }) => `Could not read ${url}: ${error}`),
          footer(provider, warnings, usage),
        ];
        return answer(parts.join('\n\n'), {
          id,
          provider,
          results: pages,
          failed,
          warnings,
          usage,
        });
      }),
  );
}

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
