// Brave: keyword search over web and news by query string, with display texts escaped for HTML.
import { dayMs } from '../durations.ts';
import { tellAge } from '../ages.ts';
import { fingerprintUuid } from '../fingerprint.ts';
import type { ReadQuery } from '../operators.ts';
import { readOperators } from '../operators.ts';
import type { Engine, Filters, Found, Hit, Preferences } from '../ranking.ts';
import { foldTerm, termsOf } from '../terms.ts';
import { cutAt, toPlainText } from '../text.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { route } from '../vendor.ts';
import type { World } from '../world.ts';
import { NewsQuery, WebQuery } from './brave-wire.ts';
import type { Reason } from '../refusal-reason.ts';

export const brave: Vendor = {
  mount: '/brave',
  setting: 'BRAVE_BASE_URL',
  readKey: (headers) => headers.get('x-subscription-token') ?? undefined,
  refuse,
  routes: [
    route({ method: 'GET', path: '/web/search', query: WebQuery, answer: searchWeb }),
    route({ method: 'GET', path: '/news/search', query: NewsQuery, answer: searchNews }),
  ],
};

const engine: Engine = {
  name: 'brave',
  boost: { title: 4, topics: 0.5, body: 1 },
  fuzzy: 0,
  prefix: false,
  coverage: 0.9,
  least_match: 0.5,
  neural: false,
};

const defaultResults = 20;
const maxExtraSnippets = 5;
const descriptionCharacters = 240;
const freshnessDays: Record<string, number> = { pd: 1, pw: 7, pm: 31, py: 365 };
const pageLanguages: Record<string, string> = { jp: 'ja', nb: 'no' };

const rateHeaders = {
  'x-ratelimit-limit': '50, 0',
  'x-ratelimit-policy': '50;w=1, 0;w=2592000',
  'x-ratelimit-remaining': '49, 0',
  'x-ratelimit-reset': '1, 2528987',
};

/** A bad key is reported as an invalid request, and an exhausted account as a rate limit. */
const answers: Record<Reason, { status: number; code: string; component?: string }> = {
  bad_request: { status: 422, code: 'VALIDATION' },
  missing_key: { status: 422, code: 'VALIDATION' },
  wrong_key: { status: 422, code: 'SUBSCRIPTION_TOKEN_INVALID', component: 'authentication' },
  out_of_credit: { status: 429, code: 'QUOTA_LIMITED', component: 'rate_limiter' },
  rate_limited: { status: 429, code: 'RATE_LIMITED', component: 'rate_limiter' },
  server_error: { status: 500, code: 'INTERNAL' },
  unavailable: { status: 503, code: 'UNAVAILABLE' },
  not_found: { status: 404, code: 'NOT_FOUND' },
};

const missingToken = {
  type: 'missing',
  loc: ['header', 'x-subscription-token'],
  msg: 'Field required',
  input: null,
};

function refuse({ reason, message, issues, id, now }: Refusal): Reply {
  const { status, code, component } = answers[reason];
  const faults = issues.map(({ path, code: type, message: msg }) => ({ type, loc: path, msg }));
  const errors = reason === 'missing_key' ? [missingToken] : faults;
  const error = {
    id: fingerprintUuid('brave', id),
    status,
    code,
    detail: errors.length > 0 ? 'Unable to validate request parameter(s)' : message,
    meta: component === undefined ? { errors } : { component },
  };
  const time = Math.floor(now.getTime() / 1000);
  return { status, headers: rateHeaders, body: { type: 'ErrorResponse', error, time } };
}

function searchWeb({ query }: Asked<unknown, WebQuery>, world: World): Reply {
  const { found, read } = find(query, {}, world);
  const sections = query.result_filter?.split(',') ?? ['web'];
  const shown = sections.includes('web') ? found.hits : [];
  const decorated = query.text_decorations ?? true;
  const results = shown.map((hit) => describeWeb(hit, query, decorated, world.now()));
  const main = results.map((_, index) => ({ type: 'web', index, all: false }));
  return {
    headers: rateHeaders,
    body: {
      type: 'search',
      query: { ...describeQuery(query, read, found), show_strict_warning: false },
      mixed: { type: 'mixed', main, top: [], side: [] },
      // A search that finds nothing has no section at all.
      ...(results.length > 0 ? { web: { type: 'search', family_friendly: true, results } } : {}),
    },
  };
}

