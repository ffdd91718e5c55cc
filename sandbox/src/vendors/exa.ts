// Exa: neural search and page contents, with the price of each call in the response.
import type { Kind } from '../corpus/page.ts';
import { share } from '../fingerprint.ts';
import type { Reading } from '../pages.ts';
import type { Engine, Filters, Hit } from '../ranking.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import { describeContents } from './exa-contents.ts';
import { refused, checkExtras, checkHighlights, checkSearch } from './exa-refusals.ts';
import { ContentsBody, retiredFields, SearchBody } from './exa-wire.ts';
import type { Reason } from '../refusal-reason.ts';

export const exa: Vendor = {
  mount: '/exa',
  setting: 'EXA_BASE_URL',
  readKey: (headers) => headers.get('x-api-key') ?? readBearer(headers),
  refuse,
  routes: [
    route({ method: 'POST', path: '/search', body: SearchBody, answer: search }),
    route({ method: 'POST', path: '/contents', body: ContentsBody, answer: contents }),
  ],
};

const engine: Engine = {
  name: 'exa',
  boost: { title: 2, topics: 3, body: 1 },
  fuzzy: 0.2,
  prefix: false,
  coverage: 0.9,
  least_match: 0.3,
  neural: true,
};

const defaultResults = 10;

const basePrice: Record<NonNullable<SearchBody['type']>, number> = {
  instant: 0.004,
  lite: 0.004,
  fast: 0.007,
  auto: 0.007,
  'deep-lite': 0.012,
  deep: 0.012,
  'deep-reasoning': 0.015,
};
const unitPrice = 0.001;
const includedResults = 10;

const kinds: Record<NonNullable<SearchBody['category']>, Kind[]> = {
  company: ['company'],
  people: ['person'],
  publication: ['paper'],
  news: ['news'],
  'personal site': ['article', 'person'],
  'financial report': ['reference', 'company'],
};

const answers: Record<Reason, { status: number; tag: string }> = {
  bad_request: { status: 400, tag: 'INVALID_REQUEST_BODY' },
  missing_key: { status: 402, tag: 'X402_PAYMENT_REQUIRED' },
  wrong_key: { status: 401, tag: 'INVALID_API_KEY' },
  out_of_credit: { status: 402, tag: 'NO_MORE_CREDITS' },
  rate_limited: { status: 429, tag: 'RATE_LIMIT_EXCEEDED' },
  server_error: { status: 500, tag: 'DEFAULT_ERROR' },
  unavailable: { status: 503, tag: 'SERVICE_OVERLOADED' },
  not_found: { status: 404, tag: 'NOT_FOUND' },
};

function refuse({ reason, message, id }: Refusal): Reply {
  const { status, tag } = answers[reason];
  const body = { requestId: id, error: message, tag };
  if (reason !== 'missing_key') return { status, body };
  const resource = { url: 'https://api.exa.ai', description: 'Exa API' };
  return { status, body: { x402Version: 2, resource, accepts: [], ...body } };
}

function search({ body, id, headers }: Asked<SearchBody, unknown>, world: World): Reply {
  const refusal = checkSearch(body, id) ?? checkHighlights(body.contents, headers, id);
  if (refusal !== undefined) return refusal;
  const { query } = body;
  const country = countryOf(body.userLocation);
  const { hits } = world.search({
    engine,
    query,
    limit: body.numResults ?? defaultResults,
    filters: filtersOf(body),
    ...(country === undefined ? {} : { prefer: { country } }),
  });
  const options = body.contents ?? {};
  const results = hits.map((hit) =>
    describe(hit, { ...describeContents(hit.page, options, query) }),
  );
  return {
    body: {
      requestId: id,
      resolvedSearchType: 'neural',
      results,
      searchTime: timeOf(id),
      costDollars: priceSearch(body, results.length),
      ...warningsFor(body),
    },
  };
}

function countryOf(place: SearchBody['userLocation']): string | undefined {
  return typeof place === 'string' ? place : (place?.country ?? undefined);
}

/** Without warnings, the response has no list of warnings at all. */
function warningsFor(body: SearchBody): object {
  const warnings = retiredFields
    .filter((field) => (body[field] ?? undefined) !== undefined)
    .map((field) => ({
      code: 'IGNORED_FIELD',
      path: `/${field}`,
      message: `${field} has no effect. Remove it from the request.`,
    }));
  return warnings.length === 0 ? {} : { warnings };
}

