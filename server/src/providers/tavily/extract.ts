// Tavily's extraction product: a whole page or passages, never both in one call.
import { matchPages } from '../shared/match-pages.ts';
import type { Condition, ExtractAsk } from '../../negotiation/index.ts';
import { filled, plain } from '../shared/text.ts';
import type { ExtractInput, ExtractProduct, PageOutcome } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import {
  at,
  capped,
  fieldsFrom,
  hint,
  ignoredBecause,
  native,
  onlyForExcerpts,
  trimmed,
  when,
  withQuery,
  type Rows,
} from '../shared/rows.ts';
import { tavilyExtractPrice } from './prices.ts';
import { chunksOf, ExtractAnswer } from './wire.ts';

const maxChunks = 5;

const fewExcerpts: Condition = {
  reads: `at most ${maxChunks} excerpts per page are requested`,
  holds: (_asks, value) => ((value as Excerpts).max_per_url ?? 0) <= maxChunks,
};

const passageRows = {
  query: at('query', onlyForExcerpts(native)),
  'content.excerpts': at(
    'chunks_per_source',
    when(
      withQuery,
      when(
        fewExcerpts,
        native,
        hint(`the provider returns at most ${maxChunks} excerpts per page.`),
      ),
      ignoredBecause('the provider creates excerpts only for a query, and none was given.'),
    ),
    ({ ask }: ExtractInput) => chunksWanted(ask['content.excerpts']),
  ),
} satisfies Rows;
const pageRows = {
  'content.format': at('format', native),
  include_images: at('include_images', native, 'flag'),
  timeout_ms: at(
    'timeout',
    capped(60_000),
    ({ ask }: ExtractInput) => Number(ask.timeout_ms) / 1000,
  ),
} satisfies Rows;
const fixed = { include_usage: true };
const wholeFields = fieldsFrom(pageRows, fixed, ['urls']);
const passageFields = fieldsFrom({ ...passageRows, ...pageRows }, fixed, ['urls']);

export const extract: ExtractProduct = {
  supports: {
    ...passageRows,
    'content.full_text': native,
    'content.max_chars': trimmed,
    ...pageRows,
  },
  batch: 20,
  toRequests: (input) => views(input.ask).map((view) => extractRequest(input, view)),
  raw_at: [['results']],
  fromReplies: readPages,
  price: tavilyExtractPrice,
};

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
