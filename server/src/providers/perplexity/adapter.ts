// engine_k: Perplexity, ranked web results with long passages; search only.
import { z } from 'zod';
import { FieldFaults, fieldFaults, maybeText, asGiven } from '../shared/schemas.ts';
import { type Condition, readDay } from '../../negotiation/index.ts';
import { tierRate } from '../../billing/core/index.ts';
import { refusalOf } from '../../upstream/core/index.ts';
import { passages, plain, plainTexts } from '../shared/text.ts';
import { searchPrice } from '../shared/price-rule.ts';
import type { Provider, SearchInput } from '../provider.ts';
import {
  at,
  capped,
  categories,
  domains,
  hint,
  native,
  near,
  nothingIncluded,
  postFiltered,
  posts,
  rankingHint,
  when,
  type Rows,
} from '../shared/rows.ts';

/** The same list contains hosts to keep or hosts to exclude, and must not mix them. */
const siteList = domains({ suffix: true, www: false, atMost: 20 });
const ofPeople: Condition = {
  reads: 'the category is people',
  holds: (asks) => asks['category'] === 'people',
};

const supports = {
  query: at('query', native),
  max_results: at('max_results', when(ofPeople, native, capped(20))),
  include_domains: at('search_domain_filter', siteList),
  exclude_domains: at(
    'search_domain_filter',
    when(nothingIncluded, siteList, postFiltered),
    ({ ask }: SearchInput) =>
      ask.include_domains ? undefined : ask.exclude_domains?.map((host) => `-${host}`),
  ),
  'locale.language': at(
    'search_language_filter',
    hint('pages in other languages are left out.'),
    ({ ask }: SearchInput) => [ask['locale.language']?.toLowerCase()],
  ),
  'locale.country': at('country', rankingHint, 'upper'),
  freshness: at('search_recency_filter', native),
  published_after: at('search_after_date_filter', native, 'month_first'),
  published_before: at('search_before_date_filter', native, 'month_first'),
  category: at(
    { search_mode: { academic: 'academic' }, search_type: { people: 'people' } },
    categories({
      people: near('people', "the provider's search for people was used."),
      research: near('academic', "the provider's academic search was used."),
    }),
  ),
} satisfies Rows;

export const perplexity: Provider = {
  id: 'engine_k',
  credential: { env: ['PERPLEXITY_API_KEY'] },
  hosts: { api: { env: 'PERPLEXITY_BASE_URL', default: 'https://api.perplexity.ai' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: (reply) => (reply.status < 300 ? undefined : refusalOf(reply, messageOf(reply.body))),
  search: {
    supports,
    raw_at: [['results']],
    toRequests: posts('/search', supports),
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
        title: maybeText,
        snippet: maybeText,
        date: maybeText,
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