function searchNews({ query }: Asked<unknown, NewsQuery>, world: World): Reply {
  const { found, read } = find(query, { kinds: ['news'] }, world);
  const results = found.hits.map((hit) => ({
    ...describe(hit, query, false, world.now()),
    type: 'news_result',
    breaking: false,
  }));
  return {
    headers: rateHeaders,
    body: { type: 'news', query: describeQuery(query, read, found), results },
  };
}

type SharedQuery = Omit<NewsQuery, 'count'> & { count?: number | undefined };

function find(query: SharedQuery, more: Filters, world: World): { found: Found; read: ReadQuery } {
  const plain = { words: query.q, sites: [], excluded_sites: [], phrases: [] };
  const read = query.operators === false ? plain : readOperators(query.q);
  const limit = query.count ?? defaultResults;
  const found = world.search({
    engine,
    query: read.words,
    limit,
    offset: limit * (query.offset ?? 0),
    filters: { ...filtersOf(query, read, world.now()), ...more },
    prefer: preferencesOf(query),
    passages: maxExtraSnippets + 1,
  });
  return { found, read };
}

function filtersOf(query: SharedQuery, read: ReadQuery, now: Date): Filters {
  const filters: Filters = { exclude_sites: read.excluded_sites, undated: 'drop' };
  if (read.sites.length > 0) filters.include_sites = read.sites;
  if (query.search_lang !== undefined) filters.language = languageOf(query.search_lang);
  if (query.safesearch === 'strict') filters.safe_only = true;
  const days = freshnessDays[query.freshness ?? ''];
  const [first, last] = query.freshness?.split('to') ?? [];
  if (days !== undefined) filters.after = new Date(now.getTime() - days * dayMs);
  else if (first !== undefined && last !== undefined) {
    filters.after = new Date(`${first}T00:00:00Z`);
    filters.before = new Date(`${last}T23:59:59Z`);
  }
  return filters;
}

function preferencesOf({ country = 'US' }: SharedQuery): Preferences {
  return country === 'ALL' ? {} : { country };
}

function languageOf(searchLang: string): string {
  return pageLanguages[searchLang] ?? searchLang.slice(0, 2);
}

function describeQuery(query: SharedQuery, read: ReadQuery, { hits, total }: Found): object {
  const seen = (query.offset ?? 0) * (query.count ?? defaultResults) + hits.length;
  const sites = [...read.sites, ...read.excluded_sites];
  const searchOperators = { applied: true, cleaned_query: read.words, sites: read.sites };
  return {
    original: query.q,
    more_results_available: total > seen,
    ...(sites.length > 0 ? { search_operators: searchOperators } : {}),
  };
}

function describeWeb(hit: Hit, query: WebQuery, decorated: boolean, now: Date): object {
  const { page } = hit;
  const { hostname, origin } = new URL(page.url);
  const written = { author: [{ type: 'person', name: page.author }] };
  return {
    ...describe(hit, query, decorated, now),
    type: 'search_result',
    subtype: page.kind === 'article' ? 'article' : 'generic',
    language: page.language,
    family_friendly: !page.unsafe,
    profile: { name: hostname, long_name: hostname, url: origin, img: `${origin}/logo.png` },
    ...(page.kind === 'article' && page.author !== undefined ? { article: written } : {}),
  };
}

function describe(hit: Hit, query: SharedQuery, decorated: boolean, now: Date): object {
  const { page, passages } = hit;
  const { hostname, pathname, origin } = new URL(page.url);
  const show = (text: string): string => (decorated ? decorate(text, query.q) : escapeHtml(text));
  const [first, ...others] = passages.map(({ text }) =>
    show(cutAt(toPlainText(text), descriptionCharacters)),
  );
  return {
    title: escapeHtml(page.title),
    url: page.url,
    ...(first === undefined ? {} : { description: first }),
    ...(page.published === undefined ? {} : datesOf(page.published, now)),
    meta_url: {
      scheme: 'https',
      netloc: hostname,
      hostname,
      favicon: `${origin}/favicon.ico`,
      path: pathname.replaceAll('/', ' › ').trimStart(),
    },
    ...(query.extra_snippets === true ? { extra_snippets: others } : {}),
  };
}

function datesOf(published: Date, now: Date): object {
  return {
    age: tellAge(published, now, 'long'),
    page_age: published.toISOString().slice(0, 19),
  };
}

function decorate(text: string, query: string): string {
  const wanted = new Set(termsOf(query));
  return text.replace(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu, (piece) => {
    const term = foldTerm(piece);
    const escaped = escapeHtml(piece);
    return term !== null && wanted.has(term) ? `<strong>${escaped}</strong>` : escaped;
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
