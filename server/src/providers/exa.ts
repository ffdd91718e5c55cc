// engine_a: Exa, semantic search over its own index, and page contents.
import { z } from 'zod';
import { freshnessStart, readDay } from '../domain/dates.ts';
import { hostAndPath } from '../domain/domains.ts';
import {
  choice,
  hint,
  ignoredBecause,
  native,
  postFiltered,
  when,
} from '../domain/negotiation/support.ts';
import type { Condition } from '../domain/negotiation/support.ts';
import { microUsd } from '../domain/money.ts';
import { refusalOf } from '../domain/refusal.ts';
import { filled, plain } from '../domain/text.ts';
import type { PricedCall, Provider, SearchInput, WireRequest } from './provider.ts';

/** The two profile indexes refuse dates and excluded domains. */
const outside_profiles: Condition = {
  reads: 'the category is neither company nor people',
  holds: (asks) => asks['category'] !== 'company' && asks['category'] !== 'people',
};

export const exa: Provider = {
  id: 'engine_a',
  name: 'Exa',
  credential: { env: ['EXA_API_KEY'] },
  hosts: { api: { env: 'EXA_BASE_URL', default: 'https://api.exa.ai' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: (reply) => (reply.status < 300 ? undefined : refusalOf(reply, messageOf(reply.body))),
  search: {
    supports: {
      query: native,
      max_results: native,
      mode: choice({ instant: 'instant', fast: 'fast', balanced: 'auto', deep: 'deep' }),
      include_domains: native,
      exclude_domains: when(outside_profiles, native, postFiltered),
      published_after: when(outside_profiles, native, postFiltered),
      published_before: when(outside_profiles, native, postFiltered),
      freshness: when(outside_profiles, native, postFiltered),
      'content.full_text': native,
      'content.summary': native,
      'locale.country': hint('used as a ranking hint, not as a filter.'),
      'locale.language': ignoredBecause('the provider follows the language of the query.'),
      category: choice({
        general: '',
        news: 'news',
        company: 'company',
        people: 'people',
        research: 'publication',
      }),
    },
    raw_at: [['results']],
    toRequests: (input) => [searchRequest(input)],
    fromReply: (body, { ask, now }) =>
      SearchAnswer.parse(body).results.map((result, item) => ({
        item,
        url: result.url,
        title: plain(result.title),
        snippets: snippetsOf(result),
        full_text: ask['content.full_text'] ? filled(result.text) : undefined,
        summary: ask['content.summary'] ? filled(result.summary) : undefined,
        score: result.score ?? undefined,
        published_date: readDay(result.publishedDate, now),
        author: filled(result.author),
      })),
    cost: searchCost,
  },
};

const SearchAnswer = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullish(),
      publishedDate: z.string().nullish(),
      author: z.string().nullish(),
      text: z.string().nullish(),
      summary: z.string().nullish(),
      highlights: z.array(z.string()).nullish(),
      score: z.number().nullish(),
    }),
  ),
});

const Report = z.object({ costDollars: z.object({ total: z.number().nonnegative() }) });
const Failure = z.object({
  error: z.union([z.string(), z.object({ message: z.string() })]),
  tag: z.string().optional(),
});

function searchRequest({ ask, now }: SearchInput): WireRequest {
  const query = ask.query;
  const start =
    ask.freshness === undefined
      ? ask.published_after && `${ask.published_after}T00:00:00.000Z`
      : freshnessStart(ask.freshness, now).toISOString();
  return {
    method: 'POST',
    path: '/search',
    body: {
      query,
      type: ask.mode,
      numResults: ask.max_results,
      includeDomains: ask.include_domains?.map(hostAndPath),
      excludeDomains: ask.exclude_domains?.map(hostAndPath),
      startPublishedDate: start,
      endPublishedDate: ask.published_before && `${ask.published_before}T23:59:59.999Z`,
      category: ask.category === '' ? undefined : ask.category,
      userLocation: ask['locale.country']?.toUpperCase(),
      contents: {
        highlights: true,
        text: ask['content.full_text'] ? true : undefined,
        summary: ask['content.summary'] ? { query } : undefined,
      },
    },
  };
}

/** A page whose highlights are missing still has a beginning to show. */
function snippetsOf(result: z.infer<typeof SearchAnswer>['results'][number]): string[] {
  const highlights = (result.highlights ?? []).flatMap((text) => plain(text) ?? []);
  if (highlights.length > 0) return highlights;
  const opening = filled(result.summary) ?? filled(result.text)?.slice(0, opening_chars);
  return opening === undefined ? [] : [opening];
}

const opening_chars = 300;

function searchCost({ sent, bodies, delivered, rates }: PricedCall) {
  const body = sent[0]?.body ?? {};
  const type = typeof body['type'] === 'string' ? body['type'] : 'auto';
  const contents = (body['contents'] ?? {}) as Record<string, unknown>;
  const rate = (name: string) => rates[name] ?? 0;
  const table =
    (rates[type] ?? rate('auto')) +
    rate('result_above_10') * Math.max(0, delivered - 10) +
    (contents['summary'] ? rate('summary') * delivered : 0);
  const report = Report.safeParse(bodies[0]);
  return report.success ? { table, reported: microUsd(report.data.costDollars.total) } : { table };
}

function messageOf(body: unknown): string | undefined {
  const failure = Failure.safeParse(body);
  if (!failure.success) return undefined;
  const { error, tag } = failure.data;
  const message = typeof error === 'string' ? error : error.message;
  return tag === undefined ? message : `${message} (${tag})`;
}
