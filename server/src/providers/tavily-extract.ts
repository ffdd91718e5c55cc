// The extraction product of Tavily: a page whole or in passages, never both in one call.
import { matchPages } from '../domain/match-pages.ts';
import {
  capped,
  hint,
  ignoredBecause,
  native,
  trimmed,
  when,
} from '../domain/negotiation/support.ts';
import type { Condition } from '../domain/negotiation/support.ts';
import type { ExtractAsk } from '../domain/negotiation/asks.ts';
import { filled, plain } from '../domain/text.ts';
import type { ExtractInput, ExtractProduct, PageOutcome, WireRequest } from './provider.ts';
import { pageTargets } from './refused-options.ts';
import { tavilyExtractPrice } from './tavily-price.ts';
import { chunksOf, ExtractAnswer } from './tavily-wire.ts';

const max_chunks = 5;

const with_excerpts: Condition = {
  reads: 'excerpts are asked for',
  holds: (asks) => asks['content.excerpts'] !== undefined,
};
const with_query: Condition = {
  reads: 'a query is given',
  holds: (asks) => asks['query'] !== undefined,
};
const few_excerpts: Condition = {
  reads: `at most ${max_chunks} excerpts a page are asked for`,
  holds: (_asks, value) => ((value as Excerpts).max_per_url ?? 0) <= max_chunks,
};

export const extract: ExtractProduct = {
  supports: {
    query: when(
      with_excerpts,
      native,
      ignoredBecause('it steers excerpts only, and none were asked for.'),
    ),
    'content.full_text': native,
    'content.max_chars': trimmed,
    'content.excerpts': when(
      with_query,
      when(
        few_excerpts,
        native,
        hint(`the provider gives no more than ${max_chunks} excerpts a page.`),
      ),
      ignoredBecause('the provider makes excerpts only for a query, and none was given.'),
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

/** What must be asked for, a call each; a page of which nothing is wanted is still looked at. */
function views(ask: ExtractAsk): View[] {
  if (!ask['content.excerpts']) return ['whole'];
  return ask['content.full_text'] ? ['whole', 'passages'] : ['passages'];
}

function extractRequest({ urls, ask }: ExtractInput, view: View): WireRequest {
  const chunks = ask['content.excerpts']?.max_per_url;
  const focus = {
    query: ask.query,
    chunks_per_source: chunks === undefined ? undefined : Math.min(chunks, max_chunks),
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

/** What one answer says of each address: its page, unless that is empty, and otherwise why not. */
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