function filtersOf(body: SearchBody): Filters {
  const filters: Filters = { undated: 'drop' };
  if (body.includeDomains) filters.include_sites = body.includeDomains;
  if (body.excludeDomains) filters.exclude_sites = body.excludeDomains;
  if (body.startPublishedDate) filters.after = new Date(body.startPublishedDate);
  if (body.endPublishedDate) filters.before = new Date(body.endPublishedDate);
  if (body.moderation) filters.safe_only = true;
  if (body.category) filters.kinds = kinds[body.category];
  return filters;
}

function describe({ page }: Pick<Hit, 'page'>, contents: object, id = page.url): object {
  const image = page.images[0];
  return {
    id,
    url: page.url,
    title: page.title,
    ...(page.published ? { publishedDate: page.published.toISOString() } : {}),
    author: page.author ?? null,
    ...(image === undefined ? {} : { image }),
    favicon: `${new URL(page.url).origin}/favicon.ico`,
    ...contents,
  };
}

function priceSearch(body: SearchBody, results: number): object {
  const type = body.type ?? 'auto';
  const summary = body.contents?.summary ? results * unitPrice : 0;
  const found = basePrice[type] + Math.max(0, results - includedResults) * unitPrice;
  const total = round(found + summary);
  if (type.startsWith('deep')) return { total };
  const contentsPrice = summary > 0 ? { contents: { summary: round(summary) } } : {};
  return { total, search: { neural: round(found) }, ...contentsPrice };
}

async function contents(
  { body, id, headers }: Asked<ContentsBody, unknown>,
  world: World,
): Promise<Reply> {
  const { urls, ids, ...options } = body;
  const addresses = urls ?? ids ?? [];
  if (Boolean(urls) === Boolean(ids)) return refused(id, 'Give exactly one of urls and ids');
  const refusal = checkExtras({}, options, id) ?? checkHighlights(options, headers, id);
  if (refusal !== undefined) return refusal;
  const readings = await Promise.all(addresses.map((address) => world.read(address)));
  if (readings.every(({ outcome }) => outcome === 'unsupported')) {
    return refused(id, 'None of the URLs is valid', 'INVALID_URLS');
  }
  if (readings.every(({ outcome }) => outcome === 'empty')) {
    return refused(id, 'No content was found at the URLs', 'NO_CONTENT_FOUND');
  }
  const source = options.maxAgeHours === 0 ? 'crawled' : 'cached';
  const results: object[] = [];
  const statuses: object[] = [];
  readings.forEach((reading, index) => {
    const address = addresses[index] ?? '';
    if ('page' in reading) {
      results.push(describe(reading, describeContents(reading.page, options), address));
      statuses.push({ id: address, status: 'success', source });
    } else statuses.push({ id: address, status: 'error', error: crawlError(reading.outcome) });
  });
  const costDollars = priceContents(options, results.length);
  return { body: { requestId: id, results, statuses, costDollars, searchTime: timeOf(id) } };
}

type Failure = Exclude<Reading, { page: unknown }>['outcome'];

function crawlError(outcome: Failure): { tag: string; httpStatusCode: number | null } {
  switch (outcome) {
    case 'missing':
      return { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404 };
    case 'timeout':
      return { tag: 'CRAWL_LIVECRAWL_TIMEOUT', httpStatusCode: 504 };
    case 'blocked':
      return { tag: 'CRAWL_HTTP_403', httpStatusCode: 403 };
    case 'unreachable':
      return { tag: 'SOURCE_NOT_AVAILABLE', httpStatusCode: null };
    case 'unsupported':
      return { tag: 'UNSUPPORTED_URL', httpStatusCode: null };
  }
}

function priceContents(options: Omit<ContentsBody, 'urls' | 'ids'>, pages: number): object {
  const kinds = (['text', 'highlights', 'summary'] as const).filter((kind) => options[kind]);
  const contentsPrice = Object.fromEntries(kinds.map((kind) => [kind, round(pages * unitPrice)]));
  return { total: round(pages * kinds.length * unitPrice), contents: contentsPrice };
}

function timeOf(id: string): number {
  return Math.round(2000 + share('time', id) * 7000) / 10;
}

function round(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
