// engine_k: Perplexity, ranked web results with long passages; search only.
import { z } from 'zod';
import { asGiven, FieldFaults, fieldFaults, maybe } from '../shared/schemas.ts';
import { type Condition, readDay } from '../../negotiation/index.ts';
import { refusalOf } from '../../upstream/core/index.ts';
import { passages, plain, plainTexts } from '../shared/text.ts';
import { searchPrice, tierRate } from '../shared/price-rule.ts';
import type { Provider, SearchInput } from '../provider.ts';
import * as row from '../shared/rows.ts';

/** The same list contains hosts to keep or hosts to exclude, and must not mix them. */
const siteList = row.domains({ suffix: true, www: false, atMost: 20 });
const ofPeople: Condition = {
  reads: 'the category is people',
  holds: (asks) => asks['category'] === 'people',
};

const supports = {
  query: row.at('query', row.native),
  max_results: row.at('max_results', row.when(ofPeople, row.native, row.capped(20))),
  include_domains: row.at('search_domain_filter', siteList),
  exclude_domains: row.at(
    'search_domain_filter',
    row.when(row.nothingIncluded, siteList, row.postFiltered),
    ({ ask }: SearchInput) =>
      ask.include_domains ? undefined : ask.exclude_domains?.map((host) => `-${host}`),
  ),
  'locale.language': row.at(
    'search_language_filter',
    row.hint('pages in other languages are left out.'),
    ({ ask }: SearchInput) => [ask['locale.language']?.toLowerCase()],
  ),
  'locale.country': row.at('country', row.rankingHint, 'upper'),
  freshness: row.at('search_recency_filter', row.native),
  published_after: row.at('search_after_date_filter', row.native, 'month_first'),
  published_before: row.at('search_before_date_filter', row.native, 'month_first'),
  category: row.at(
    { search_mode: { academic: 'academic' }, search_type: { people: 'people' } },
    row.categories({
      people: row.near('people', "the provider's search for people was used."),
      research: row.near('academic', "the provider's academic search was used."),
    }),
  ),
} satisfies row.Rows;

export const perplexity: Provider = {
  id: 'engine_k',
  credential: { env: ['PERPLEXITY_API_KEY'] },
  hosts: { api: { env: 'PERPLEXITY_BASE_URL', default: 'https://api.perplexity.ai' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: (reply) => (reply.status < 300 ? undefined : refusalOf(reply, messageOf(reply.body))),
  search: {
    supports,
    raw_at: [['results']],
    toRequests: row.posts('/search', supports),
    fromReply: (body, { now }) =>
      SearchAnswer.parse(body).results.map((result, item) => ({
        item,
        url: result.url,
        title: plain(result.title),
        snippets: plainTexts(passages(result.snippet ?? '')),
        published_date: readDay(result.date, now),
      })),
    price: searchPrice({
      rates: { web: 5000, people: 5000, fast: 1000 },
      reads: ['search_type'],
      each: ({ rates }, read) =>
        tierRate(rates, ['web', 'people', 'fast'], { given: read('search_type'), absent: 'web' }),
    }),
  },
};

const SearchAnswer = asGiven(
  z.object({
    results: z.array(
      z.object({
        url: z.string(),
        title: maybe.text,
        snippet: maybe.text,
        date: maybe.text,
      }),
    ),
  }),
);
const Failure = z.object({
  error: z.object({ message: z.string() }).nullish(),
  detail: z.union([z.string(), FieldFaults]).nullish(),
});

function messageOf(body: unknown): string | undefined {
  const { error, detail } = Failure.safeParse(body).data ?? {};
  if (error) return error.message;
  return typeof detail === 'string' ? detail : fieldFaults(detail ?? []) || undefined;
}
