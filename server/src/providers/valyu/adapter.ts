// engine_h: Valyu, web and news search with its own score, and page contents with AI processing.
import {
  capped,
  choice,
  type Condition,
  domains,
  excerptsWanted,
  freshnessStart,
  hint,
  ignoredBecause,
  isoDay,
  limited,
  native,
  near,
  readDay,
  type SearchAsk,
  summaryWanted,
  trimmed,
  when,
} from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply, secondsToWait } from '../../upstream/core/index.ts';
import { filled, passages, plain, plainTexts } from '../shared/text.ts';
import type { Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import { pageTargets } from '../shared/refused-options.ts';
import {
  contentsRequest,
  instruction,
  maxInSchema,
  maxInstruction,
  readPages,
  replacedPages,
  summaryOf,
} from './contents.ts';
import { valyuContentsPrice, valyuSearchPrice } from './prices.ts';
import { countries, Failure, SearchAnswer, textOf, withoutMark } from './wire.ts';
import type { Found } from './wire.ts';

const knownCountry: Condition = {
  reads: 'the provider supports the country',
  holds: (_asks, value) => countries.has(String(value).toUpperCase()),
};

export const valyu: Provider = {
  id: 'engine_h',
  credential: { env: ['VALYU_API_KEY'] },
  hosts: { api: { env: 'VALYU_BASE_URL', default: 'https://api.valyu.ai/v1' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: readRefusal,
  search: {
    supports: {
      query: native,
      max_results: capped(20),
      mode: ignoredBecause('this engine has one tier.'),
      include_domains: domains({ path: true }),
      exclude_domains: domains({ path: true }),
      published_after: native,
      published_before: native,
      freshness: choice({
        day: near('day', 'the provider counts whole days, so up to 48 hours are searched.'),
        week: 'week',
        month: 'month',
        year: 'year',
      }),
      'locale.country': when(
        knownCountry,
        hint('used as a ranking hint, not as a filter.'),
        ignoredBecause('the provider does not support this country.'),
      ),
      category: choice({
        general: '',
        news: 'news',
        company: near('company websites and profiles', steered('companies')),
        people: near('people and biographies', steered('people')),
        research: near('academic research papers', steered('research papers')),
      }),
    },
    raw_at: [['results']],
    // An answer that leaves out results above a price limit says so here.
    warnings: {
      at: [['error'], ['message'], ['warning'], ['warnings']],
      params: {},
      except: /success/i,
    },
    toRequests: (input) => [searchRequest(input)],
    fromReply: (body, { now }) =>
      SearchAnswer.parse(body).results.map((result, item) => ({
        item,
        url: withoutMark(result.url),
        title: plain(result.title),
        snippets: snippetsOf(result),
        score: result.relevance_score ?? undefined,
        published_date: readDay(result.publication_date, now) ?? readDay(result.date, now),
        author: filled(result.authors?.filter((name) => name.trim() !== '').join(', ')),
      })),
    price: valyuSearchPrice,
  },
  extract: {
    supports: {
      query: when(
        excerptsWanted,
        limited(maxInSchema),
        when(
          summaryWanted,
          limited(maxInstruction - instruction.length),
          ignoredBecause('it affects only excerpts and summaries, and neither was requested.'),
        ),
      ),
      'content.full_text': native,
      'content.max_chars': trimmed,
      'content.excerpts': native,
      'content.summary': native,
      'content.format': ignoredBecause('the provider returns markdown.'),
    },
    batch: 10,
    toRequests: ({ urls, ask }) => [contentsRequest(urls, ask, summaryOf(ask))],
    followUp: replacedPages,
    raw_at: [['results']],
    fromReplies: readPages,
    refused_options: pageTargets,
    price: valyuContentsPrice,
  },
};

function steered(what: string): string {
  return `the provider has no such filter; its ranking was steered towards ${what}.`;
}

function searchRequest({ ask, now }: SearchInput): WireRequest {
  const { category, freshness } = ask;
  const steer = category === '' || category === 'news' ? undefined : category;
  return {
    method: 'POST',
    path: '/search',
    body: {
      query: ask.query,
      // By default the provider adds licensed sources, at a multiple of the price.
      search_type: category === 'news' ? 'news' : 'web',
      max_num_results: ask.max_results,
      is_tool_call: true,
      included_sources: ask.include_domains,
      excluded_sources: ask.exclude_domains,
      category: steer,
      start_date:
        freshness === undefined ? ask.published_after : isoDay(freshnessStart(freshness, now)),
      end_date: ask.published_before,
      country_code: ask['locale.country']?.toUpperCase(),
      response_length: lengthFor(ask),
    },
  };
}

/** Enough text for the requested snippets; four of 500 characters by default. */
function lengthFor(ask: SearchAsk): number {
  const count = ask['content.snippets.max_per_result'] ?? 4;
  const chars = ask['content.snippets.max_chars_per_snippet'] ?? 500;
  return Math.min(Math.max(count * chars, 1000), 25_000);
}

function snippetsOf({ content, description }: Found): string[] {
  const texts = plainTexts(passages(textOf(content)));
  const fallback = plain(description);
  return texts.length > 0 || fallback === undefined ? texts : [fallback];
}

/**
 * If all pages failed, the status is 422, and each has its reason. A failed search may have status
 * 200.
 */
function readRefusal(reply: Reply): Refusal | 'answer' | undefined {
  const failure = Failure.find(reply.body) ?? {};
  const hasPages = failure.results?.some(({ status }) => status !== undefined) ?? false;
  if (hasPages && (reply.status < 300 || reply.status === 422)) return 'answer';
  if (reply.status < 300 && failure.success !== false) return undefined;
  const refusal = refusalOf(reply, messageOf(failure));
  const retryAfterMs = secondsToWait(failure.retry_after);
  return retryAfterMs === undefined ? refusal : { retry_after_ms: retryAfterMs, ...refusal };
}

function messageOf({ message, error, errors }: Partial<Failure>): string | undefined {
  const faults = errors?.map(
    ({ key, message: fault, code }) =>
      `${key ?? 'body'}: ${filled(fault) ?? filled(code) ?? 'not valid'}`,
  );
  const reason = filled(message) ?? filled(error);
  return faults?.length ? [reason, `(${faults.join('; ')})`].join(' ').trim() : reason;
}
