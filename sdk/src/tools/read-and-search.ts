// The tool read_and_search: searches, then reads the best pages, within a budget of characters and
// money.
import { searchEngineIds, SearchRequest } from '@trivium/contract';
import { shareBudget } from '@trivium/shared/share-budget';
import type {
  ExtractResponse,
  SearchResponse,
  SearchResult,
  Usage,
  Warning,
} from '@trivium/contract';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import type { ReadAndSearchToolOutput } from '../tool-types.ts';
import { argumentsOf, providerArgument, tokensArgument } from './arguments.ts';
import { ReadAndSearchOutput } from './outputs.ts';
import { signalsByResult, withSignals } from './signals.ts';
import { definedOnly, numberedPage, resultText } from './text.ts';
import type { AgentTool, ToolCall } from './tool.ts';

const requestFields = SearchRequest.shape;
const mostChars = 200_000;
const defaultChars = 20_000;
const input = argumentsOf('read_and_search', {
  query: requestFields.query,
  max_pages: z.int().min(1).max(10).default(3).describe('How many of the best pages to read.'),
  max_chars: z
    .int()
    .min(100)
    .max(mostChars)
    .optional()
    .describe(
      'The maximum number of characters of all pages together; 20000 by default, unless max_tokens is given.',
    ),
  max_tokens: tokensArgument(
    'The maximum number of tokens of all pages together; the first pages get the most.',
  ),
  max_cost_usd: z
    .number()
    .min(0)
    .max(1000)
    .default(0.1)
    .describe('The maximum cost of the search and the pages together.'),
  provider: providerArgument(
    ['auto', 'fusion', ...searchEngineIds],
    'Which engine searches: auto, fusion (a panel), or one engine by name or id.',
  ),
  freshness: requestFields.freshness.describe('Only pages of the last day, week, month or year.'),
  include_domains: requestFields.include_domains.describe('Only these domains.'),
  exclude_domains: requestFields.exclude_domains.describe('Not these domains.'),
  category: requestFields.category,
});

export const readAndSearchTool: AgentTool<ReadAndSearchToolOutput, typeof input> = {
  name: 'read_and_search',
  title: 'Search and read the best pages',
  description:
    'Find web pages and return the content of the best ones as markdown, in one call. ' +
    'Lists the other pages that were found.',
  input,
  output: ReadAndSearchOutput,
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: async ({ query, max_pages, max_chars, max_tokens, max_cost_usd: budget, ...rest }, call) => {
    const { client, signal, contentMode } = call;
    const asked = { query, max_results: resultsFor(max_pages), ...definedOnly(rest) };
    const options = { signal, contentMode, maxCostUsd: wholeMicros(budget) };
    const found = await client.search(asked, options);
    const best = bestOf(found.results, max_pages);
    const left = wholeMicros(budget - found.usage.cost_usd);
    const chars = max_chars ?? (max_tokens === undefined ? defaultChars : mostChars);
    const urls = best.map(({ url }) => url);
    const read = await readWithin({ query, urls, max_chars: chars, max_tokens, left }, call);
    return factsOf(found, read, chars);
  },
  write: (facts, frame) => {
    const { id, pages, failed, note, others, provider, warnings, usage } = facts;
    const listed = others.map(({ title, url }) => `- ${title ?? url}: ${url}`);
    const untrusted = [
      ...pages.map((page, at) => numberedPage(page, at, `\n${page.content}`)),
      ...failed.map(({ url, error }) => `Could not read ${url}: ${error}`),
      ...(note === undefined ? [] : [note]),
      ...(listed.length === 0 ? [] : [`Also found:\n${listed.join('\n')}`]),
    ];
    return resultText(untrusted, { provider, warnings, usage, id }, frame);
  },
};

/**
 * Asks for more results than it reads, so that the answer can list others; ten cost the same as
 * one.
 */
