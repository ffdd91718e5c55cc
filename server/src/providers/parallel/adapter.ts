// engine_b: Parallel, search guided by an objective, with long excerpts; and page extraction.
import {
  capped,
  choice,
  type Condition,
  cutAtWord,
  domains,
  freshnessStart,
  hint,
  ignoredBecause,
  isoDay,
  limited,
  native,
  near,
  nothingIncluded,
  postFiltered,
  readDay,
  trimmed,
  when,
} from '../../negotiation/index.ts';
import { matchPages } from '../shared/match-pages.ts';
import { refusalOf } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import { parallelExtractPrice, parallelSearchPrice } from './prices.ts';
import { ExtractAnswer, messageOf, SearchAnswer } from './wire.ts';
import type { ExtractInput, PageOutcome, Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import { pageTargets } from '../shared/refused-options.ts';

const maxObjectiveChars = 5000;
const maxKeywordsChars = 200;
/** How much of an unreachable page's answer is quoted in the reason. */
const maxSaidChars = 300;

/** There is no filter for a category. The vendor accepts such preferences in the objective. */
const categoryHints = {
  news: 'Favour recent news reports.',
  company: 'Favour pages of and about companies.',
  people: 'Favour profiles of people.',
  research: 'Favour research papers.',
} as const;
const longestHint = Math.max(...Object.values(categoryHints).map((hint) => hint.length + 1));

const noWish: Condition = {
  reads: 'no category other than general is requested',
  holds: (asks) => !(String(asks['category']) in categoryHints),
};
/** For both lists together. The host of an entry must not begin with www. */
const forms = { suffix: true, www: false, atMost: 200 } as const;
/** The fastest tier does not support paths. */
const readsPaths: Condition = {
  reads: 'the mode is not instant',
  holds: (asks) => asks['mode'] !== 'instant',
};
const siteList = when(readsPaths, domains({ ...forms, path: true }), domains(forms));
const withQuery: Condition = {
  reads: 'a query is given',
  holds: (asks) => asks['query'] !== undefined,
};
const wished = (category: keyof typeof categoryHints) =>
  near(
    categoryHints[category],
    'written into the objective, because the provider has no such filter.',
  );

export const parallel: Provider = {
  id: 'engine_b',
  credential: { env: ['PARALLEL_API_KEY'] },
  hosts: { api: { env: 'PARALLEL_BASE_URL', default: 'https://api.parallel.ai' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: (reply) => (reply.status < 300 ? undefined : refusalOf(reply, messageOf(reply.body))),
  search: {
    supports: {
      query: when(noWish, limited(maxObjectiveChars), limited(maxObjectiveChars - longestHint)),
      max_results: capped(20),
      mode: choice({ instant: 'turbo', fast: 'fast', balanced: 'basic', deep: 'advanced' }),
      include_domains: siteList,
      exclude_domains: when(nothingIncluded, siteList, postFiltered),
      published_after: native,
      published_before: postFiltered,
      freshness: choice({
        day: near('day', 'the provider counts whole days, so up to 48 hours are searched.'),
        week: 'week',
        month: 'month',
        year: 'year',
      }),
      'locale.country': hint('used as a ranking hint, not as a filter.'),
      category: choice({
        general: '',
        news: wished('news'),
        company: wished('company'),
        people: wished('people'),
        research: wished('research'),
      }),
    },
    raw_at: [['results']],
    warnings: {
      at: [['warnings']],
      params: {
        max_results: 'max_results',
        include_domains: 'include_domains',
        exclude_domains: 'exclude_domains',
        after_date: 'published_after',
        location: 'locale.country',
        objective: 'query',
        search_queries: 'query',
      },
    },
    toRequests: (input) => [searchRequest(input)],
    fromReply: (body, { now }) =>
      SearchAnswer.parse(body).results.map((result, item) => ({
        item,
        url: result.url,
        title: plain(result.title),
        snippets: plainTexts(result.excerpts),
        published_date: readDay(result.publish_date, now),
      })),
    price: parallelSearchPrice,
  },
  extract: {
    supports: {
      query: limited(maxObjectiveChars),
      'content.full_text': native,
      'content.max_chars': trimmed,
      'content.excerpts': when(
        withQuery,
        native,
        hint('without a query, the excerpts follow the page from beginning to end.'),
      ),
      'content.format': ignoredBecause('the provider returns markdown.'),
    },
    batch: 20,
    toRequests: ({ urls, ask }) => [
      {
        method: 'POST',
        path: '/v1/extract',
        body: {
          urls,
          objective: ask.query,
          advanced_settings: ask['content.full_text'] ? { full_content: true } : undefined,
        },
      },
    ],
    raw_at: [['results']],
    warnings: {
      at: [['warnings']],
      params: { objective: 'query', search_queries: 'query' },
    },
    fromReplies: readPages,
    refused_options: pageTargets,
    price: parallelExtractPrice,
  },
};

function searchRequest({ ask, now }: SearchInput): WireRequest {
  const { query, category } = ask;
  const afterDate =
    ask.freshness === undefined ? ask.published_after : isoDay(freshnessStart(ask.freshness, now));
  const sourcePolicy = {
    include_domains: ask.include_domains,
    exclude_domains: ask.exclude_domains,
    after_date: afterDate,
  };
  return {
    method: 'POST',
    path: '/v1/search',
    body: {
      objective: category ? `${query} ${category}` : query,
      search_queries: [
        query.length > maxKeywordsChars ? cutAtWord(query, maxKeywordsChars) : query,
      ],
      mode: ask.mode,
      advanced_settings: {
        max_results: ask.max_results,
        source_policy: Object.values(sourcePolicy).some(Boolean) ? sourcePolicy : undefined,
        location: ask['locale.country']?.toLowerCase(),
      },
    },
  };
}

function readPages([body]: readonly unknown[], { urls, now }: ExtractInput): PageOutcome[] {
  const { results, errors } = ExtractAnswer.parse(body);
  const failures = errors ?? [];
  const addresses = (list: { url: string }[]) => list.map(({ url }) => url);
  const found = matchPages(urls, addresses(results));
  const failed = matchPages(urls, addresses(failures));
  return urls.map((url, index): PageOutcome => {
    const item = found[index];
    const result = item === undefined ? undefined : results[item];
    const excerpts = (result?.excerpts ?? []).flatMap((text) => filled(text) ?? []);
    // Without the whole page, the excerpts are its only content.
    const content = filled(result?.full_content) ?? filled(excerpts.join('\n\n'));
    if (item !== undefined && content !== undefined) {
      const publishedDate = readDay(result?.publish_date, now);
      const title = plain(result?.title);
      return {
        ok: true,
        url,
        reply: 0,
        item,
        title,
        content,
        excerpts,
        published_date: publishedDate,
      };
    }
    const {
      error_type,
      http_status_code: status,
      content: said,
    } = failures[failed[index] ?? -1] ?? {};
    const reason = error_type ?? (result ? 'the page has no content' : 'no content returned');
    const error = status ? `${reason} (HTTP ${status})` : reason;
    const opening = plain(said)?.replace(/\s+/g, ' ').slice(0, maxSaidChars);
    return { ok: false, url, error: opening === undefined ? error : `${error}: ${opening}` };
  });
}
