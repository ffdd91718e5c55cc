// engine_d: Brave, keyword search over its own index of the web and of news. It does not extract
// pages.
import { z } from 'zod';
import { asGiven, maybe } from '../shared/schemas.ts';
import { closedRange, readDay, type SearchAsk, type Condition } from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import { searchPrice } from '../shared/price-rule.ts';
import type { Hit, Provider, SearchInput } from '../provider.ts';
import * as row from '../shared/rows.ts';
import type { Query, WireRequest } from '../shared/wire-request.ts';

const pageSize = 20;
const lastPage = 9;
/** The provider shows no result beyond this one. */
const depth = pageSize * (lastPage + 1);

const withinDepth: Condition = {
  reads: `the requested results are among the first ${depth}`,
  holds: (asks, value) => Number(value) + Math.min(Number(asks['max_results']), pageSize) <= depth,
};

const supports = {
  query: row.at('q', row.limited(400, 50)),
  max_results: row.at('count', row.capped(pageSize), ({ ask }: SearchInput) => windowOf(ask).count),
  offset: row.at(
    'offset',
    row.when(
      withinDepth,
      row.native,
      row.hint(`the provider shows no results beyond the first ${depth}.`),
    ),
    'elsewhere',
  ),
  'locale.country': row.at(
    'country',
    row.ifKnown('country', row.inCommonCountries, row.native),
    'upper',
  ),
  'locale.language': row.at(
    'search_lang',
    row.ifKnown('language', (code) => searchLanguage(code) !== undefined, row.native),
    ({ ask }: SearchInput) =>
      searchLanguage(String(ask['locale.language']), ask['locale.country']?.toUpperCase()),
  ),
  safe_search: row.at('safesearch', row.native),
  published_after: row.at('freshness', row.native, range),
  published_before: row.at('freshness', row.native, range),
  freshness: row.at('freshness', row.choice({ day: 'pd', week: 'pw', month: 'pm', year: 'py' })),
  include_domains: row.rewritten('flat_site'),
  exclude_domains: row.rewritten('not_site'),
  category: row.categories({ news: 'news' }),
} satisfies row.Rows;
// The two indexes have different defaults for safe_search.
const defaults = { safesearch: 'moderate', extra_snippets: undefined };
const newsFields = row.fieldsFrom(supports, defaults);
const webFields = row.fieldsFrom(supports, {
  ...defaults,
  text_decorations: false,
  result_filter: 'web',
});

export const brave: Provider = {
  id: 'engine_d',
  credential: { env: ['BRAVE_SEARCH_API_KEY', 'BRAVE_API_KEY'] },
  hosts: { api: { env: 'BRAVE_BASE_URL', default: 'https://api.search.brave.com/res/v1' } },
  auth: (key) => ({ 'x-subscription-token': key }),
  read: (reply) => (reply.status < 300 ? undefined : readRefusal(reply)),
  search: {
    supports,
    raw_at: [['web', 'results'], ['results']],
    toRequests: (input) => windowOf(input.ask).pages.map((page) => searchRequest(input, page)),
    skip: (ask) => windowOf(ask).skip,
    fromReply: (body, { now }) => {
      const { web, results } = SearchAnswer.parse(body);
      return [...(web?.results ?? []), ...(results ?? [])].map((found, item) =>
        hitOf(found, item, now),
      );
    },
    // The price does not depend on the number of results or on options.
    price: searchPrice({
      rates: { request: 5000 },
      reads: [],
      each: ({ rates }) => rates.request,
    }),
  },
};

const Result = z.object({
  url: z.string(),
  title: maybe.text,
  description: maybe.text,
  extra_snippets: maybe.texts,
  page_age: maybe.text,
  age: maybe.text,
  article: maybe.object({ author: maybe.list({ name: maybe.text }) }),
});
/** An answer without results has no `web` section, so `type` identifies it as an answer. */
const SearchAnswer = asGiven(
  z.object({
    type: z.string(),
    web: maybe.object({ results: z.array(Result).nullish() }),
    results: z.array(Result).nullish(),
  }),
);
const Fault = z.object({
  code: maybe.text,
  detail: maybe.text,
  meta: maybe.object({
    errors: maybe.list({ loc: z.array(z.unknown()).nullish(), msg: maybe.text }),
  }),
});
const Failure = z.object({ error: Fault.nullish(), errors: z.array(Fault).nullish() });

