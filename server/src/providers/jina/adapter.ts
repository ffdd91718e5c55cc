// engine_i: Jina, search-engine results on one host and a page reader on another.
import { z } from 'zod';
import {
  capped,
  categoryWords,
  choice,
  type Condition,
  domains,
  hint,
  ignoredBecause,
  limited,
  native,
  nothingIncluded,
  readDay,
  rewritten,
  trimmed,
  when,
  worded,
} from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply, secondsToWait } from '../../upstream/core/index.ts';
import { filled, plain } from '../shared/text.ts';
import { asGiven } from '../shared/as-given.ts';
import { countries, languageOf } from './places.ts';
import { jinaPagePrice, jinaSearchPrice } from './prices.ts';
import type { ExtractInput, PageOutcome } from '../provider.ts';
import type { Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import { jinaPageTargets } from '../shared/refused-options.ts';

/** The limit of the search engines behind it, including operators. */
const maxQueryChars = 2048;
const maxSiteChars = 1024;

const knownCountry: Condition = {
  reads: 'the provider supports the country',
  holds: (_asks, value) => countries.has(String(value).toLowerCase()),
};
const knownLanguage: Condition = {
  reads: 'the provider supports the language',
  holds: (_asks, value) => languageOf(String(value)) !== undefined,
};

export const jina: Provider = {
  id: 'engine_i',
  credential: { env: ['JINA_API_KEY'] },
  hosts: {
    api: { env: 'JINA_SEARCH_BASE_URL', default: 'https://s.jina.ai' },
    reader: { env: 'JINA_READER_BASE_URL', default: 'https://r.jina.ai' },
  },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: readRefusal,
  search: {
    supports: {
      query: when(nothingIncluded, limited(maxQueryChars), limited(maxQueryChars - maxSiteChars)),
      max_results: capped(20),
      mode: ignoredBecause('this engine has one tier.'),
      // The provider appends these to the query as site: operators.
      include_domains: domains({
        www: false,
        maxLength: { chars: maxSiteChars, perEntry: ' OR site:'.length },
      }),
      exclude_domains: rewritten('not_site'),
      published_after: rewritten('after'),
      published_before: rewritten('before'),
      freshness: rewritten('since'),
      'locale.country': when(
        knownCountry,
        hint('used as a ranking hint, not as a filter.'),
        ignoredBecause('the provider does not support this country.'),
      ),
      'locale.language': when(
        knownLanguage,
        hint('used as a ranking hint, not as a filter.'),
        ignoredBecause('the provider does not support this language.'),
      ),
      category: choice({
        general: '',
        news: 'news',
        company: worded(categoryWords.company),
        people: worded(categoryWords.people),
        research: worded(categoryWords.research),
      }),
    },
    raw_at: [['data']],
    toRequests: (input) => [searchRequest(input)],
    fromReply: (body, { now }) =>
      SearchAnswer.parse(body).data.map((result, item) => {
        const snippet = plain(result.description);
        return {
          item,
          url: result.url,
          title: plain(result.title),
          snippets: snippet === undefined ? [] : [snippet],
          published_date: readDay(result.date, now),
        };
      }),
    price: jinaSearchPrice,
  },
  extract: {
    supports: {
      'content.full_text': native,
      'content.max_chars': trimmed,
      'content.format': ignoredBecause('the provider returns markdown.'),
    },
    batch: 1,
    toRequests: ({ urls }) => [
      { host: 'reader', method: 'POST', path: '/', body: { url: urls[0] } },
    ],
    raw_at: [['data']],
    // A page that answered with an error is reported as failed.
    warnings: { at: [['data', 'warning']], params: {}, except: /^Target URL returned error / },
    fromReplies: readPage,
    pageFault,
    refused_options: jinaPageTargets,
    price: jinaPagePrice,
  },
};

const SearchAnswer = asGiven(
  z.object({
    data: z.array(
      z.object({
        url: z.string(),
        title: z.string().nullish(),
        description: z.string().nullish(),
        date: z.string().nullish(),
      }),
    ),
  }),
);
const PageAnswer = z.object({
  data: z.object({
    url: z.string().nullish(),
    title: z.string().nullish(),
    content: z.string().nullish(),
    publishedTime: z.string().nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    warning: z.string().nullish(),
  }),
});
const Failure = z.object({
  status: z.number().nullish(),
  message: z.string().nullish(),
  readableMessage: z.string().nullish(),
  path: z.unknown().optional(),
  retryAfter: z.unknown().optional(),
});

function searchRequest({ ask }: SearchInput): WireRequest {
  const language = ask['locale.language'];
  return {
    method: 'POST',
    path: '/',
    body: {
      q: ask.query,
      num: ask.max_results,
      type: ask.category === 'news' ? 'news' : 'web',
      gl: ask['locale.country']?.toLowerCase(),
      hl: language === undefined ? undefined : languageOf(language),
      site: ask.include_domains,
      // Otherwise every page that is found is also read, slowly and at many times the price.
      respondWith: 'no-content',
    },
  };
}

function readPage(bodies: readonly unknown[], { urls, now }: ExtractInput): PageOutcome[] {
  const { data } = PageAnswer.parse(bodies[0]);
  const metadata = data.metadata ?? {};
  const [url = ''] = urls;
  const error = /^Target URL returned error .*$/m.exec(data.warning ?? '')?.[0];
  const content = filled(data.content);
  if (error !== undefined || content === undefined) {
    return [{ ok: false, url, error: error ?? 'the page has no content' }];
  }
  return [
    {
      ok: true,
      url,
      reply: 0,
      item: 0,
      final_url: filled(data.url),
      title: plain(data.title),
      content,
      published_date:
        readDay(metadata['article:published_time'], now) ?? readDay(data.publishedTime, now),
      author: authorOf(metadata['author']) ?? authorOf(metadata['article:author']),
    },
  ];
}

/** Some pages contain the address of a profile instead of a name. */
function authorOf(value: unknown): string | undefined {
  const author = filled(value);
  return author === undefined || /^https?:\/\//i.test(author) ? undefined : author;
}

function readRefusal(reply: Reply): Refusal | 'no_results' | undefined {
  if (reply.status < 300) return undefined;
  const { status, message, readableMessage, retryAfter } = failureOf(reply.body);
  if (reply.status === 422 && message?.startsWith('No search results available')) {
    return 'no_results';
  }
  const refusal = refusalOf(reply, filled(message) ?? filled(readableMessage));
  if (status === downstreamFailure) return { ...refusal, kind: 'unavailable' };
  const retryAfterMs = secondsToWait(retryAfter);
  return retryAfterMs === undefined ? refusal : { retry_after_ms: retryAfterMs, ...refusal };
}

/** The vendor's own code for a problem with a service behind it, sent with status 422. */
const downstreamFailure = 42205;

function pageFault({ status, body, message }: Refusal): string | undefined {
  const aboutUrl = status === 400 && failureOf(body).path === 'url';
  return aboutUrl || pageStatuses.has(status ?? 0) ? message : undefined;
}

/** Over its budget, too large, unreadable, or blocked for legal or safety reasons. */
const pageStatuses: ReadonlySet<number> = new Set([409, 413, 422, 451]);

function failureOf(body: unknown): Partial<z.infer<typeof Failure>> {
  return Failure.safeParse(body).data ?? {};
}
