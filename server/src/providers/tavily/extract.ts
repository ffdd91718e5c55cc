// Tavily's extraction product: a whole page or passages, never both in one call.
import { matchPages } from '../shared/match-pages.ts';
import {
  capped,
  type Condition,
  excerptsWanted,
  type ExtractAsk,
  hint,
  ignoredBecause,
  native,
  trimmed,
  when,
} from '../../negotiation/index.ts';
import { filled, plain } from '../shared/text.ts';
import type { ExtractInput, ExtractProduct, PageOutcome } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import { pageTargets } from '../shared/refused-options.ts';
import { tavilyExtractPrice } from './prices.ts';
import { chunksOf, ExtractAnswer } from './wire.ts';

const maxChunks = 5;

const withQuery: Condition = {
  reads: 'a query is given',
  holds: (asks) => asks['query'] !== undefined,
};
const fewExcerpts: Condition = {
  reads: `at most ${maxChunks} excerpts per page are requested`,
  holds: (_asks, value) => ((value as Excerpts).max_per_url ?? 0) <= maxChunks,
};

export const extract: ExtractProduct = {
  supports: {
    query: when(
      excerptsWanted,
      native,
      ignoredBecause('it affects only excerpts, and none were requested.'),
    ),
    'content.full_text': native,
    'content.max_chars': trimmed,
    'content.excerpts': when(
      withQuery,
      when(
        fewExcerpts,
        native,
        hint(`the provider returns at most ${maxChunks} excerpts per page.`),
      ),
      ignoredBecause('the provider creates excerpts only for a query, and none was given.'),
    ),
    'content.format': native,
    include_images: native,
    timeout_ms: capped(60_000),
  },
  batch: 20,
  toRequests: (input) => views(input.ask).map((view) => extractRequest(input, view)),
  raw_at: [['results']],
  fromReplies: readPages,
  refused_options: pageTargets,
  price: tavilyExtractPrice,
};

type Excerpts = NonNullable<ExtractAsk['content.excerpts']>;
type View = 'whole' | 'passages';

/** What to request, one call each. A page is requested even if none of its content is wanted. */
function views(ask: ExtractAsk): View[] {
  if (!ask['content.excerpts']) return ['whole'];
  return ask['content.full_text'] ? ['whole', 'passages'] : ['passages'];
}

function extractRequest({ urls, ask }: ExtractInput, view: View): WireRequest {
  const chunks = ask['content.excerpts']?.max_per_url;
  const focus = {
    query: ask.query,
    chunks_per_source: chunks === undefined ? undefined : Math.min(chunks, maxChunks),
  };
  return {
    method: 'POST',
    path: '/extract',
    body: {
      urls,
      ...(view === 'passages' ? focus : {}),
      format: ask['content.format'],
      include_images: ask.include_images ? true : undefined,
      timeout: ask.timeout_ms === undefined ? undefined : ask.timeout_ms / 1000,
      include_usage: true,
    },
  };
}

function readPages(bodies: readonly unknown[], { urls, ask }: ExtractInput): PageOutcome[] {
  const answers = bodies.map((body) => readAnswer(body, urls));
  const whole = views(ask).indexOf('whole');
  const passages = views(ask).indexOf('passages');
  return urls.map((url, index): PageOutcome => {
    const pages = answers.map(({ found }) => found[index]);
    const reply = pages.findIndex((page) => page !== undefined);
    const first = pages[reply];
    if (!first) {
      const reason = answers.map(({ reasons }) => reasons[index]).find(Boolean);
      return { ok: false, url, error: reason ?? 'no content returned' };
    }
    return {
      ok: true,
      url,
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
  const [pages, failures] = [results ?? [], failed_results ?? []];
  const places = matchPages(
    urls,
    pages.map(({ url }) => url),
  );
  const failed = matchPages(
    urls,
    failures.map(({ url }) => url),
  );
  return {
    found: places.map((item) => {
      const page = item === undefined ? undefined : pages[item];
      return item !== undefined && page && filled(page.raw_content) ? { ...page, item } : undefined;
    }),
    reasons: urls.map((_url, index) => {
      if (places[index] !== undefined) return 'the page has no content';
      return failures[failed[index] ?? -1]?.error ?? undefined;
    }),
  };
}
