// engine_c: Tavily, search and extraction designed for language models.
import {
  capped,
  categoryWords,
  choice,
  type Condition,
  domains,
  ignoredBecause,
  limited,
  native,
  readDay,
  when,
  worded,
} from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply, secondsToWait } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import type { Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import { countryNames } from './countries.ts';
import { extract } from './extract.ts';
import { tavilySearchPrice } from './prices.ts';
import { chunksOf, ExtractAnswer, messageOf, SearchAnswer, waitOf } from './wire.ts';

const outsideNews: Condition = {
  reads: 'the category is not news',
  holds: (asks) => asks['category'] !== 'news',
};
const listedCountry: Condition = {
  reads: 'the provider supports the country',
  holds: (_asks, value) => String(value).toUpperCase() in countryNames,
};

export const tavily: Provider = {
  id: 'engine_c',
  credential: { env: ['TAVILY_API_KEY'] },
  hosts: { api: { env: 'TAVILY_BASE_URL', default: 'https://api.tavily.com' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: (reply) => (reply.status < 300 ? undefined : readFailure(reply)),
  search: {
    supports: {
      query: limited(400),
      max_results: capped(20),
      mode: choice({
        instant: 'ultra-fast',
        fast: 'fast',
        balanced: 'basic',
        deep: 'advanced',
      }),
      include_domains: domains({ path: true, wildcard: true, atMost: 300 }),
      exclude_domains: domains({ path: true, atMost: 150 }),
      published_after: native,
      published_before: native,
      freshness: native,
      'content.full_text': native,
      'locale.country': when(
        outsideNews,
        when(listedCountry, native, ignoredBecause('the provider does not support this country.')),
        ignoredBecause('the provider does not support a country for news.'),
      ),
      'locale.language': native,
      category: choice({
        general: '',
        news: 'news',
        company: worded(categoryWords.company),
        people: worded(categoryWords.people),
        research: worded(categoryWords.research),
      }),
    },
    raw_at: [['results']],
    toRequests: (input) => [searchRequest(input)],
    fromReply: (body, { ask, now }) =>
      SearchAnswer.parse(body).results.map((result, item) => ({
        item,
        url: result.url,
        title: plain(result.title),
        snippets: plainTexts(chunksOf(result.content)),
        full_text: ask['content.full_text'] ? filled(result.raw_content) : undefined,
        score: result.score ?? undefined,
        published_date: readDay(result.published_date, now),
      })),
    repeat: forOlderServers,
    price: tavilySearchPrice,
  },
  extract,
};

function searchRequest({ ask }: SearchInput): WireRequest {
  const chunks = ask['content.snippets.max_per_result'];
  const country = ask['locale.country']?.toUpperCase();
  return {
    method: 'POST',
    path: '/search',
    body: {
      query: ask.query,
      search_depth: ask.mode,
      topic: ask.category === '' ? undefined : ask.category,
      max_results: ask.max_results,
      // The fastest depth returns only one passage.
      chunks_per_source:
        chunks === undefined || ask.mode === 'ultra-fast' ? undefined : Math.min(chunks, maxChunks),
      include_domains: ask.include_domains,
      include_domains_mode: ask.include_domains && 'restrict',
      exclude_domains: ask.exclude_domains,
      start_date: ask.published_after,
      end_date: ask.published_before,
      time_range: ask.freshness,
      include_raw_content: ask['content.full_text'] ? 'markdown' : undefined,
      country: country && countryNames[country],
      language: ask['locale.language']?.toLowerCase(),
      include_published_date: true,
      include_usage: true,
    },
  };
}

const maxChunks = 3;

/** Older servers use another name for the strict mode, or cannot date results. */
function forOlderServers({ status, body }: Refusal, wire: WireRequest): WireRequest | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const complaint = JSON.stringify(body ?? '');
  const sent = wire.body ?? {};
  if (complaint.includes('include_domains_mode') && sent['include_domains_mode'] === 'restrict') {
    return { ...wire, body: { ...sent, include_domains_mode: 'filter' } };
  }
  if (complaint.includes('include_published_date') && 'include_published_date' in sent) {
    const { include_published_date: _unknown, ...rest } = sent;
    return { ...wire, body: rest };
  }
  return undefined;
}

/** A 400 with an outcome for each page is an answer; 432 and 433 mean an exhausted plan. */
function readFailure(reply: Reply): Refusal | 'answer' {
  if (reply.status === 400 && ExtractAnswer.safeParse(reply.body).data?.failed_results?.length) {
    return 'answer';
  }
  const refusal = refusalOf(reply, messageOf(reply.body));
  const usedUp = reply.status === 432 || reply.status === 433;
  if (usedUp) return { ...refusal, kind: 'out_of_credit' };
  const waitMs = secondsToWait(waitOf(reply.body));
  return waitMs === undefined ? refusal : { retry_after_ms: waitMs, ...refusal };
}