/**
 * The provider counts whole pages. One page that contains everything requested is chosen, or else
 * two.
 */
function windowOf({ offset = 0, max_results: wanted }: SearchAsk) {
  const end = offset + wanted;
  for (let count = wanted; count <= pageSize; count += 1) {
    const page = Math.floor(offset / count);
    const holdsAll = page <= lastPage && end <= (page + 1) * count;
    if (holdsAll) return { count, pages: [page], skip: offset - page * count };
  }
  const first = Math.floor(offset / pageSize);
  const pages = [first, first + 1].filter((page) => page <= lastPage);
  return { count: pageSize, pages, skip: offset % pageSize };
}

function searchRequest(input: SearchInput, page: number): WireRequest {
  const { ask } = input;
  const news = ask.category === 'news';
  const query = (news ? newsFields : webFields)(input) as Query;
  if (page > 0) query['offset'] = page;
  if (ask['content.snippets.max_per_result'] !== 1) query['extra_snippets'] = true;
  return { method: 'GET', path: news ? '/news/search' : '/web/search', query };
}

function range({ ask: { published_after, published_before }, now }: SearchInput): string {
  const { from, to } = closedRange(published_after ?? firstDay, published_before, now);
  return `${from}to${to}`;
}

/** Before any page was published. */
const firstDay = '1970-01-01';

function hitOf(found: z.infer<typeof Result>, item: number, now: Date): Hit {
  const texts = [found.description, ...(found.extra_snippets ?? [])];
  return {
    item,
    url: found.url,
    title: plain(found.title),
    snippets: plainTexts(texts),
    published_date: readDay(found.page_age, now) ?? readDay(found.age, now),
    author: filled(found.article?.author?.[0]?.name),
  };
}

/** Brave answers a bad key with 422, and an exhausted account with 429. */
function readRefusal(reply: Reply): Refusal {
  const { error, errors } = Failure.safeParse(reply.body).data ?? {};
  const fault = error ?? errors?.[0];
  const faults = fault?.meta?.errors ?? [];
  const details = faults.map(({ loc, msg }) => `${(loc ?? []).join('.')}: ${msg ?? 'not valid'}`);
  const message = [fault?.detail ?? fault?.code ?? undefined, ...details].filter(Boolean);
  const noToken = faults.some(({ loc }) => /token/i.test(String(loc?.at(-1))));
  const isBadKey = noToken || badKeyCodes.has(fault?.code ?? '');
  const isUsedUp = fault?.code === 'QUOTA_LIMITED';
  const kind = isBadKey ? 'unauthorized' : isUsedUp ? 'out_of_credit' : undefined;
  const refusal = refusalOf(reply, message.length === 0 ? undefined : message.join('; '), { kind });
  const resetSeconds = Number.parseFloat(reply.headers.get('x-ratelimit-reset') ?? '');
  return refusal.kind === 'rate_limited' && resetSeconds >= 0
    ? { retry_after_ms: resetSeconds * 1000, ...refusal }
    : refusal;
}

const badKeyCodes: ReadonlySet<string> = new Set([
  'SUBSCRIPTION_TOKEN_INVALID',
  'SUBSCRIPTION_NOT_FOUND',
]);

/**
 * The provider has its own codes for some languages, and two codes for languages with two scripts.
 */
export function searchLanguage(language: string, country?: string): string | undefined {
  const code = language.toLowerCase();
  const traditional = country === 'TW' || country === 'HK';
  const own: Readonly<Record<string, string>> = {
    ja: 'jp',
    zh: traditional ? 'zh-hant' : 'zh-hans',
    pt: country === 'BR' ? 'pt-br' : 'pt-pt',
    no: 'nb',
    nn: 'nb',
  };
  return own[code] ?? (languages.has(code) ? code : undefined);
}

const languages: ReadonlySet<string> = new Set(
  (
    'ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl ' +
    'pa pl ro ru sk sl sr sv ta te th tr uk vi'
  ).split(' '),
);
