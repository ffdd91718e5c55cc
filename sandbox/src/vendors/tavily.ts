// Tavily: keyword search with scored passages; by default a domain list is only a preference.
import { dayMs } from '../durations.ts';
import { fingerprintUuid, share } from '../fingerprint.ts';
import type { Engine, Filters, Hit, Preferences } from '../ranking.ts';
import { cutAt } from '../text.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import { countries } from './tavily-countries.ts';
import { extract, mark, maxChunkLength, writeOut } from './tavily-extract.ts';
import { ExtractBody, SearchBody } from './tavily-wire.ts';
import { usualStatuses } from '../refusal-reason.ts';

export const tavily: Vendor = {
  mount: '/tavily',
  setting: 'TAVILY_BASE_URL',
  readKey: readBearer,
  refuse,
  routes: [
    route({ method: 'POST', path: '/search', body: SearchBody, answer: search }),
    route({ method: 'POST', path: '/extract', body: ExtractBody, answer: extract }),
  ],
};

const engine: Engine = {
  name: 'tavily',
  boost: { title: 3, topics: 1, body: 1 },
  fuzzy: 0,
  prefix: true,
  coverage: 0.75,
  least_match: 0.4,
  neural: false,
};

const maxQueryLength = 400;
const maxIncluded = 300;
const maxExcluded = 150;
const defaultResults = 5;
const defaultChunks = 3;
const shortPassage = 160;
const rangeDays = { day: 1, week: 7, month: 30, year: 365, d: 1, w: 7, m: 30, y: 365 };
const languages: Record<string, string> = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  portuguese: 'pt',
  japanese: 'ja',
};

/** An exhausted plan has its own status. */
const status = { ...usualStatuses, out_of_credit: 432 };

function refuse({ reason, message, issues }: Refusal): Reply {
  if (issues.length === 0) return refused(message, status[reason]);
  const detail = issues.map(({ path, code, message: msg }) => ({ type: code, loc: path, msg }));
  return { status: 422, body: { detail } };
}

function refused(error: string, status = 400): Reply {
  return { status, body: { detail: { error } } };
}

function search({ body, id }: Asked<SearchBody, unknown>, world: World): Reply {
  const refusal = findRefusal(body);
  if (refusal !== undefined) return refused(refusal);
  const fastest = body.search_depth === 'ultra-fast';
  const { hits } = world.search({
    engine,
    query: body.query,
    limit: body.max_results ?? defaultResults,
    passages: fastest ? 1 : (body.chunks_per_source ?? defaultChunks),
    filters: filtersOf(body, world.now()),
    prefer: preferencesOf(body),
  });
  return {
    body: {
      query: body.query,
      follow_up_questions: null,
      answer: body.include_answer ? (hits[0]?.passages[0]?.text ?? null) : null,
      images: [],
      results: hits.map((hit) => describe(hit, body)),
      response_time: Math.round(share('time', id) * 200) / 100,
      ...(body.include_usage ? { usage: { credits: creditsOf(body) } } : {}),
      request_id: fingerprintUuid('tavily', id),
    },
  };
}

function findRefusal(body: SearchBody): string | undefined {
  const dated = Boolean(body.start_date) || Boolean(body.end_date);
  const rules: [boolean, string][] = [
    [body.query.length > maxQueryLength, `Query is too long. Max is ${maxQueryLength}.`],
    [
      (body.include_domains?.length ?? 0) > maxIncluded,
      `Max ${maxIncluded} domains can be included.`,
    ],
    [
      (body.exclude_domains?.length ?? 0) > maxExcluded,
      `Max ${maxExcluded} domains can be excluded.`,
    ],
    [
      Boolean(body.include_domains_mode) && !body.include_domains?.length,
      'include_domains_mode needs include_domains.',
    ],
    [Boolean(body.time_range) && dated, 'time_range cannot be combined with start_date, end_date.'],
    [
      Boolean(body.country) && (body.topic ?? 'general') !== 'general',
      'country is only available for topic general.',
    ],
    [Boolean(body.filter_by_language) && !body.language, 'filter_by_language needs language.'],
    [Boolean(body.safe_search), 'safe_search is available on enterprise plans only.'],
  ];
  return rules.find(([broken]) => broken)?.[1];
}

function filtersOf(body: SearchBody, now: Date): Filters {
  const filters: Filters = { undated: body.filter_by_published_date ? 'drop' : 'keep' };
  const language = languageOf(body.language);
  if (body.include_domains_mode === 'restrict') filters.include_sites = body.include_domains ?? [];
  if (body.exclude_domains) filters.exclude_sites = body.exclude_domains;
  if (body.topic === 'news') filters.kinds = ['news'];
  if (body.start_date) filters.after = new Date(`${body.start_date}T00:00:00Z`);
  if (body.end_date) filters.before = new Date(`${body.end_date}T23:59:59.999Z`);
  const days = body.time_range ? rangeDays[body.time_range] : body.days;
  if (days) filters.after = new Date(now.getTime() - days * dayMs);
  if (body.filter_by_language && language) filters.language = language;
  return filters;
}

/** A list of domains without a mode only boosts them. */
function preferencesOf(body: SearchBody): Preferences {
  const language = languageOf(body.language);
  const country = body.country ? countries[body.country] : undefined;
  return {
    ...(body.include_domains ? { sites: body.include_domains } : {}),
    ...(language ? { language } : {}),
    ...(country ? { country } : {}),
  };
}

function languageOf(named: string | null | undefined): string | undefined {
  const name = named?.toLowerCase();
  return name === undefined ? undefined : (languages[name] ?? name);
}

function describe({ page, score, passages }: Hit, body: SearchBody): object {
  const longest = body.search_depth === 'ultra-fast' ? shortPassage : maxChunkLength;
  const raw = body.include_raw_content;
  return {
    url: page.url,
    title: page.title,
    content: passages.map(({ text }) => cutAt(text, longest)).join(mark),
    score,
    raw_content: raw ? writeOut(page, raw === 'text' ? 'text' : 'markdown') : null,
    ...dateOf(page.published, body),
    ...(body.include_favicon ? { favicon: `${new URL(page.url).origin}/favicon.ico` } : {}),
  };
}

/** News always have an RFC 2822 date; other pages have a plain date on request. */
function dateOf(published: Date | undefined, body: SearchBody): object {
  if (body.topic === 'news') return { published_date: published?.toUTCString() ?? null };
  if (!body.include_published_date) return {};
  return { published_date: published?.toISOString() ?? null };
}

function creditsOf({ search_depth }: SearchBody): number {
  return search_depth === 'advanced' ? 2 : 1;
}
