// Exa: neural search and page contents, with the charge of each call in the answer.
import type { Kind } from '../corpus/page.ts';
import { share } from '../fingerprint.ts';
import type { Reading } from '../pages.ts';
import type { Engine, Filters, Hit } from '../ranking.ts';
import type { Asked, Reason, Refusal, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import { describeContents } from './exa-contents.ts';
import { ContentsBody, LITE_FIELDS, SearchBody } from './exa-wire.ts';

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

const DEFAULT_RESULTS = 10;
const MAX_RESULTS = 100;

const BASE_PRICE: Record<NonNullable<SearchBody['type']>, number> = {
  instant: 0.004,
  lite: 0.004,
  fast: 0.007,
  auto: 0.007,
  'deep-lite': 0.012,
  deep: 0.012,
  'deep-reasoning': 0.015,
};
const UNIT_PRICE = 0.001;
const INCLUDED_RESULTS = 10;

const KINDS: Record<NonNullable<SearchBody['category']>, Kind[]> = {
  company: ['company'],
  people: ['person'],
  publication: ['paper'],
  news: ['news'],
  'personal site': ['article', 'person'],
  'financial report': ['reference', 'company'],
};

const ANSWERS: Record<Reason, { status: number; tag: string }> = {
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
  const { status, tag } = ANSWERS[reason];
  const body = { requestId: id, error: message, tag };
  if (reason !== 'missing_key') return { status, body };
  const resource = { url: 'https://api.exa.ai', description: 'Exa API' };
  return { status, body: { x402Version: 2, resource, accepts: [], ...body } };
}

function object(id: string, error: string, tag = 'INVALID_REQUEST_BODY', status = 400): Reply {
  return { status, body: { requestId: id, error, tag } };
}

function search({ body, id }: Asked<SearchBody, unknown>, world: World): Reply {
  const objection = objectToSearch(body, id);
  if (objection !== undefined) return objection;
  const { query, userLocation } = body;
  const { hits } = world.search({
    engine,
    query,
    limit: body.numResults ?? DEFAULT_RESULTS,
    filters: filtersOf(body),
    ...(userLocation ? { prefer: { country: userLocation } } : {}),
  });
  const wishes = body.contents ?? {};
  const results = hits.map((hit) =>
    describe(hit, { ...describeContents(hit.page, wishes, query) }),
  );
  return {
    body: {
      requestId: id,
      resolvedSearchType: 'neural',
      results,
      searchTime: timeOf(id),
      costDollars: priceSearch(body, results.length),
    },
  };
}

function objectToSearch(body: SearchBody, id: string): Reply | undefined {
  const { numResults, type, category } = body;
  if (numResults && numResults > MAX_RESULTS) {
    return object(id, 'numResults must be at most 100', 'NUM_RESULTS_EXCEEDED');
  }
  if (typeof numResults === 'number' && numResults < 1) {
    return object(id, 'numResults must be at least 1', 'INVALID_NUM_RESULTS');
  }
  if (category === 'company' || category === 'people') {
    const barred = (['startPublishedDate', 'endPublishedDate', 'excludeDomains'] as const).find(
      (field) => body[field] !== null && body[field] !== undefined,
    );
    if (barred) return object(id, `${barred} is not supported with category ${category}`);
  }
  if (body.additionalQueries && type?.startsWith('deep') !== true) {
    return object(id, 'additionalQueries needs a deep search type');
  }
  if (type === 'lite') {
    const extra = [
      ...givenFields(body),
      ...givenFields(body.contents ?? {}).map((field) => `contents.${field}`),
    ].find((field) => !LITE_FIELDS.has(field));
    if (extra !== undefined) return object(id, `${extra} is not supported with type lite`);
  }
  return objectToExtras(body, body.contents ?? {}, id);
}

/** Paid extras that this sandbox does not play are off, as they are for an account without them. */
function objectToExtras(
  body: { stream?: unknown; outputSchema?: unknown },
  wishes: { summary?: unknown; subpages?: number | null | undefined },
  id: string,
): Reply | undefined {
  const withSchema = (wishes.summary as { schema?: unknown } | null | undefined)?.schema;
  const asked = {
    stream: body.stream,
    outputSchema: body.outputSchema,
    'summary.schema': withSchema,
  };
  const feature = Object.entries({ ...asked, subpages: wishes.subpages }).find(([, on]) => on)?.[0];
  if (feature === undefined) return undefined;
  return object(id, `${feature} is not enabled for this account`, 'FEATURE_DISABLED', 403);
}

function givenFields(fields: object): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([field]) => field);
}

function filtersOf(body: SearchBody): Filters {
  const filters: Filters = { undated: 'drop' };
  if (body.includeDomains) filters.include_sites = body.includeDomains;
  if (body.excludeDomains) filters.exclude_sites = body.excludeDomains;
  if (body.startPublishedDate) filters.after = new Date(body.startPublishedDate);
  if (body.endPublishedDate) filters.before = new Date(body.endPublishedDate);
  if (body.moderation) filters.safe_only = true;
  if (body.category) filters.kinds = KINDS[body.category];
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
  const summary = body.contents?.summary ? results * UNIT_PRICE : 0;
  const found = BASE_PRICE[type] + Math.max(0, results - INCLUDED_RESULTS) * UNIT_PRICE;
  const total = round(found + summary);
  if (type.startsWith('deep')) return { total };
  const contentsPrice = summary > 0 ? { contents: { summary: round(summary) } } : {};
  return { total, search: { neural: round(found) }, ...contentsPrice };
}

async function contents({ body, id }: Asked<ContentsBody, unknown>, world: World): Promise<Reply> {
  const { urls, ids, ...wishes } = body;
  const addresses = urls ?? ids ?? [];
  if (Boolean(urls) === Boolean(ids)) return object(id, 'Give exactly one of urls and ids');
  const objection = objectToExtras({}, wishes, id);
  if (objection !== undefined) return objection;
  const readings = await Promise.all(addresses.map((address) => world.read(address)));
  if (readings.every(({ outcome }) => outcome === 'unsupported')) {
    return object(id, 'None of the URLs is valid', 'INVALID_URLS');
  }
  if (readings.every(({ outcome }) => outcome === 'empty')) {
    return object(id, 'No content was found at the URLs', 'NO_CONTENT_FOUND');
  }
  const source = wishes.maxAgeHours === 0 ? 'crawled' : 'cached';
  const results: object[] = [];
  const statuses: object[] = [];
  readings.forEach((reading, index) => {
    const address = addresses[index] ?? '';
    if ('page' in reading) {
      results.push(describe(reading, describeContents(reading.page, wishes), address));
      statuses.push({ id: address, status: 'success', source });
    } else statuses.push({ id: address, status: 'error', error: crawlError(reading.outcome) });
  });
  const costDollars = priceContents(wishes, results.length);
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

function priceContents(wishes: Omit<ContentsBody, 'urls' | 'ids'>, pages: number): object {
  const kinds = (['text', 'highlights', 'summary'] as const).filter((kind) => wishes[kind]);
  const contentsPrice = Object.fromEntries(kinds.map((kind) => [kind, round(pages * UNIT_PRICE)]));
  return { total: round(pages * kinds.length * UNIT_PRICE), contents: contentsPrice };
}

function timeOf(id: string): number {
  return Math.round(2000 + share('time', id) * 7000) / 10;
}

function round(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
