// You.com: web and news search in two sections, and page contents as a plain list.
import { dayMs } from '../durations.ts';
import { fingerprintUuid, share } from '../fingerprint.ts';
import { readOperators } from '../operators.ts';
import type { Engine, Filters, Hit, Preferences } from '../ranking.ts';
import { toPlainText } from '../text.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { route } from '../vendor.ts';
import type { World } from '../world.ts';
import { ContentsBody, SearchBody, SearchQuery } from './you-wire.ts';
import type { Reason } from '../refusal-reason.ts';

export const you: Vendor = {
  mount: '/you',
  setting: 'YDC_BASE_URL',
  readKey: (headers) => headers.get('x-api-key') ?? undefined,
  refuse,
  routes: [
    route({
      method: 'POST',
      path: '/v1/search',
      body: SearchBody,
      answer: (asked, world) => search(asked.body, asked.id, world),
    }),
    route({
      method: 'GET',
      path: '/v1/search',
      query: SearchQuery,
      answer: (asked, world) => search(asked.query, asked.id, world),
    }),
    route({ method: 'POST', path: '/v1/contents', body: ContentsBody, answer: contents }),
  ],
};

const engine: Engine = {
  name: 'you',
  boost: { title: 3, topics: 1, body: 1.5 },
  fuzzy: 0,
  prefix: true,
  coverage: 0.85,
  least_match: 0.5,
  neural: false,
};

const defaultResults = 10;
const freshnessDays: Record<string, number> = { day: 1, week: 7, month: 30, year: 365 };
const newslike = /\b(news|latest|breaking|today|headlines?|this week)\b/i;
const pageLanguages: Record<string, string> = { NB: 'no' };
/** The share of pages whose URL this vendor returns with a trailing slash. */
const slashed = 0.15;

const answers: Record<Reason, { status: number; detail?: string }> = {
  bad_request: { status: 400 },
  missing_key: { status: 401, detail: 'API key is required' },
  wrong_key: { status: 401, detail: 'Invalid or expired API key' },
  out_of_credit: { status: 402, detail: 'Insufficient credits' },
  rate_limited: { status: 429, detail: 'Rate limit exceeded' },
  server_error: { status: 500 },
  unavailable: { status: 503 },
  not_found: { status: 404, detail: 'Not Found' },
};

/** Values outside an enumeration get a short error, other invalid fields a list. */
function refuse({ reason, message, issues }: Refusal): Reply {
  if (issues.some(({ code }) => code === 'invalid_value')) return refuseParameters();
  if (issues.length > 0) {
    const detail = issues.map(({ path, code, message: msg }) => ({ loc: path, msg, type: code }));
    return { status: 422, body: { detail } };
  }
  const { status, detail } = answers[reason];
  return { status, body: { detail: detail ?? message } };
}

function refuseParameters(): Reply {
  return { status: 422, body: { error: 'invalid request parameter(s)' } };
}

function search(body: SearchBody, id: string, world: World): Reply {
  const { include_domains: included, exclude_domains: excluded, boost_domains: boosted } = body;
  if (included && (excluded ?? boosted)) return refuseParameters();
  const limit = body.count ?? defaultResults;
  const question = {
    engine,
    query: readOperators(body.query).words,
    limit,
    offset: (body.offset ?? 0) * limit,
    filters: filtersOf(body, world.now()),
    prefer: preferencesOf(body),
  };
  const web = world.search(question).hits.map((hit) => describe(hit, body));
  const news = newslike.test(body.query)
    ? world
        .search({ ...question, filters: { ...question.filters, kinds: ['news'] } })
        .hits.map(opening)
    : [];
  return {
    body: {
      results: { web, news },
      metadata: {
        search_uuid: fingerprintUuid('you', id),
        query: body.query,
        latency: Math.round(200 + share('latency', id) * 500) / 1000,
      },
    },
  };
}

function filtersOf(body: SearchBody, now: Date): Filters {
  const { sites, excluded_sites } = readOperators(body.query);
  const include = [...(body.include_domains ?? []), ...sites];
  const exclude = [...(body.exclude_domains ?? []), ...excluded_sites];
  const filters: Filters = { undated: 'drop', exclude_sites: exclude };
  if (include.length > 0) filters.include_sites = include;
  if (body.safesearch === 'strict') filters.safe_only = true;
  const [first, last] = (body.freshness ?? '').split('to');
  const days = freshnessDays[body.freshness ?? ''];
  if (days !== undefined) filters.after = new Date(now.getTime() - days * dayMs);
  else if (first && last) {
    filters.after = new Date(`${first}T00:00:00Z`);
    filters.before = new Date(`${last}T23:59:59Z`);
  }
  return filters;
}

function preferencesOf({ language, country, boost_domains: sites }: SearchBody): Preferences {
  const spoken = language && (pageLanguages[language] ?? language.slice(0, 2).toLowerCase());
  return {
    ...(sites ? { sites } : {}),
    ...(spoken ? { language: spoken } : {}),
    ...(country ? { country } : {}),
  };
}

function describe(hit: Hit, { extraction, livecrawl }: SearchBody): object {
  const { page, passages } = hit;
  const whole = extraction?.extraction_mode === 'full_page' || livecrawl !== undefined;
  return {
    ...opening(hit),
    snippets: passages.map(({ text }) => toPlainText(text)),
    contents: whole ? { markdown: `# ${page.title}\n\n${page.body}`, html: null } : null,
    authors: page.author === undefined ? null : [page.author],
    favicon_url: `${new URL(page.url).origin}/favicon.ico`,
  };
}

/** Unknown values are null rather than absent: the vendor's own client requires every field. */
function opening({ page, passages }: Hit): object {
  return {
    url: share('slash', page.url) < slashed ? page.url.replace(/(?<!\/)$/, '/') : page.url,
    title: page.title,
    description: toPlainText(passages[0]?.text ?? ''),
    thumbnail_url: page.images[0] ?? null,
    page_age: page.published?.toISOString().slice(0, 19) ?? null,
  };
}

async function contents({ body }: Asked<ContentsBody, unknown>, world: World): Promise<Reply> {
  const formats: string[] = body.formats ?? [body.format ?? 'markdown'];
  const pages = await Promise.all(body.urls.map((url) => fetchPage(url, formats, world)));
  return { body: pages };
}

/** A page that cannot be read is an entry of nulls. */
async function fetchPage(url: string, formats: string[], world: World): Promise<object> {
  const reading = await world.read(url);
  if (reading.outcome !== 'page') {
    return { url, title: null, markdown: null, html: null, metadata: null };
  }
  const { title, body } = reading.page;
  const html = `<html><head><title>${title}</title></head><body>${toPlainText(body)}</body></html>`;
  const { hostname, origin } = new URL(reading.url);
  return {
    url,
    title,
    markdown: formats.includes('markdown') ? `# ${title}\n\n${body}` : null,
    html: formats.includes('html') ? html : null,
    metadata: formats.includes('metadata')
      ? { site_name: hostname, favicon_url: `${origin}/favicon.ico` }
      : null,
  };
}
