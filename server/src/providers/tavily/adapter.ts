// engine_c: Tavily, search and extraction designed for language models.
import { readDay } from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import type { Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import { countryNames } from './countries.ts';
import { chunksOf, extract, ExtractAnswer } from './extract.ts';
import { z } from 'zod';
import { asGiven, FieldFaults, fieldFaults, maybe } from '../shared/schemas.ts';
import { highestRate, isOn, searchPrice, tierRate } from '../shared/price-rule.ts';
import * as row from '../shared/rows.ts';

const depths = ['ultra-fast', 'fast', 'basic', 'advanced'] as const;

const tavilySearchPrice = searchPrice({
  rates: { 'ultra-fast': 8000, fast: 8000, basic: 8000, advanced: 16_000, credit: 8000 },
  reads: ['search_depth', 'auto_parameters'],
  // If the vendor chooses the depth, the price of the deepest one must be held.
  each: ({ rates }, read) =>
    isOn(read('auto_parameters'))
      ? highestRate(rates, depths)
      : tierRate(rates, depths, { given: read('search_depth'), absent: 'basic' }),
  reported: { at: 'usage.credits', rate: 'credit' },
});

const supports = {
  query: row.at('query', row.limited(400)),
  mode: row.at(
    'search_depth',
    row.choice({ instant: 'ultra-fast', fast: 'fast', balanced: 'basic', deep: 'advanced' }),
  ),
  category: row.at('topic', row.categories({ news: 'news' })),
  max_results: row.at('max_results', row.capped(20)),
  'content.snippets.max_per_result': row.at('chunks_per_source', row.trimmed, chunksWanted),
  include_domains: row.at(
    { include_domains: 'as_is', include_domains_mode: () => 'restrict' },
    row.domains({ path: true, wildcard: true, atMost: 300 }),
  ),
  exclude_domains: row.at('exclude_domains', row.domains({ path: true, atMost: 150 })),
  published_after: row.at('start_date', row.native),
  published_before: row.at('end_date', row.native),
  freshness: row.at('time_range', row.native),
  'content.full_text': row.at('include_raw_content', row.native, { true: 'markdown' }),
  'locale.country': row.at(
    'country',
    row.when(
      row.outside('news'),
      row.ifKnown('country', (code) => code.toUpperCase() in countryNames, row.native),
      row.ignoredBecause('the provider does not support a country for news.'),
    ),
    ({ ask }: SearchInput) => countryNames[String(ask['locale.country']).toUpperCase()],
  ),
  'locale.language': row.at('language', row.native, 'lower'),
} satisfies row.Rows;

export const tavily: Provider = {
  id: 'engine_c',
  credential: { env: ['TAVILY_API_KEY'] },
  hosts: { api: { env: 'TAVILY_BASE_URL', default: 'https://api.tavily.com' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: (reply) => (reply.status < 300 ? undefined : readFailure(reply)),
  search: {
    supports,
    raw_at: [['results']],
    toRequests: row.posts('/search', supports, {
      include_published_date: true,
      include_usage: true,
    }),
    fromReply: (body, { ask, now }) =>
      SearchAnswer.parse(body).results.map((result, item) => ({
        item,
        url: result.url,
        title: plain(result.title),
        snippets: plainTexts(chunksOf(result.content)),
        full_text: ask['content.full_text'] ? filled(result.raw_content) : undefined,
        score: result.score ?? undefined,
        published_date: readDay(result.published_date, now),
      })),
    repeat: forOlderServers,
    price: tavilySearchPrice,
  },
  extract,
};

const SearchAnswer = asGiven(
  z.object({
    results: z.array(
      z.object({
        url: z.string(),
        title: maybe.text,
        content: maybe.text,
        raw_content: maybe.text,
        score: maybe.number,
        published_date: maybe.text,
      }),
    ),
  }),
);

/** The fastest depth returns only one passage. */
function chunksWanted({ ask }: SearchInput): number | undefined {
  const chunks = ask['content.snippets.max_per_result'];
  return chunks === undefined || ask.mode === 'ultra-fast'
    ? undefined
    : Math.min(chunks, maxChunks);
}

const maxChunks = 3;

/** Older servers use another name for the strict mode, or cannot date results. */
function forOlderServers({ status, body }: Refusal, wire: WireRequest): WireRequest | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const complaint = JSON.stringify(body ?? '');
  const sent = wire.body ?? {};
  if (complaint.includes('include_domains_mode') && sent['include_domains_mode'] === 'restrict') {
    return { ...wire, body: { ...sent, include_domains_mode: 'filter' } };
  }
  if (complaint.includes('include_published_date') && 'include_published_date' in sent) {
    const { include_published_date: _unknown, ...rest } = sent;
    return { ...wire, body: rest };
  }
  return undefined;
}

/** A 400 with an outcome for each page is an answer; 432 and 433 mean an exhausted plan. */
function readFailure(reply: Reply): Refusal | 'answer' {
  if (reply.status === 400 && ExtractAnswer.safeParse(reply.body).data?.failed_results?.length) {
    return 'answer';
  }
  const usedUp = reply.status === 432 || reply.status === 433;
  const own = usedUp ? ({ kind: 'out_of_credit' } as const) : { wait_s: waitOf(reply.body) };
  return refusalOf(reply, messageOf(reply.body), own);
}

function messageOf(body: unknown): string | undefined {
  const { detail, error } = Failure.safeParse(body).data ?? {};
  if (detail === undefined) return typeof error === 'object' ? error.message : error;
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return fieldFaults(detail);
  return typeof detail.error === 'string' ? detail.error : detail.error.message;
}

/** The seconds to wait, which only the newer form of an error contains. */
function waitOf(body: unknown): unknown {
  const { detail, error } = Failure.safeParse(body).data ?? {};
  const nested = typeof detail === 'object' && !Array.isArray(detail) ? detail.error : undefined;
  const details = error ?? nested;
  return typeof details === 'object' ? details.retry_after_seconds : undefined;
}

const Told = z.union([
  z.string(),
  z.object({ message: z.string(), retry_after_seconds: z.unknown().optional() }),
]);
const Failure = z.object({
  detail: z.union([z.string(), z.object({ error: Told }), FieldFaults]).optional(),
  error: Told.optional(),
});
