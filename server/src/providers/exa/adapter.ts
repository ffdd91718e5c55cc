// engine_a: Exa, semantic search over its own index, and page contents.
import { type Condition, readDay, readEntry } from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import { contents } from './contents.ts';
import { exaSearchPrice } from './prices.ts';
import { Failure, SearchAnswer, type Found } from './wire.ts';
import type { Provider, SearchInput } from '../provider.ts';
import {
  at,
  choice,
  domains,
  ignoredBecause,
  namedFields,
  native,
  postFiltered,
  posts,
  rankingHint,
  when,
  type Rows,
} from '../shared/rows.ts';

const siteLists = domains({ path: true, wildcard: true });

/** The two profile indexes refuse dates and excluded domains. */
const outsideProfiles: Condition = {
  reads: 'the category is neither company nor people',
  holds: (asks) => asks['category'] !== 'company' && asks['category'] !== 'people',
};
const dates = when(outsideProfiles, native, postFiltered);
/** The index of people consists of their LinkedIn profiles, and refuses any other domain. */
const onLinkedIn: Condition = {
  reads: 'the category is not people, or every entry is on linkedin.com',
  holds: (asks, value) =>
    asks['category'] !== 'people' ||
    (value as string[]).every((entry) => `.${readEntry(entry).host}`.endsWith('.linkedin.com')),
};

const supports = {
  query: at('query', native),
  mode: at('type', choice({ instant: 'instant', fast: 'fast', balanced: 'auto', deep: 'deep' })),
  max_results: at('numResults', native),
  include_domains: at('includeDomains', when(onLinkedIn, siteLists, postFiltered)),
  exclude_domains: at('excludeDomains', when(outsideProfiles, siteLists, postFiltered)),
  published_after: at('startPublishedDate', dates, 'day_start'),
  freshness: at('startPublishedDate', dates, 'window_start'),
  published_before: at('endPublishedDate', dates, 'day_end'),
  category: at(
    'category',
    choice({
      general: '',
      news: 'news',
      company: 'company',
      people: 'people',
      research: 'publication',
    }),
  ),
  'locale.country': at('userLocation', rankingHint, 'upper'),
  'locale.language': ignoredBecause('the provider follows the language of the query.'),
  'content.full_text': at('contents.text', native, 'flag'),
  'content.summary': at('contents.summary', native, ({ ask }: SearchInput) =>
    ask['content.summary'] ? { query: ask.query } : undefined,
  ),
} satisfies Rows;

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
        ...namedFields(supports, ['query', 'mode', 'content.full_text', 'content.summary']),
        moderation: 'safe_search',
      },
      paths: {
        '/type': 'mode',
        '/contents/text': 'content.full_text',
        '/contents/summary': 'content.summary',
        '/contents/highlights': 'content.snippets',
      },
    },
    toRequests: posts('/search', supports, { contents: { highlights: true } }),
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

/** If a page has no highlights, its beginning is shown. */
function snippetsOf(result: Found): string[] {
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
