// engine_b: Parallel, search guided by an objective, with long excerpts; and page extraction.
import { z } from 'zod';
import { type Condition, cutAtWord, readDay } from '../../negotiation/index.ts';
import { refusalOf } from '../../upstream/core/index.ts';
import type { ExtractInput, PageOutcome, Provider, SearchInput } from '../provider.ts';
import { asGiven, FieldFaults, fieldFaults, maybe } from '../shared/schemas.ts';
import { matchPages } from '../shared/match-pages.ts';
import {
  extractPrice,
  isOn,
  itemsAt,
  readCount,
  reportedCost,
  searchPrice,
  sumOfReports,
  sumOver,
  tierRate,
  valueAt,
} from '../shared/price-rule.ts';
import * as row from '../shared/rows.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';

const modes = ['turbo', 'fast', 'basic', 'advanced'] as const;
const includedResults = 10;
/** The vendor lowers higher numbers to this one. */
const maxResults = 20;

const parallelSearchPrice = searchPrice({
  rates: { turbo: 1000, fast: 1000, basic: 5000, advanced: 5000, result_above_10: 1000 },
  reads: ['mode', 'advanced_settings.max_results'],
  each: ({ rates, maxCharged }, read) => {
    const bounds = { absent: 10, max: maxResults };
    const results = Math.min(maxCharged, readCount(read('advanced_settings.max_results'), bounds));
    const more = Math.max(0, results - includedResults);
    return modeRate(rates, read('mode')) + rates.result_above_10 * more;
  },
  // The vendor reports searches in any mode under one name, so each has the price of the mode it
  // was sent with.
  reported: ({ rates, bodies: [body] }, read) =>
    sumOfReports([
      reportedCost(countOf(body, 'sku_search'), modeRate(rates, read('mode'))),
      reportedCost(countOf(body, 'sku_search_additional_results') ?? 0, rates.result_above_10),
    ]),
});

function modeRate(rates: Readonly<Record<(typeof modes)[number], number>>, given: unknown): number {
  return tierRate(rates, modes, { given, absent: 'advanced' });
}

/** A page that the vendor could not fetch costs nothing. */
const parallelExtractPrice = extractPrice({
  rates: { page: 1000, full_content: 0 },
  reads: ['advanced_settings.full_content'],
  each: ({ rates, delivered }, read) => {
    const whole = isOn(read('advanced_settings.full_content')) ? rates.full_content : 0;
    return (rates.page + whole) * delivered;
  },
  reported: ({ rates, bodies: [body] }) =>
    sumOfReports([
      reportedCost(countOf(body, 'sku_extract_excerpts'), rates.page),
      reportedCost(countOf(body, 'sku_extract_full_content') ?? 0, rates.full_content),
    ]),
});

/** How many units the vendor says it charges for. Undefined if it does not say. */
function countOf(body: unknown, sku: string): number | undefined {
  const counts = itemsAt(body, 'usage')
    .filter((item) => valueAt(item, 'name') === sku)
    .map((item) => valueAt(item, 'count'));
  if (counts.length === 0) return undefined;
  return sumOver(counts, (count) => (typeof count === 'number' ? count : NaN));
}

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
const siteList = row.when(readsPaths, row.domains({ ...forms, path: true }), row.domains(forms));
const wished = (category: keyof typeof categoryHints) =>
  row.near(
    categoryHints[category],
    'written into the objective, because the provider has no such filter.',
  );

const searchSupports = {
  query: row.at(
    { objective: objectiveOf, search_queries: keywordsOf },
    row.when(noWish, row.limited(maxObjectiveChars), row.limited(maxObjectiveChars - longestHint)),
  ),
  mode: row.at(
    'mode',
    row.choice({ instant: 'turbo', fast: 'fast', balanced: 'basic', deep: 'advanced' }),
  ),
  max_results: row.at('advanced_settings.max_results', row.capped(20)),
  include_domains: row.at('advanced_settings.source_policy.include_domains', siteList),
  exclude_domains: row.at(
    'advanced_settings.source_policy.exclude_domains',
    row.when(row.nothingIncluded, siteList, row.postFiltered),
  ),
  published_after: row.at('advanced_settings.source_policy.after_date', row.native),
  freshness: row.at('advanced_settings.source_policy.after_date', row.wholeDays, 'window_day'),
  published_before: row.postFiltered,
  'locale.country': row.at('advanced_settings.location', row.rankingHint, 'lower'),
  category: row.at(
    'objective',
    row.choice({
      general: '',
      news: wished('news'),
      company: wished('company'),
      people: wished('people'),
      research: wished('research'),
    }),
    'elsewhere',
  ),
} satisfies row.Rows;

const pageSupports = {
  query: row.at('objective', row.limited(maxObjectiveChars)),
  'content.full_text': row.at('advanced_settings.full_content', row.native, 'flag'),
  'content.max_chars': row.trimmed,
  'content.excerpts': row.when(
    row.withQuery,
    row.native,
    row.hint('without a query, the excerpts follow the page from beginning to end.'),
  ),
  'content.format': row.markdownOnly,
} satisfies row.Rows;

export const parallel: Provider = {
  id: 'engine_b',
  credential: { env: ['PARALLEL_API_KEY'] },
  hosts: { api: { env: 'PARALLEL_BASE_URL', default: 'https://api.parallel.ai' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: (reply) => (reply.status < 300 ? undefined : refusalOf(reply, messageOf(reply.body))),
  search: {
    supports: searchSupports,
    raw_at: [['results']],
    warnings: { at: [['warnings']], params: row.namedFields(searchSupports, ['mode']) },
    toRequests: row.posts('/v1/search', searchSupports),
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
    toRequests: row.postsPages('/v1/extract', pageSupports, 'urls'),
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

const described = {
  url: z.string(),
  title: maybe.text,
  publish_date: maybe.text,
  excerpts: maybe.texts,
};

const SearchAnswer = asGiven(z.object({ results: z.array(z.object(described)) }));

const ExtractAnswer = z.object({
  results: z.array(z.object({ ...described, full_content: maybe.text })),
  errors: maybe.list({
    url: z.string(),
    error_type: maybe.text,
    http_status_code: maybe.number,
    /** What an unreachable page answered. */
    content: maybe.text,
  }),
});

/** The vendor's message, and the fields it objects to, if it names them in the known format. */
function messageOf(body: unknown): string | undefined {
  const error = Failure.safeParse(body).data?.error;
  if (!error) return undefined;
  const faults = fieldFaults(error.detail?.errors ?? []);
  return faults === '' ? error.message : `${error.message}; ${faults}`;
}

/** The content of `detail` varies, so it is read only if it fits. */
const Failure = z.object({
  error: z.object({
    message: z.string(),
    detail: maybe.object({ errors: FieldFaults }).catch(undefined),
  }),
});
