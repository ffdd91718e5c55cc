// engine_k: Perplexity, ranked web results with long passages; search only.
import { z } from 'zod';
import {
  capped,
  categoryWords,
  choice,
  type Condition,
  domains,
  hint,
  monthFirst,
  native,
  near,
  nothingIncluded,
  postFiltered,
  readDay,
  when,
  worded,
} from '../../negotiation/index.ts';
import { tierRate } from '../../billing/core/index.ts';
import { refusalOf } from '../../upstream/core/index.ts';
import { passages, plain, plainTexts } from '../shared/text.ts';
import { asGiven } from '../shared/as-given.ts';
import { FieldFaults, fieldFaults } from '../shared/field-faults.ts';
import { searchPrice, sumOver } from '../shared/price-rule.ts';
import type { Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';

/** The same list contains hosts to keep or hosts to exclude, and must not mix them. */
const siteList = domains({ suffix: true, www: false, atMost: 20 });
const ofPeople: Condition = {
  reads: 'the category is people',
  holds: (asks) => asks['category'] === 'people',
};

export const perplexity: Provider = {
  id: 'engine_k',
  credential: { env: ['PERPLEXITY_API_KEY'] },
  hosts: { api: { env: 'PERPLEXITY_BASE_URL', default: 'https://api.perplexity.ai' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: (reply) => (reply.status < 300 ? undefined : refusalOf(reply, messageOf(reply.body))),
  search: {
    supports: {
      query: native,
      max_results: when(ofPeople, native, capped(20)),
      include_domains: siteList,
      exclude_domains: when(nothingIncluded, siteList, postFiltered),
      published_after: native,
      published_before: native,
      freshness: native,
      'locale.country': hint('used as a ranking hint, not as a filter.'),
      'locale.language': hint('pages in other languages are left out.'),
      category: choice({
        general: '',
        news: worded(categoryWords.news),
        company: worded(categoryWords.company),
        people: near('people', "the provider's search for people was used."),
        research: near('academic', "the provider's academic search was used."),
      }),
    },
    raw_at: [['results']],
    toRequests: (input) => [searchRequest(input)],
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
      cost: ({ rates, requests }) => ({
        table: sumOver(requests, (read) =>
          tierRate(rates, ['web', 'people', 'fast'], {
            given: read('search_type'),
            absent: 'web',
          }),
        ),
      }),
    }),
  },
};

const SearchAnswer = asGiven(
  z.object({
    results: z.array(
      z.object({
        url: z.string(),
        title: z.string().nullish(),
        snippet: z.string().nullish(),
        date: z.string().nullish(),
      }),
    ),
  }),
);
const Failure = z.object({
  error: z.object({ message: z.string() }).nullish(),
  detail: z.union([z.string(), FieldFaults]).nullish(),
});

function searchRequest({ ask }: SearchInput): WireRequest {
  const excluded = ask.exclude_domains?.map((host) => `-${host}`);
  const { published_after: after, published_before: before } = ask;
  return {
    method: 'POST',
    path: '/search',
    body: {
      query: ask.query,
      max_results: ask.max_results,
      search_domain_filter: ask.include_domains ?? excluded,
      search_language_filter: ask['locale.language'] && [ask['locale.language'].toLowerCase()],
      country: ask['locale.country']?.toUpperCase(),
      search_recency_filter: ask.freshness,
      search_after_date_filter: after && monthFirst(after),
      search_before_date_filter: before && monthFirst(before),
      search_mode: ask.category === 'academic' ? 'academic' : undefined,
      search_type: ask.category === 'people' ? 'people' : undefined,
    },
  };
}

function messageOf(body: unknown): string | undefined {
  const { error, detail } = Failure.safeParse(body).data ?? {};
  if (error) return error.message;
  return typeof detail === 'string' ? detail : fieldFaults(detail ?? []) || undefined;
}
