// Jina's search host: search engine results, filtered by operators in the query.
import { dayMs } from '../durations.ts';
import { z } from 'zod';
import { daysBetween } from '../ages.ts';
import type { Page } from '../corpus/page.ts';
import { share } from '../fingerprint.ts';
import type { ReadQuery } from '../operators.ts';
import { readOperators } from '../operators.ts';
import type { Engine, Filters, Hit, Preferences } from '../ranking.ts';
import { toPlainText } from '../text.ts';
import type { Asked, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import { countTokens, Country, fail, Language, markdownOf } from './jina-wire.ts';
import { readingOptions, refuse, succeed } from './jina-wire.ts';

const Amount = z.int().min(0).max(20);
const Source = z.enum(['google', 'bing', 'reader']);
const Words = z.union([z.string(), z.array(z.string())]);

const SearchBody = z.strictObject({
  ...readingOptions,
  q: z.string().min(1),
  num: Amount.optional(),
  count: Amount.optional(),
  type: z.enum(['web', 'images', 'news']).optional(),
  engine: Source.optional(),
  provider: Source.optional(),
  gl: Country.optional(),
  hl: Language.optional(),
  location: z.string().optional(),
  page: z.int().min(1).optional(),
  nfpr: z.boolean().optional(),
  fallback: z.boolean().optional(),
  site: Words.optional(),
  ext: Words.optional(),
  filetype: Words.optional(),
  intitle: Words.optional(),
  loc: Words.optional(),
});
type SearchBody = z.infer<typeof SearchBody>;

export const jinaSearch: Vendor = {
  mount: '/jina-search',
  setting: 'JINA_SEARCH_BASE_URL',
  readKey: readBearer,
  refuse,
  routes: [route({ method: 'POST', path: '/', body: SearchBody, answer: search })],
};

const engine: Engine = {
  name: 'jina',
  boost: { title: 4, topics: 1, body: 1 },
  fuzzy: 0,
  prefix: false,
  coverage: 0.85,
  least_match: 0.5,
  neural: false,
};

const defaultResults = 10;
const tokensPerTen = 10_000;
const maxTokens = 2_000_000;
function search({ body, headers }: Asked<SearchBody, unknown>, world: World): Reply {
  const num = body.num ?? body.count ?? defaultResults;
  const sites = [body.site ?? []].flat();
  const query = [body.q, sites.map((site) => `site:${site}`).join(' OR ')].join(' ').trim();
  const read = readOperators(query);
  const { hits } = world.search({
    engine,
    query: read.words,
    limit: num,
    offset: ((body.page ?? 1) - 1) * num,
    filters: filtersOf(read, body),
    prefer: preferencesOf(body),
    passages: 1,
  });
  if (hits.length === 0) {
    const message = `No search results available for query ${query}`;
    return fail(422, 42206, 'AssertionFailureError', message);
  }
  return answer(hits, body, headers, world.now());
}

function answer(hits: Hit[], body: SearchBody, headers: Headers, now: Date): Reply {
  const form = headers.get('x-respond-with') ?? body.respondWith ?? 'content';
  const listed = tokensPerTen * Math.ceil(hits.length / 10) * dearness(body);
  const items = hits.map((hit) => describe(hit, body, form.includes('no-content'), now));
  const read = items.reduce((sum, { content }) => sum + countTokens(content), 0);
  const tokens = Math.min(maxTokens, Math.max(listed, read));
  const each = Math.ceil(tokens / items.length);
  const text = items.map(({ title, url }, index) => {
    return `[${index + 1}] Title: ${title}\n[${index + 1}] URL Source: ${url}\n`;
  });
  const data = items.map((item) => ({ ...item, usage: { tokens: each } }));
  return succeed(headers, data, tokens, text.join('\n'));
}

function dearness({ type = 'web', engine: chosen, provider }: SearchBody): number {
  if (type !== 'web') return 5;
  return (chosen ?? provider) === 'bing' ? 3 : 1;
}

function filtersOf({ sites, excluded_sites, after, before }: ReadQuery, body: SearchBody): Filters {
  const filters: Filters = { undated: 'keep', exclude_sites: excluded_sites };
  if (sites.length > 0) filters.include_sites = sites;
  // Both operators exclude the given day.
  if (after !== undefined) filters.after = new Date(Date.parse(after) + dayMs);
  if (before !== undefined) filters.before = new Date(Date.parse(before) - 1);
  if (body.type === 'news') filters.kinds = ['news'];
  return filters;
}

function preferencesOf({ gl, hl }: SearchBody): Preferences {
  const prefer: Preferences = {};
  if (gl !== undefined) prefer.country = gl;
  if (hl !== undefined) prefer.language = hl.slice(0, 2);
  return prefer;
}

function describe({ page, passages }: Hit, body: SearchBody, bare: boolean, now: Date) {
  const image = page.images[0];
  return {
    title: page.title,
    url: page.url,
    description: toPlainText(passages[0]?.text ?? '').slice(0, 160),
    ...dateOf(page, body.type === 'news', now),
    ...(body.type === 'news' ? { source: new URL(page.url).hostname } : {}),
    ...(body.type === 'web' || image === undefined ? {} : { imageUrl: image }),
    content: bare ? '' : markdownOf(page),
  };
}

/** Web results often have no date; recent pages have an age instead. */
function dateOf(page: Page, always: boolean, now: Date): { date?: string } {
  const { published } = page;
  if (published === undefined || (!always && share('date', page.url) > 0.6)) return {};
  const days = daysBetween(published, now);
  if (days >= 0 && days < 7) return { date: days === 1 ? '1 day ago' : `${days} days ago` };
  const written = { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' } as const;
  return { date: published.toLocaleDateString('en-US', written) };
}
