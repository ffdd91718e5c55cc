// The tool read_and_search: searches, then reads the best pages, within a budget of characters and
// of money.
import { searchEngineIds, SearchRequest } from '@trivium/contract';
import type { ExtractResponse, SearchResponse, SearchResult, Usage } from '@trivium/contract';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import type { ReadAndSearchToolOutput } from '../tool-types.ts';
import { argumentsOf } from './arguments.ts';
import { ReadAndSearchOutput } from './outputs.ts';
import { providerArgument } from './provider-argument.ts';
import { shareOut } from './share-out.ts';
import { definedOnly, footer } from './text.ts';
import type { AgentTool, ToolCall } from './tool.ts';

const requestFields = SearchRequest.shape;
const input = argumentsOf(
  'read_and_search',
  {
    query: requestFields.query,
    max_pages: z.int().min(1).max(10).default(3).describe('How many of the best pages to read.'),
    max_chars: z
      .int()
      .min(100)
      .max(200_000)
      .default(20_000)
      .describe('The most characters of page content, of all pages together.'),
    max_cost_usd: z
      .number()
      .min(0)
      .max(1000)
      .default(0.1)
      .describe('The most that the search and the pages may cost together.'),
    provider: providerArgument(
      ['auto', 'fusion', ...searchEngineIds],
      'Who searches: auto, fusion (a panel), or one engine by name or id.',
    ),
    freshness: requestFields.freshness.describe('Only pages of the last day, week, month or year.'),
    include_domains: requestFields.include_domains.describe('Only these domains.'),
    exclude_domains: requestFields.exclude_domains.describe('Not these domains.'),
    category: requestFields.category,
  },
  {
    max_results: 'max_pages',
    count: 'max_pages',
    limit: 'max_pages',
    n: 'max_pages',
    budget: 'max_cost_usd',
    cost: 'max_cost_usd',
    days: 'freshness',
    topic: 'category',
  },
);

export const readAndSearchTool: AgentTool<ReadAndSearchToolOutput, typeof input> = {
  name: 'read_and_search',
  title: 'Search and read the best pages',
  description:
    'Find web pages and return the content of the best ones as markdown, in one call. ' +
    'Lists the other pages that were found.',
  input,
  output: ReadAndSearchOutput,
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: async ({ query, max_pages, max_chars, max_cost_usd: budget, ...rest }, call) => {
    const { client, signal } = call;
    const asked = { query, max_results: resultsFor(max_pages), ...definedOnly(rest) };
    const found = await client.search(asked, { signal, maxCostUsd: wholeMicros(budget) });
    const best = bestOf(found.results, max_pages);
    const left = wholeMicros(budget - found.usage.cost_usd);
    const request = { query, urls: best.map(({ url }) => url), max_chars, left };
    const read = await readWithin(request, call);
    return describe(found, read, max_chars);
  },
};

/** More are asked for than read, so that the answer can list others; ten cost what one costs. */
function resultsFor(pages: number): number {
  return Math.min(pages + 5, 10);
}

/** The API takes amounts with six decimals. Rounded down, a budget is never exceeded. */
const microsPerUsd = 1_000_000;
/** The most characters of a page that the API returns. */
const maxPageChars = 100_000;

function wholeMicros(usd: number): number {
  return Math.max(0, Math.floor(usd * microsPerUsd) / microsPerUsd);
}

/** The first pages, each once. */
function bestOf(results: readonly SearchResult[], count: number): SearchResult[] {
  const seen = new Set<string>();
  const distinct = results.filter(({ url }) => !seen.has(url) && seen.add(url));
  return distinct.slice(0, count);
}

interface Reading {
  urls: readonly string[];
  pages: ExtractResponse | undefined;
  /** Why fewer pages were read than asked for. */
  note: string | undefined;
}

interface ReadRequest {
  query: string;
  urls: readonly string[];
  max_chars: number;
  left: number;
}

/**
 * Reads as many of the pages as the rest of the budget allows. The gateway refuses a request that
 * may cost more before it calls a provider, and says what it would need; then fewer are tried.
 */
async function readWithin(request: ReadRequest, call: ToolCall): Promise<Reading> {
  const { query, max_chars, left } = request;
  const content = { max_chars: Math.min(max_chars, maxPageChars) };
  let urls = request.urls;
  let note: string | undefined;
  while (urls.length > 0) {
    try {
      const options = { signal: call.signal, maxCostUsd: left };
      const pages = await call.client.extract({ urls: [...urls], query, content }, options);
      return { urls, pages, note };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const needed = neededUsd(error);
      // The search is paid for, so its results are returned even when no page can be read.
      if (needed === undefined) return { urls: [], pages: undefined, note: error.message };
      urls = urls.slice(0, affordable(urls.length, left, needed));
      note = `The budget allows reading ${urls.length} of ${request.urls.length} pages.`;
    }
  }
  return { urls, pages: undefined, note };
}

/** What a request may cost that x-max-cost-usd refused; undefined for every other error. */
function neededUsd({ type, detail }: ApiError): number | undefined {
  const fields = z.object({ needed_usd: z.number(), max_cost_usd: z.number() }).safeParse(detail);
  return type === 'insufficient_credits' ? fields.data?.needed_usd : undefined;
}

/** Always fewer than were refused. */
function affordable(count: number, left: number, needed: number): number {
  return Math.min(count - 1, Math.floor((left / needed) * count));
}

function describe(found: SearchResponse, { urls, pages, note }: Reading, maxChars: number) {
  const { id, provider, results: all } = found;
  const texts = (pages?.results ?? []).map(({ content }) => content ?? '');
  const shares = shareOut(
    texts.map(({ length }) => length),
    maxChars,
  );
  const read = (pages?.results ?? []).map(({ url, title, published_date }, index) => ({
    url,
    ...definedOnly({ title, published_date }),
    content: cut(texts[index] ?? '', shares[index] ?? 0),
  }));
  const others = all
    .filter(({ url }) => !urls.includes(url))
    .map(({ title, url }) => ({ title, url }));
  const failed = pages?.failed ?? [];
  const warnings = [...found.warnings, ...(pages?.warnings ?? [])];
  const usage = sumOf(found.usage, pages?.usage);
  const facts = {
    id,
    provider,
    pages: read,
    others,
    failed,
    warnings,
    usage,
    ...(pages === undefined ? {} : { reader: pages.provider }),
    ...(note === undefined ? {} : { note }),
  };
  const listed = others.map(({ title, url }) => `- ${title ?? url}: ${url}`);
  const parts = [
    ...(all.length === 0 ? ['Nothing was found.'] : []),
    ...read.map(({ title, url, content }) => `# ${title ?? url}\n${url}\n\n${content}`),
    ...failed.map(({ url, error }) => `Could not read ${url}: ${error}`),
    ...(note === undefined ? [] : [note]),
    ...(listed.length === 0 ? [] : [`Also found:\n${listed.join('\n')}`]),
    footer(provider, warnings, usage),
  ];
  return { text: parts.join('\n\n'), facts };
}

function sumOf(one: Usage, other: Usage | undefined): Usage {
  const micros = [one, other].map((usage) => Math.round((usage?.cost_usd ?? 0) * microsPerUsd));
  const cost = micros.reduce((sum, part) => sum + part, 0) / microsPerUsd;
  return { cost_usd: cost, credits: one.credits + (other?.credits ?? 0) };
}

/** Never ends in half a character. */
function cut(text: string, length: number): string {
  const end =
    /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') && length < text.length ? length - 1 : length;
  return text.slice(0, end);
}
