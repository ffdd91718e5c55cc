// engine_b: Parallel, search guided by an objective, with long excerpts; and page extraction.
import { type Condition, cutAtWord, readDay } from '../../negotiation/index.ts';
import { matchPages } from '../shared/match-pages.ts';
import { refusalOf } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import { parallelExtractPrice, parallelSearchPrice } from './prices.ts';
import { ExtractAnswer, messageOf, SearchAnswer } from './wire.ts';
import type { ExtractInput, PageOutcome, Provider, SearchInput } from '../provider.ts';
import {
  at,
  capped,
  choice,
  domains,
  hint,
  limited,
  markdownOnly,
  namedFields,
  native,
  near,
  nothingIncluded,
  postFiltered,
  posts,
  postsPages,
  rankingHint,
  trimmed,
  when,
  wholeDaysNote,
  withQuery,
} from '../shared/rows.ts';
import type { Rows } from '../shared/rows.ts';

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
const wished = (category: keyof typeof categoryHints) =>
  near(
    categoryHints[category],
    'written into the objective, because the provider has no such filter.',
  );

const searchSupports = {
  query: at(
    { objective: objectiveOf, search_queries: keywordsOf },
    when(noWish, limited(maxObjectiveChars), limited(maxObjectiveChars - longestHint)),
  ),
  mode: at('mode', choice({ instant: 'turbo', fast: 'fast', balanced: 'basic', deep: 'advanced' })),
  max_results: at('advanced_settings.max_results', capped(20)),
  include_domains: at('advanced_settings.source_policy.include_domains', siteList),
  exclude_domains: at(
    'advanced_settings.source_policy.exclude_domains',
    when(nothingIncluded, siteList, postFiltered),
  ),
  published_after: at('advanced_settings.source_policy.after_date', native),
  freshness: at(
    'advanced_settings.source_policy.after_date',
    choice({ day: near('day', wholeDaysNote), week: 'week', month: 'month', year: 'year' }),
    'window_day',
  ),
  published_before: postFiltered,
  'locale.country': at('advanced_settings.location', rankingHint, 'lower'),
  category: at(
    'objective',
    choice({
      general: '',
      news: wished('news'),
      company: wished('company'),
      people: wished('people'),
      research: wished('research'),
    }),
    'elsewhere',
  ),
} satisfies Rows;

const pageSupports = {
  query: at('objective', limited(maxObjectiveChars)),
  'content.full_text': at('advanced_settings.full_content', native, 'flag'),
  'content.max_chars': trimmed,
  'content.excerpts': when(
    withQuery,
    native,
    hint('without a query, the excerpts follow the page from beginning to end.'),
  ),
  'content.format': markdownOnly,
} satisfies Rows;

export const parallel: Provider = {
  id: 'engine_b',
  credential: { env: ['PARALLEL_API_KEY'] },
  hosts: { api: { env: 'PARALLEL_BASE_URL', default: 'https://api.parallel.ai' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: (reply) => (reply.status < 300 ? undefined : refusalOf(reply, messageOf(reply.body))),
  search: {
    supports: searchSupports,
    raw_at: [['results']],
    warnings: { at: [['warnings']], params: namedFields(searchSupports, ['mode']) },
    toRequests: posts('/v1/search', searchSupports),
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
    supports: pageSupports,
    batch: 20,
    toRequests: postsPages('/v1/extract', pageSupports, 'urls'),
    raw_at: [['results']],
    warnings: {
      at: [['warnings']],
      params: { objective: 'query', search_queries: 'query' },
    },
    fromReplies: readPages,
    price: parallelExtractPrice,
  },
};

function objectiveOf({ ask: { query, category } }: SearchInput): string {
  return category ? `${query} ${category}` : query;
}

function keywordsOf({ ask: { query } }: SearchInput): string[] {
  return [query.length > maxKeywordsChars ? cutAtWord(query, maxKeywordsChars) : query];
}

function readPages([body]: readonly unknown[], { urls, now }: ExtractInput): PageOutcome[] {
  const { results, errors } = ExtractAnswer.parse(body);
  const failures = matchPages(urls, errors ?? [], ({ url }) => url);
  return matchPages(urls, results, ({ url }) => url).map(([result, item], index) => {
    const excerpts = (result?.excerpts ?? []).flatMap((text) => filled(text) ?? []);
    // Without the whole page, the excerpts are its only content.
    const content = filled(result?.full_content) ?? filled(excerpts.join('\n\n'));
    if (content !== undefined) {
      const publishedDate = readDay(result?.publish_date, now);
      const title = plain(result?.title);
      return { item, title, content, excerpts, published_date: publishedDate };
    }
    const { error_type, http_status_code: status, content: said } = failures[index]?.[0] ?? {};
    const reason = error_type ?? (result ? 'the page has no content' : 'no content returned');
    const error = status ? `${reason} (HTTP ${status})` : reason;
    const opening = plain(said)?.replace(/\s+/g, ' ').slice(0, maxSaidChars);
    return opening === undefined ? error : `${error}: ${opening}`;
  });
}