function resultsFor(pages: number): number {
  return Math.min(pages + 5, 10);
}

/** The API takes amounts with six decimals. Rounding down never exceeds the budget. */
const microsPerUsd = 1_000_000;
/** The maximum number of characters of a page that the API returns. */
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
  /** Why fewer pages were read than requested. */
  note: string | undefined;
}

interface ReadRequest {
  query: string;
  urls: readonly string[];
  max_chars: number;
  max_tokens: number | undefined;
  left: number;
}

/**
 * Reads as many of the pages as the rest of the budget allows. Before it calls a provider, the
 * gateway refuses a request that may cost more, and says how much it may cost. Then this tries
 * fewer.
 */
async function readWithin(request: ReadRequest, call: ToolCall): Promise<Reading> {
  const { query, max_chars, max_tokens: maxTokens, left } = request;
  const content = { max_chars: Math.min(max_chars, maxPageChars) };
  let urls = request.urls;
  let note: string | undefined;
  while (urls.length > 0) {
    try {
      const { signal, contentMode } = call;
      const options = { signal, contentMode, maxTokens, maxCostUsd: left };
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

/** How much a request that x-max-cost-usd refused may cost; undefined for every other error. */
function neededUsd({ type, detail }: ApiError): number | undefined {
  const fields = z.object({ needed_usd: z.number(), max_cost_usd: z.number() }).safeParse(detail);
  return type === 'insufficient_credits' ? fields.data?.needed_usd : undefined;
}

/** Always fewer than were refused. */
function affordable(count: number, left: number, needed: number): number {
  return Math.min(count - 1, Math.floor((left / needed) * count));
}

function factsOf(
  found: SearchResponse,
  { urls, pages, note }: Reading,
  maxChars: number,
): ReadAndSearchToolOutput {
  const { id, provider } = found;
  const texts = (pages?.results ?? []).map(({ content }) => content ?? '');
  const shares = shareBudget(
    texts.map(({ length }, rank) => ({ length, rank })),
    maxChars,
  );
  const signals = signalsByResult(pages?.warnings ?? []);
  const read = (pages?.results ?? []).map(({ url, title, published_date }, at) => ({
    url,
    ...definedOnly({ title, published_date }),
    content: cut(texts[at] ?? '', shares[at] ?? 0),
    ...withSignals(signals.get(at)),
  }));
  const places = found.results.flatMap(({ url }, at) => (urls.includes(url) ? [] : [at]));
  const listed = found.warnings.flatMap((warning) => warningOfOther(warning, places));
  const ofOthers = signalsByResult(listed);
  const others = places.flatMap((place, at) => {
    const other = found.results[place];
    if (!other) return [];
    return [{ title: other.title, url: other.url, ...withSignals(ofOthers.get(at)) }];
  });
  return {
    id,
    provider,
    ...(pages === undefined ? {} : { reader: pages.provider }),
    pages: read,
    others,
    failed: pages?.failed ?? [],
    ...(note === undefined ? {} : { note }),
    warnings: [...listed, ...(pages?.warnings ?? []).map(warningOfPage)],
    usage: sumOf(found.usage, pages?.usage),
  };
}

const ofResult = /^results\[(\d{1,6})\]\.(.*)$/;

/** The output has only the titles and addresses of pages that were not read. */
function warningOfOther(warning: Warning, places: readonly number[]): Warning[] {
  const [, place, field = ''] = ofResult.exec(warning.param ?? '') ?? [];
  if (place === undefined) return [warning];
  const at = places.indexOf(Number(place));
  const isReturned = at >= 0 && ['title', 'url'].includes(field);
  return isReturned ? [{ ...warning, param: `others[${at}].${field}` }] : [];
}

function warningOfPage(warning: Warning): Warning {
  const [, place, field] = ofResult.exec(warning.param ?? '') ?? [];
  return place === undefined ? warning : { ...warning, param: `pages[${place}].${field}` };
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
