// engine_a: Exa, semantic search over its own index, and page contents.
import { type Condition, readDay, readEntry } from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import { contents, described, Failure, subpageBounds, subpagesOf, totalCost } from './contents.ts';
import { z } from 'zod';
import { asGiven, maybe } from '../shared/schemas.ts';
import { isOn, readCount, searchPrice, tierRate } from '../shared/price-rule.ts';
import type { Provider, SearchInput } from '../provider.ts';
import * as row from '../shared/rows.ts';

const searchTypes = [
  'instant',
  'lite',
  'fast',
  'auto',
  'deep-lite',
  'deep',
  'deep-reasoning',
] as const;
const includedResults = 10;
const resultBounds = { absent: 10, max: 100 };
/** The options for these in a search, in full: a name joined for each search is slow to look up. */
const contentOptions = ['contents.text', 'contents.highlights', 'contents.summary'] as const;

const exaSearchPrice = searchPrice({
  rates: {
    instant: 4000,
    lite: 4000,
    fast: 7000,
    auto: 7000,
    'deep-lite': 12_000,
    deep: 12_000,
    'deep-reasoning': 15_000,
    result_above_10: 1000,
    summary: 1000,
    subpage: 1000,
  },
  notes: {
    fast:
      'the vendor calls `instant` and `fast` legacy names, and recommends `lite` through ' +
      '`provider_options` (changelog, 2026-11-17)',
  },
  reads: [
    'type',
    'numResults',
    'contents.text',
    'contents.highlights',
    'contents.summary',
    'contents.subpages',
  ],
  each: ({ rates, bodies, maxCharged }, read) => {
    const results = Math.min(maxCharged, readCount(read('numResults'), resultBounds));
    const below = readCount(read('contents.subpages'), subpageBounds);
    let kinds = 0;
    for (const option of contentOptions) if (isOn(read(option))) kinds += 1;
    return (
      tierRate(rates, searchTypes, { given: read('type'), absent: 'auto' }) +
      rates.result_above_10 * Math.max(0, results - includedResults) +
      (isOn(read('contents.summary')) ? rates.summary * results : 0) +
      // Subpages are never included in the price, and are charged for each kind of content.
      rates.subpage * Math.max(1, kinds) * subpagesOf(bodies, results * below)
    );
  },
  reported: { at: totalCost },
});

const siteLists = row.domains({ path: true, wildcard: true });

/** The two profile indexes refuse dates and excluded domains. */
const outsideProfiles: Condition = {
  reads: 'the category is neither company nor people',
  holds: (asks) => asks['category'] !== 'company' && asks['category'] !== 'people',
};
const dates = row.when(outsideProfiles, row.native, row.postFiltered);
/** The index of people consists of their LinkedIn profiles, and refuses any other domain. */
const onLinkedIn: Condition = {
  reads: 'the category is not people, or every entry is on linkedin.com',
  holds: (asks, value) =>
    asks['category'] !== 'people' ||
    (value as string[]).every((entry) => `.${readEntry(entry).host}`.endsWith('.linkedin.com')),
};

const supports = {
  query: row.at('query', row.native),
  mode: row.at(
    'type',
    row.choice({ instant: 'instant', fast: 'fast', balanced: 'auto', deep: 'deep' }),
  ),
  max_results: row.at('numResults', row.native),
  include_domains: row.at('includeDomains', row.when(onLinkedIn, siteLists, row.postFiltered)),
  exclude_domains: row.at('excludeDomains', row.when(outsideProfiles, siteLists, row.postFiltered)),
  published_after: row.at('startPublishedDate', dates, 'day_start'),
  freshness: row.at('startPublishedDate', dates, 'window_start'),
  published_before: row.at('endPublishedDate', dates, 'day_end'),
  category: row.at(
    'category',
    row.choice({
      general: '',
      news: 'news',
      company: 'company',
      people: 'people',
      research: 'publication',
    }),
  ),
  'locale.country': row.at('userLocation', row.rankingHint, 'upper'),
  'locale.language': row.ignoredBecause('the provider follows the language of the query.'),
  'content.full_text': row.at('contents.text', row.native, 'flag'),
  'content.summary': row.at('contents.summary', row.native, ({ ask }: SearchInput) =>
    ask['content.summary'] ? { query: ask.query } : undefined,
  ),
} satisfies row.Rows;

export const exa: Provider = {
  id: 'engine_a',
  credential: { env: ['EXA_API_KEY'] },
  hosts: { api: { env: 'EXA_BASE_URL', default: 'https://api.exa.ai' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: (reply) => (reply.status < 300 ? undefined : readRefusal(reply)),
  search: {
    supports,
    raw_at: [['results']],
    warnings: {
      at: [['warnings'], ['notices']],
      params: {
        ...row.namedFields(supports, ['query', 'mode', 'content.full_text', 'content.summary']),
        moderation: 'safe_search',
      },
      paths: {
        '/type': 'mode',
        '/contents/text': 'content.full_text',
        '/contents/summary': 'content.summary',
        '/contents/highlights': 'content.snippets',
      },
    },
    toRequests: row.posts('/search', supports, { contents: { highlights: true } }),
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
    price: exaSearchPrice,
  },
  extract: contents,
};

const Result = z.object({ ...described, score: maybe.number });
type Result = z.infer<typeof Result>;

const SearchAnswer = asGiven(z.object({ results: z.array(Result) }));

/** If a page has no highlights, its beginning is shown. */
function snippetsOf(result: Result): string[] {
  const highlights = plainTexts(result.highlights);
  if (highlights.length > 0) return highlights;
  const opening = filled(result.summary) ?? filled(result.text)?.slice(0, openingChars);
  return opening === undefined ? [] : [opening];
}

const openingChars = 300;

function readRefusal(reply: Reply): Refusal {
  const failure = Failure.safeParse(reply.body).data;
  const { error, tag, x402Version: unknownCaller } = failure ?? {};
  const message = typeof error === 'string' ? error : error?.message;
  const words = tag && message ? `${message} (${tag})` : (message ?? tag);
  const kind = kindsByTag[tag ?? ''] ?? (unknownCaller ? 'unauthorized' : undefined);
  return refusalOf(reply, words ?? (unknownCaller ? paymentDemanded : undefined), { kind });
}

const paymentDemanded = 'the provider demands payment, as it does from callers without a key';

/**
 * For answers whose status is misleading: a missing key looks like an empty account, a ban like a
 * bad key.
 */
const kindsByTag: Readonly<Record<string, Refusal['kind']>> = {
  X402_PAYMENT_REQUIRED: 'unauthorized',
  PROHIBITED_CONTENT: 'rejected',
  ROBOTS_FILTER_FAILED: 'rejected',
};
