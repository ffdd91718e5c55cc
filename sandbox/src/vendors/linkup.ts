// Linkup: search with four depths, and a fetcher that converts one page to markdown.
import { z } from 'zod';
import type { Page } from '../corpus/page.ts';
import type { Reading } from '../pages.ts';
import type { Engine, Filters } from '../ranking.ts';
import type { Asked, Issue, Refusal, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import type { Reason } from '../refusal-reason.ts';

const maxIncluded = 100;
const maxExcluded = 50;
const defaultResults = 10;

const Day = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const Sites = z.array(z.string().min(1));

const SearchBody = z.strictObject({
  q: z.string().min(1),
  depth: z.enum(['flash', 'fast', 'standard', 'deep']),
  outputType: z.enum(['searchResults', 'sourcedAnswer', 'structured']),
  maxResults: z.int().min(1).optional(),
  includeDomains: Sites.max(maxIncluded).optional(),
  excludeDomains: Sites.max(maxExcluded).optional(),
  fromDate: Day.optional(),
  toDate: Day.optional(),
  includeImages: z.boolean().optional(),
  includeInlineCitations: z.boolean().optional(),
  includeSources: z.boolean().optional(),
  structuredOutputSchema: z.string().optional(),
});
type SearchBody = z.infer<typeof SearchBody>;

const FetchBody = z.strictObject({
  url: z.string().min(1),
  renderJs: z.boolean().optional(),
  mode: z.enum(['standard', 'pro']).optional(),
  extractImages: z.boolean().optional(),
  includeRawContent: z.boolean().optional(),
  includeRawHtml: z.boolean().optional(),
});
type FetchBody = z.infer<typeof FetchBody>;

export const linkup: Vendor = {
  mount: '/linkup',
  setting: 'LINKUP_BASE_URL',
  readKey: readBearer,
  refuse,
  routes: [
    route({ method: 'POST', path: '/search', body: SearchBody, answer: search }),
    route({ method: 'POST', path: '/fetch', body: FetchBody, answer: fetchPage }),
  ],
};

const engine: Engine = {
  name: 'linkup',
  boost: { title: 3, topics: 1, body: 1 },
  fuzzy: 0.1,
  prefix: true,
  coverage: 0.8,
  least_match: 0.4,
  neural: true,
};

const passages: Record<SearchBody['depth'], number> = { flash: 1, fast: 2, standard: 3, deep: 5 };

const answers: Record<Reason, { status: number; code: string }> = {
  bad_request: { status: 400, code: 'VALIDATION_ERROR' },
  missing_key: { status: 401, code: 'UNAUTHORIZED' },
  wrong_key: { status: 401, code: 'UNAUTHORIZED' },
  out_of_credit: { status: 429, code: 'INSUFFICIENT_FUNDS_CREDITS' },
  rate_limited: { status: 429, code: 'TOO_MANY_REQUESTS' },
  server_error: { status: 500, code: 'INTERNAL_SERVER_ERROR' },
  unavailable: { status: 503, code: 'SERVICE_UNAVAILABLE' },
  not_found: { status: 404, code: 'NOT_FOUND' },
};

function refuse({ reason, message, issues }: Refusal): Reply {
  const { status, code } = answers[reason];
  return fail(status, code, issues.length > 0 ? 'Validation failed' : message, issues);
}

function fail(status: number, code: string, message: string, issues: Issue[] = []): Reply {
  const details = issues.map((issue) => ({
    field: issue.path.slice(1).join('.'),
    message: issue.message,
  }));
  return { status, body: { statusCode: status, error: { code, message, details } } };
}

function search({ body }: Asked<SearchBody, unknown>, world: World): Reply {
  if (body.outputType === 'structured' && body.structuredOutputSchema === undefined) {
    const message = 'structuredOutputSchema is required when outputType is structured';
    return fail(400, 'VALIDATION_ERROR', 'Validation failed', [
      { path: ['body', 'structuredOutputSchema'], code: 'custom', message },
    ]);
  }
  const { hits } = world.search({
    engine,
    query: body.q,
    limit: body.maxResults ?? defaultResults,
    filters: filtersOf(body),
    passages: passages[body.depth],
  });
  if (hits.length === 0) {
    return fail(400, 'SEARCH_QUERY_NO_RESULT', 'The query did not yield any result');
  }
  const results = hits.map(({ page, passages }) => ({
    type: 'text',
    name: page.title,
    url: page.url,
    content: passages.map(({ text }) => text).join('\n\n'),
    favicon: faviconOf(page),
    ...(page.published ? { date: page.published.toISOString() } : {}),
  }));
  const images = hits.flatMap(({ page }) =>
    page.images.slice(0, 1).map((url) => ({ type: 'image', name: page.title, url })),
  );
  if (body.outputType === 'searchResults') {
    return { body: { results: body.includeImages === true ? [...results, ...images] : results } };
  }
  const sources = results.map(({ name, url, content, favicon }) => ({
    name,
    url,
    snippet: content,
    favicon,
  }));
  if (body.outputType === 'sourcedAnswer') {
    return { body: { answer: hits[0]?.passages[0]?.text ?? '', sources } };
  }
  return { body: body.includeSources === true ? { data: {}, sources: results } : {} };
}

function filtersOf(body: SearchBody): Filters {
  const filters: Filters = { undated: 'drop' };
  if (body.includeDomains?.length) filters.include_sites = body.includeDomains;
  if (body.excludeDomains) filters.exclude_sites = body.excludeDomains;
  if (body.fromDate !== undefined) filters.after = new Date(body.fromDate);
  if (body.toDate !== undefined) {
    const wholeDay = !body.toDate.includes('T');
    filters.before = new Date(wholeDay ? `${body.toDate}T23:59:59.999Z` : body.toDate);
  }
  return filters;
}

async function fetchPage({ body }: Asked<FetchBody, unknown>, world: World): Promise<Reply> {
  if (fileEndings.test(URL.parse(body.url)?.pathname ?? '')) {
    return fail(400, 'FETCH_URL_IS_FILE', 'The URL points to a file, not to a page');
  }
  const reading = await world.read(body.url);
  if (!('page' in reading)) return fetchFault(reading.outcome);
  const { page } = reading;
  const markdown = page.body === '' ? '' : `# ${page.title}\n\n${page.body}`;
  return {
    body: {
      markdown,
      favicon: faviconOf(page),
      ...(body.extractImages === true
        ? { images: page.images.map((url) => ({ alt: page.title, url })) }
        : {}),
      ...(body.includeRawContent === true
        ? { rawContent: htmlOf(page), contentType: 'text/html' }
        : {}),
      ...(body.includeRawHtml === true ? { rawHtml: htmlOf(page) } : {}),
    },
  };
}

const fileEndings = /\.(mp[34]|zip|exe|dmg|iso|avi|mov|wav)$/i;

function fetchFault(outcome: Exclude<Reading, { page: unknown }>['outcome']): Reply {
  switch (outcome) {
    case 'unsupported':
      return fail(400, 'VALIDATION_ERROR', 'Validation failed', [
        { path: ['body', 'url'], code: 'custom', message: 'url must be a public web address' },
      ]);
    case 'timeout':
    case 'unreachable':
      return fail(400, 'FETCH_TARGET_UNREACHABLE', 'The host of the URL could not be reached');
    case 'missing':
    case 'blocked':
      return fail(400, 'FETCH_ERROR', 'The URL could not be fetched');
  }
}

function htmlOf(page: Page): string {
  return `<html><head><title>${page.title}</title></head><body>${page.body}</body></html>`;
}

function faviconOf(page: Page): string {
  return `${new URL(page.url).origin}/favicon.ico`;
}
