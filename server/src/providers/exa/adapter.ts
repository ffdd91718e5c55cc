// engine_a: Exa, semantic search over its own index, and page contents.
import {
  choice,
  type Condition,
  domains,
  freshnessStart,
  hint,
  ignoredBecause,
  native,
  postFiltered,
  readDay,
  readEntry,
  when,
} from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import { contents } from './contents.ts';
import { exaSearchPrice } from './prices.ts';
import { Failure, SearchAnswer } from './wire.ts';
import type { Found } from './wire.ts';
import type { Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';

const siteLists = domains({ path: true, wildcard: true });

/** The two profile indexes refuse dates and excluded domains. */
const outsideProfiles: Condition = {
  reads: 'the category is neither company nor people',
  holds: (asks) => asks['category'] !== 'company' && asks['category'] !== 'people',
};
/** The index of people consists of their LinkedIn profiles, and refuses any other domain. */
const onLinkedIn: Condition = {
  reads: 'the category is not people, or every entry is on linkedin.com',
  holds: (asks, value) =>
    asks['category'] !== 'people' ||
    (value as string[]).every((entry) => `.${readEntry(entry).host}`.endsWith('.linkedin.com')),
};

export const exa: Provider = {
  id: 'engine_a',
  credential: { env: ['EXA_API_KEY'] },
  hosts: { api: { env: 'EXA_BASE_URL', default: 'https://api.exa.ai' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: (reply) => (reply.status < 300 ? undefined : readRefusal(reply)),
  search: {
    supports: {
      query: native,
      max_results: native,
      mode: choice({ instant: 'instant', fast: 'fast', balanced: 'auto', deep: 'deep' }),
      include_domains: when(onLinkedIn, siteLists, postFiltered),
      exclude_domains: when(outsideProfiles, siteLists, postFiltered),
      published_after: when(outsideProfiles, native, postFiltered),
      published_before: when(outsideProfiles, native, postFiltered),
      freshness: when(outsideProfiles, native, postFiltered),
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
    warnings: {
      at: [['warnings'], ['notices']],
      params: {
        numResults: 'max_results',
        includeDomains: 'include_domains',
        excludeDomains: 'exclude_domains',
        startPublishedDate: 'published_after',
        endPublishedDate: 'published_before',
        userLocation: 'locale.country',
        moderation: 'safe_search',
        category: 'category',
      },
      paths: {
        '/type': 'mode',
        '/contents/text': 'content.full_text',
        '/contents/summary': 'content.summary',
        '/contents/highlights': 'content.snippets',
      },
    },
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
    price: exaSearchPrice,
  },
  extract: contents,
};

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
      includeDomains: ask.include_domains,
      excludeDomains: ask.exclude_domains,
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
  const refusal = refusalOf(reply, words ?? (unknownCaller ? paymentDemanded : undefined));
  const kind = kindsByTag[tag ?? ''] ?? (unknownCaller ? 'unauthorized' : undefined);
  return kind === undefined ? refusal : { ...refusal, kind };
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
