// Tavily's extraction product: a whole page or passages, never both in one call.
import { matchPages } from '../shared/match-pages.ts';
import type { Condition, ExtractAsk } from '../../negotiation/index.ts';
import { filled, plain } from '../shared/text.ts';
import type { ExtractInput, ExtractProduct, PageOutcome } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import * as row from '../shared/rows.ts';
import { z } from 'zod';
import { maybe } from '../shared/schemas.ts';
import { extractPrice, itemsAt, readName, valueAt } from '../shared/price-rule.ts';

/**
 * Counted here, because the vendor's own figure stays at zero until five pages have been extracted.
 */
const tavilyExtractPrice = extractPrice({
  rates: { page: 1600, advanced_page: 3200 },
  reads: ['extract_depth'],
  each: ({ rates, bodies, isBefore, delivered, maxCharged }, read, at) => {
    const plain = readName(read('extract_depth') ?? 'basic', ['basic']) !== undefined;
    const pages = itemsAt(bodies[at], 'results').filter((page) =>
      filled(valueAt(page, 'raw_content')),
    );
    return (
      (plain ? rates.page : rates.advanced_page) *
      Math.min(maxCharged, isBefore ? delivered : pages.length)
    );
  },
});

const maxChunks = 5;

const fewExcerpts: Condition = {
  reads: `at most ${maxChunks} excerpts per page are requested`,
  holds: (_asks, value) => ((value as Excerpts).max_per_url ?? 0) <= maxChunks,
};

const passageRows = {
  query: row.at('query', row.onlyForExcerpts(row.native)),
  'content.excerpts': row.at(
    'chunks_per_source',
    row.when(
      row.withQuery,
      row.when(
        fewExcerpts,
        row.native,
        row.hint(`the provider returns at most ${maxChunks} excerpts per page.`),
      ),
      row.ignoredBecause('the provider creates excerpts only for a query, and none was given.'),
    ),
    ({ ask }: ExtractInput) => chunksWanted(ask['content.excerpts']),
  ),
} satisfies row.Rows;
const pageRows = {
  'content.format': row.at('format', row.native),
  include_images: row.at('include_images', row.native, 'flag'),
  timeout_ms: row.at(
    'timeout',
    row.capped(60_000),
    ({ ask }: ExtractInput) => Number(ask.timeout_ms) / 1000,
  ),
} satisfies row.Rows;
const fixed = { include_usage: true };
const wholeFields = row.fieldsFrom(pageRows, fixed, ['urls']);
const passageFields = row.fieldsFrom({ ...passageRows, ...pageRows }, fixed, ['urls']);

export const extract: ExtractProduct = {
  supports: {
    ...passageRows,
    'content.full_text': row.native,
    'content.max_chars': row.trimmed,
    ...pageRows,
  },
  batch: 20,
  toRequests: (input) => views(input.ask).map((view) => extractRequest(input, view)),
  raw_at: [['results']],
  fromReplies: readPages,
  price: tavilyExtractPrice,
};

const Image = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]);

const Pages = z.array(
  z.object({
    url: z.string(),
    title: maybe.text,
    raw_content: maybe.text,
    images: z.array(Image).nullish(),
  }),
);
const Failures = z.array(z.object({ url: z.string(), error: maybe.text }));

/** A refusal of every page may come without `results`, but not without both lists. */
export const ExtractAnswer = z.union([
  z.object({ results: Pages, failed_results: Failures.nullish() }),
  z.object({ results: Pages.nullish(), failed_results: Failures }),
]);

type Excerpts = NonNullable<ExtractAsk['content.excerpts']>;
type View = 'whole' | 'passages';

/** What to request, one call each. A page is requested even if none of its content is wanted. */
function views(ask: ExtractAsk): View[] {
  if (!ask['content.excerpts']) return ['whole'];
  return ask['content.full_text'] ? ['whole', 'passages'] : ['passages'];
}

function extractRequest(input: ExtractInput, view: View): WireRequest {
  const body = (view === 'passages' ? passageFields : wholeFields)(input);
  body['urls'] = input.urls;
  return { method: 'POST', path: '/extract', body };
}

function chunksWanted(excerpts: Excerpts | undefined): number | undefined {
  const count = excerpts?.max_per_url;
  return count === undefined ? undefined : Math.min(count, maxChunks);
}

function readPages(bodies: readonly unknown[], { urls, ask }: ExtractInput): PageOutcome[] {
  const answers = bodies.map((body) => readAnswer(body, urls));
  const whole = views(ask).indexOf('whole');
  const passages = views(ask).indexOf('passages');
  return urls.map((_url, index): PageOutcome => {
    const pages = answers.map((answer) => answer[index]?.page);
    const reply = pages.findIndex((page) => page !== undefined);
    const first = pages[reply];
    if (!first) {
      return answers.map((answer) => answer[index]?.reason).find(Boolean) ?? 'no content returned';
    }
    return {
      reply,
      item: first.item,
      title: plain(first.title),
      content: pages[whole]?.raw_content ?? undefined,
      excerpts: chunksOf(pages[passages]?.raw_content),
      images: first.images ?? [],
    };
  });
}

/** The outcome of each URL in one answer: its page, or why there is none. */
function readAnswer(body: unknown, urls: readonly string[]) {
  const { results, failed_results } = ExtractAnswer.parse(body);
  const failures = matchPages(urls, failed_results ?? [], ({ url }) => url);
  return matchPages(urls, results ?? [], ({ url }) => url).map(([page, item], index) => {
    if (!page) return { reason: failures[index]?.[0]?.error };
    return filled(page.raw_content) ? { page: { ...page, item } } : { reason: emptyPage };
  });
}

const emptyPage = 'the page has no content';

/** The best passages of a page are returned as one text with separators. */
export function chunksOf(text: string | null | undefined): string[] {
  return (text ?? '')
    .split('[...]')
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk !== '');
}
