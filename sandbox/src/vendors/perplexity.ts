// Perplexity: ranked pages with one long passage each; search only.
import { dayMs, hourMs } from '../durations.ts';
import { z } from 'zod';
import type { Kind } from '../corpus/page.ts';
import { fingerprintUuid } from '../fingerprint.ts';
import type { Engine, Filters, Hit } from '../ranking.ts';
import { cutAt } from '../text.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import type { Reason } from '../refusal-reason.ts';

const maxSites = 20;
const maxLanguages = 10;
const maxTokens = 1_000_000;

const Day = z
  .string()
  .regex(/^\d{2}\/\d{2}\/\d{4}$/, 'Dates must be written MM/DD/YYYY')
  .nullish();

const SearchBody = z.strictObject({
  query: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(5)]),
  max_results: z.int().min(1).optional(),
  max_tokens: z.int().min(1).max(maxTokens).optional(),
  max_tokens_per_page: z.int().min(1).max(maxTokens).optional(),
  search_context_size: z.enum(['low', 'medium', 'high']).optional(),
  search_domain_filter: z.array(z.string().min(1)).max(maxSites).nullish(),
  search_language_filter: z
    .array(z.string().regex(/^[a-z]{2}$/))
    .max(maxLanguages)
    .nullish(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullish(),
  search_recency_filter: z.enum(['hour', 'day', 'week', 'month', 'year']).nullish(),
  search_after_date_filter: Day,
  search_before_date_filter: Day,
  last_updated_after_filter: Day,
  last_updated_before_filter: Day,
  search_mode: z.enum(['web', 'academic', 'sec']).nullish(),
  search_type: z.enum(['web', 'fast', 'people']).nullish(),
  display_server_time: z.boolean().optional(),
});
type SearchBody = z.infer<typeof SearchBody>;

export const perplexity: Vendor = {
  mount: '/perplexity',
  setting: 'PERPLEXITY_BASE_URL',
  readKey: readBearer,
  refuse,
  routes: [route({ method: 'POST', path: '/search', body: SearchBody, answer: search })],
};

const engine: Engine = {
  name: 'perplexity',
  boost: { title: 1.5, topics: 1, body: 2.5 },
  fuzzy: 0.15,
  prefix: false,
  coverage: 0.8,
  least_match: 0.4,
  neural: true,
};

const defaultResults = 10;
const maxResults = 20;
const maxPeople = 100;
const passages = 5;
const tokensPerPage = { low: 256, medium: 1024, high: 4096 };
const charsPerToken = 4;
const recencyHours = { hour: 1, day: 24, week: 168, month: 720, year: 8760 };

/** An exhausted account is refused like a wrong key. */
const answers: Record<Reason, { status: number; type: string }> = {
  bad_request: { status: 400, type: 'invalid_request' },
  missing_key: { status: 401, type: 'unauthorized' },
  wrong_key: { status: 401, type: 'unauthorized' },
  out_of_credit: { status: 401, type: 'insufficient_quota' },
  rate_limited: { status: 429, type: 'rate_limit_exceeded' },
  server_error: { status: 500, type: 'internal_server_error' },
  unavailable: { status: 503, type: 'service_unavailable' },
  not_found: { status: 404, type: 'not_found' },
};

function refuse({ reason, message, issues }: Refusal): Reply {
  if (issues.length > 0) {
    const detail = issues.map(({ path, code, message: msg }) => ({ loc: path, msg, type: code }));
    return { status: 422, body: { detail } };
  }
  const { status, type } = answers[reason];
  return { status, body: { error: { message, type, code: status } } };
}

function refused(message: string): Reply {
  return { status: 400, body: { error: { message, type: 'invalid_request', code: 400 } } };
}

function search({ body, id }: Asked<SearchBody, unknown>, world: World): Reply {
  const refusal = findRefusal(body);
  if (refusal !== undefined) return refused(refusal);
  const { country } = body;
  const { hits } = world.search({
    engine,
    query: [body.query].flat().join(' '),
    limit: body.max_results ?? defaultResults,
    passages: passages,
    filters: filtersOf(body, world.now()),
    ...(country ? { prefer: { country } } : {}),
  });
  const results = hits.map((hit) => describe(hit, body));
  const serverTime = world.now().toISOString();
  return {
    body: {
      id: fingerprintUuid('perplexity', id),
      results,
      ...(body.display_server_time === true ? { server_time: serverTime } : {}),
    },
  };
}

function findRefusal(body: SearchBody): string | undefined {
  const most = body.search_type === 'people' ? maxPeople : maxResults;
  if ((body.max_results ?? 1) > most) return `max_results must be at most ${most}`;
  const sites = body.search_domain_filter ?? [];
  const denied = sites.filter((site) => site.startsWith('-')).length;
  if (denied > 0 && denied < sites.length) {
    return 'search_domain_filter cannot mix allowed and denied domains';
  }
  if (sites.some((site) => site.includes('/'))) {
    return 'search_domain_filter takes domains without a scheme or a path';
  }
  const dated = body.search_after_date_filter ?? body.search_before_date_filter;
  if (body.search_recency_filter && dated) {
    return 'search_recency_filter cannot be combined with date filters';
  }
  return undefined;
}

function filtersOf(body: SearchBody, now: Date): Filters {
  const filters: Filters = { undated: 'drop' };
  const sites = body.search_domain_filter ?? [];
  if (sites[0]?.startsWith('-') === true)
    filters.exclude_sites = sites.map((site) => site.slice(1));
  else if (sites.length > 0) filters.include_sites = sites;
  const [language] = body.search_language_filter ?? [];
  if (language !== undefined) filters.language = language;
  if (body.search_recency_filter) {
    const hours = recencyHours[body.search_recency_filter];
    filters.after = new Date(now.getTime() - hours * hourMs);
  }
  if (body.search_after_date_filter) filters.after = readDay(body.search_after_date_filter);
  if (body.search_before_date_filter) {
    filters.before = new Date(readDay(body.search_before_date_filter).getTime() + dayMs - 1);
  }
  const kinds = kindsOf(body);
  if (kinds !== undefined) filters.kinds = kinds;
  return filters;
}

function kindsOf({ search_mode, search_type }: SearchBody): Kind[] | undefined {
  if (search_type === 'people') return ['person'];
  if (search_mode === 'academic') return ['paper'];
  return search_mode === 'sec' ? ['company'] : undefined;
}

function readDay(text: string): Date {
  const [month, day, year] = text.split('/');
  return new Date(`${year}-${month}-${day}T00:00:00Z`);
}

function describe({ page, passages }: Hit, body: SearchBody): object {
  const tokens = body.max_tokens_per_page ?? tokensPerPage[body.search_context_size ?? 'high'];
  const date = page.published?.toISOString().slice(0, 10) ?? null;
  const text = [`# ${page.title}`, ...passages.map((passage) => passage.text)].join('\n\n');
  return {
    title: page.title,
    url: page.url,
    snippet: cutAt(text, tokens * charsPerToken),
    date,
    last_updated: date,
  };
}
