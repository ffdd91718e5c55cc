// engine_h: Valyu, web and news search with its own score, and page contents with AI processing.
import { readDay, type SearchAsk } from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, firstTexts, joinNames, passages, plain } from '../shared/text.ts';
import type { Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import {
  contentsRequest,
  instruction,
  maxInSchema,
  maxInstruction,
  readPages,
  replacedPages,
  summaryOf,
  textOf,
  withoutMark,
} from './contents.ts';
import { z } from 'zod';
import { asGiven, maybe } from '../shared/schemas.ts';
import {
  extractPrice,
  isOn,
  itemsAt,
  readCount,
  searchPrice,
  tierRate,
  valueAt,
} from '../shared/price-rule.ts';
import * as row from '../shared/rows.ts';

/** The two expensive types may return licensed sources. */
const searchTypes = ['web', 'news', 'all', 'proprietary'] as const;
/** Some keys allow more than twenty. */
const maxResults = 100;

const valyuSearchPrice = searchPrice({
  rates: { web: 1500, news: 1500, all: 50_000, proprietary: 50_000 },
  reads: ['search_type', 'max_num_results'],
  each: ({ rates, maxCharged }, read) => {
    const each = tierRate(rates, searchTypes, { given: read('search_type'), absent: 'all' });
    return (
      each *
      Math.min(maxCharged, readCount(read('max_num_results'), { absent: 10, max: maxResults }))
    );
  },
  reported: { at: 'total_deduction_dollars' },
});

const valyuContentsPrice = extractPrice({
  rates: { page: 1000, summary: 1000 },
  reads: ['summary'],
  each: ({ rates, bodies, isBefore, delivered, ask }, read, at) => {
    const mayAskAgain = ask['content.excerpts'] !== undefined && ask['content.full_text'] === true;
    const rounds = isBefore && mayAskAgain ? 2 : 1;
    const each = rates.page + (isOn(read('summary')) ? rates.summary : 0);
    if (at === 0) return each * delivered * rounds;
    const again = itemsAt(bodies[at], 'results');
    const pages = again.filter((page) => valueAt(page, 'status') !== 'failed').length;
    return each * Math.min(pages, delivered);
  },
  reported: { at: 'total_cost_dollars' },
});

const supports = {
  query: row.at('query', row.native),
  max_results: row.at('max_num_results', row.capped(20)),
  include_domains: row.at('included_sources', row.domains({ path: true })),
  exclude_domains: row.at('excluded_sources', row.domains({ path: true })),
  category: row.at(
    {
      search_type: { news: 'news' },
      category: ({ ask }: SearchInput) => (ask.category === 'news' ? undefined : ask.category),
    },
    row.choice({
      general: '',
      news: 'news',
      company: row.near('company websites and profiles', steered('companies')),
      people: row.near('people and biographies', steered('people')),
      research: row.near('academic research papers', steered('research papers')),
    }),
  ),
  published_after: row.at('start_date', row.native),
  freshness: row.at('start_date', row.wholeDays, 'window_day'),
  published_before: row.at('end_date', row.native),
  'locale.country': row.at(
    'country_code',
    row.ifKnown('country', row.inCommonCountries, row.rankingHint),
    'upper',
  ),
  mode: row.ignoredBecause('this engine has one tier.'),
} satisfies row.Rows;
// By default the provider adds licensed sources, at a multiple of the price.
const searchFixed = { search_type: 'web', is_tool_call: true };
const searchFields = row.fieldsFrom(supports, searchFixed, [
  'query',
  'search_type',
  'max_num_results',
  'is_tool_call',
]);

export const valyu: Provider = {
  id: 'engine_h',
  credential: { env: ['VALYU_API_KEY'] },
  hosts: { api: { env: 'VALYU_BASE_URL', default: 'https://api.valyu.ai/v1' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: readRefusal,
  search: {
    supports,
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
        snippets: firstTexts(passages(textOf(result.content)), [result.description]),
        score: result.relevance_score ?? undefined,
        published_date: readDay(result.publication_date, now) ?? readDay(result.date, now),
        author: joinNames(result.authors),
      })),
    price: valyuSearchPrice,
  },
  extract: {
    supports: {
      query: row.forExcerptsOrSummary(
        row.limited(maxInSchema),
        row.limited(maxInstruction - instruction.length),
      ),
      'content.full_text': row.native,
      'content.max_chars': row.trimmed,
      'content.excerpts': row.native,
      'content.summary': row.native,
      'content.format': row.markdownOnly,
    },
    batch: 10,
    toRequests: ({ urls, ask }) => [contentsRequest(urls, ask, summaryOf(ask))],
    followUp: replacedPages,
    raw_at: [['results']],
    fromReplies: readPages,
    price: valyuContentsPrice,
  },
};

const Result = z.object({
  url: z.string(),
  title: maybe.text,
  /** A text, or any JSON for licensed datasets. */
  content: z.unknown().optional(),
  description: maybe.text,
  relevance_score: maybe.number,
  publication_date: maybe.text,
  date: maybe.text,
  authors: maybe.texts,
});

const SearchAnswer = asGiven(z.object({ results: z.array(Result) }));

/** Every answer is checked for this. */
const Failure = asGiven(
  z.object({
    success: z.boolean().nullish(),
    message: maybe.text,
    error: maybe.text,
    errors: maybe.list({ key: maybe.text, message: maybe.text, code: maybe.text }),
    /** Seconds, under a rate limit. */
    retry_after: z.unknown().optional(),
    /** Only pages have their own status. */
    results: maybe.list({ status: z.string().optional() }),
  }),
);
type Failure = ReturnType<typeof Failure.parse>;

function steered(what: string): string {
  return `the provider has no such filter; its ranking was steered towards ${what}.`;
}

function searchRequest(input: SearchInput): WireRequest {
  const body = searchFields(input);
  body['response_length'] = lengthFor(input.ask);
  return { method: 'POST', path: '/search', body };
}

/** Enough text for the requested snippets; four of 500 characters by default. */
function lengthFor(ask: SearchAsk): number {
  const count = ask['content.snippets.max_per_result'] ?? 4;
  const chars = ask['content.snippets.max_chars_per_snippet'] ?? 500;
  return Math.min(Math.max(count * chars, 1000), 25_000);
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
  return refusalOf(reply, messageOf(failure), { wait_s: failure.retry_after });
}

function messageOf({ message, error, errors }: Partial<Failure>): string | undefined {
  const faults = errors?.map(
    ({ key, message: fault, code }) =>
      `${key ?? 'body'}: ${filled(fault) ?? filled(code) ?? 'not valid'}`,
  );
  const reason = filled(message) ?? filled(error);
  return faults?.length ? [reason, `(${faults.join('; ')})`].join(' ').trim() : reason;
}
