// Serper: Google's result pages as JSON, ten at a time, each with its credits.
import { z } from 'zod';
import { tellAge, tellAgo } from '../ages.ts';
import type { Kind } from '../corpus/page.ts';
import { share } from '../fingerprint.ts';
import type { ReadQuery } from '../operators.ts';
import { readOperators } from '../operators.ts';
import type { Engine, Filters, Hit } from '../ranking.ts';
import { cutAt, toPlainText } from '../text.ts';
import { readTimeFilter, timeFilter } from '../time-filter.ts';
import type { Asked, Route, Vendor } from '../vendor.ts';
import { route } from '../vendor.ts';
import type { World } from '../world.ts';
import { readSerperKey, refuseAsSerper } from './serper-refusals.ts';

/** The length that Google accepts for a query. */
const maxQuery = 2048;

const SearchBody = z.strictObject({
  q: z.string().min(1, 'Missing query parameter').max(maxQuery, 'Query too long'),
  gl: z
    .string()
    .regex(/^[a-z]{2}$/)
    .nullish(),
  hl: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]{2})?$/)
    .nullish(),
  location: z.string().min(1).nullish(),
  num: z.int().min(1).max(100).nullish(),
  page: z.int().min(1).nullish(),
  autocorrect: z.boolean().nullish(),
  tbs: z.string().regex(timeFilter).nullish(),
  safe: z.enum(['off', 'active', 'moderate']).nullish(),
  type: z.enum(['search', 'news', 'scholar']).nullish(),
});
type SearchBody = z.infer<typeof SearchBody>;

export const serper: Vendor = {
  mount: '/serper',
  setting: 'SERPER_BASE_URL',
  readKey: readSerperKey,
  refuse: refuseAsSerper,
  routes: [
    page('/search', 'organic'),
    page('/news', 'news', ['news']),
    page('/scholar', 'organic', ['paper']),
  ],
};

const engine: Engine = {
  name: 'serper',
  boost: { title: 2.5, topics: 1, body: 1 },
  fuzzy: 0.1,
  prefix: true,
  coverage: 0.95,
  least_match: 0.5,
  neural: false,
};

const pageSize = 10;
const snippetCharacters = 160;
/** The share of pages for which Google shows no snippet. */
const withoutSnippet = 0.05;

function page(path: string, list: 'organic' | 'news', kinds?: Kind[]): Route {
  const answer = ({ body }: Asked<SearchBody, unknown>, world: World) => {
    const hits = find(body, kinds, world);
    const searchParameters = {
      q: body.q,
      gl: body.gl ?? 'us',
      hl: body.hl ?? 'en',
      ...(body.location ? { location: body.location } : {}),
      ...(body.tbs ? { tbs: body.tbs } : {}),
      type: path.slice(1),
      num: body.num ?? pageSize,
      page: body.page ?? 1,
      autocorrect: body.autocorrect ?? true,
      engine: path === '/scholar' ? 'google-scholar' : 'google',
    };
    const describe = describers[path] ?? describeOrganic;
    const results = hits.map((hit, index) => describe(hit, index + 1, world.now()));
    // Without results the list is missing, not empty.
    const found = results.length > 0 ? { [list]: results } : {};
    return { body: { searchParameters, ...found, credits: (body.num ?? 0) > pageSize ? 2 : 1 } };
  };
  return route({ method: 'POST', path, body: SearchBody, answer });
}

/** Google returns at most ten results per page, whatever number is requested. */
function find(body: SearchBody, kinds: Kind[] | undefined, world: World): Hit[] {
  const read = readOperators(body.q);
  const { hits } = world.search({
    engine,
    query: read.words,
    limit: Math.min(body.num ?? pageSize, pageSize),
    offset: ((body.page ?? 1) - 1) * pageSize,
    passages: 1,
    filters: {
      ...filtersOf(body, read, world.now(), kinds?.includes('paper') === true),
      ...(kinds ? { kinds } : {}),
    },
    ...(body.gl ? { prefer: { country: body.gl } } : {}),
  });
  return hits;
}

function filtersOf(body: SearchBody, read: ReadQuery, now: Date, timeless: boolean): Filters {
  const filters: Filters = body.tbs && !timeless ? readTimeFilter(body.tbs, now) : {};
  filters.exclude_sites = read.excluded_sites;
  if (read.sites.length > 0) filters.include_sites = read.sites;
  if (read.after !== undefined) filters.after = new Date(read.after);
  if (read.before !== undefined) filters.before = new Date(new Date(read.before).getTime() - 1);
  if (body.hl) filters.language = body.hl.slice(0, 2);
  if (body.safe === 'active') filters.safe_only = true;
  return filters;
}

type Describe = (hit: Hit, position: number, now: Date) => object;

const describers: Record<string, Describe> = {
  '/news': (hit, position, now) => ({
    ...describeOrganic(hit, position, now),
    ...(hit.page.published === undefined ? {} : { date: tellAgo(hit.page.published, now) }),
    source: new URL(hit.page.url).hostname,
    ...(hit.page.images[0] === undefined ? {} : { imageUrl: hit.page.images[0] }),
  }),
  '/scholar': ({ page: { url, title, author, published, body }, passages }, position) => ({
    title,
    link: url,
    publicationInfo: `${author ?? 'Unknown'} - ${new URL(url).hostname}`,
    snippet: shorten(passages[0]?.text ?? body),
    ...(published === undefined ? {} : { year: published.getUTCFullYear() }),
    citedBy: Math.floor(share('cited', url) * 200),
    position,
  }),
};

function describeOrganic(
  { page: { url, title, published }, passages }: Hit,
  position: number,
  now: Date,
) {
  const text = passages[0]?.text;
  const snippet =
    text === undefined || share('snippet', url) < withoutSnippet ? {} : { snippet: shorten(text) };
  return {
    title,
    link: url,
    ...snippet,
    ...(published === undefined ? {} : { date: tellAge(published, now, 'short') }),
    position,
  };
}

function shorten(markdown: string): string {
  const text = toPlainText(markdown).replace(/\s+/g, ' ');
  return text.length <= snippetCharacters ? text : `${cutAt(text, snippetCharacters)} ...`;
}
