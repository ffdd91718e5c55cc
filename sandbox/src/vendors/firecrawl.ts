// Firecrawl: search with passages that answer the query, one list per source, and single pages.
import { tellAgo } from '../ages.ts';
import type { Kind } from '../corpus/page.ts';
import { fingerprintUuid } from '../fingerprint.ts';
import { readOperators } from '../operators.ts';
import type { Reading } from '../pages.ts';
import type { Engine, Filters, Hit, Question } from '../ranking.ts';
import { isInvented, scrapeReal } from '../reader/scrape.ts';
import { cutAt, toPlainText } from '../text.ts';
import { readTimeFilter } from '../time-filter.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import { creditsOf, describeDocument } from './firecrawl-document.ts';
import { ScrapeBody, SearchBody } from './firecrawl-wire.ts';
import type { Reason } from '../refusal-reason.ts';

export const firecrawl: Vendor = {
  mount: '/firecrawl',
  setting: 'FIRECRAWL_API_URL',
  readKey: (headers) => readBearer(headers),
  key_optional: true,
  refuse,
  routes: [
    route({ method: 'POST', path: '/v2/search', body: SearchBody, answer: search }),
    route({ method: 'POST', path: '/v2/scrape', body: ScrapeBody, answer: scrape }),
  ],
};

const engine: Engine = {
  name: 'firecrawl',
  boost: { title: 2, topics: 2, body: 1.5 },
  fuzzy: 0.1,
  prefix: false,
  coverage: 0.75,
  least_match: 0.4,
  neural: false,
};

const defaultResults = 10;
const creditsPerTenResults = 2;
const snippetCharacters = 160;

/** The corpus has no pages for these categories. */
const kindNames: Record<NonNullable<SearchBody['categories']>[number], Kind[]> = {
  research: ['paper'],
  github: [],
  pdf: [],
  developer: [],
  gov: [],
};

const answers: Record<Reason, { status: number; error?: string }> = {
  bad_request: { status: 400 },
  missing_key: { status: 401, error: 'Unauthorized: Token missing' },
  wrong_key: { status: 401, error: 'Unauthorized: Invalid token' },
  out_of_credit: { status: 402, error: 'Payment Required: Insufficient credits' },
  rate_limited: { status: 429, error: 'Rate limit exceeded' },
  server_error: { status: 500 },
  unavailable: { status: 503 },
  not_found: { status: 404, error: 'Not Found' },
};

function refuse({ reason, message, issues, retry_after }: Refusal): Reply {
  const { status, error: plain } = answers[reason];
  // The retry time is part of the message.
  const wait = retry_after === undefined ? '' : `. Please retry after ${retry_after}s`;
  const error = plain === undefined ? undefined : plain + wait;
  if (issues.length === 0) return { status, body: { success: false, error: error ?? message } };
  const details = issues.map(({ path, ...issue }) => ({ ...issue, path: path.slice(1) }));
  const body = { success: false, code: 'BAD_REQUEST', error: 'Bad Request', details };
  return { status, body };
}

function search({ body, id }: Asked<SearchBody, unknown>, world: World): Reply {
  const read = readOperators(body.query);
  const question: Question = {
    engine,
    query: read.words,
    limit: body.limit ?? defaultResults,
    filters: filtersOf(body, read),
    ...(body.country ? { prefer: { country: body.country } } : {}),
  };
  const lists = (body.sources ?? ['web']).map((source): [string, object[]] => [
    source,
    finders[source](question, body, world),
  ]);
  // A source without results is missing from the response.
  const data = Object.fromEntries(lists.filter(([, list]) => list.length > 0));
  const results = lists.reduce((sum, [, list]) => sum + list.length, 0);
  const creditsUsed =
    creditsPerTenResults * Math.ceil(results / 10) +
    (body.scrapeOptions ? (data['web']?.length ?? 0) * creditsOf(body.scrapeOptions) : 0);
  const uuid = fingerprintUuid('firecrawl', id);
  return { body: { success: true, data, warning: null, id: uuid, creditsUsed } };
}

function filtersOf(body: SearchBody, read: ReturnType<typeof readOperators>): Filters {
  const include = [...(body.includeDomains ?? []), ...read.sites];
  const filters: Filters = {
    exclude_sites: [...(body.excludeDomains ?? []), ...read.excluded_sites],
  };
  if (include.length > 0) filters.include_sites = include;
  if (body.safe === true) filters.safe_only = true;
  return filters;
}

type Find = (question: Question, body: SearchBody, world: World) => object[];

const finders: Record<NonNullable<SearchBody['sources']>[number], Find> = {
  web: (question, body, world) => {
    const kinds = body.categories?.flatMap((category) => kindNames[category]);
    const filters = {
      ...question.filters,
      ...(body.tbs ? readTimeFilter(body.tbs, world.now()) : {}),
      ...(kinds === undefined ? {} : { kinds }),
    };
    const { hits } = world.search({ ...question, filters });
    return hits.map((hit, index) => describeWeb(hit, index + 1, body));
  },
  // The time filter does not apply to news.
  news: (question, body, world) => {
    const filters: Filters = { ...question.filters, kinds: ['news'] };
    const { hits } = world.search({ ...question, filters });
    return hits.map((hit, index) => describeNews(hit, index + 1, body, world.now()));
  },
  // Tools of sites; the corpus has none.
  alexandria: () => [],
  images: (question, _body, world) =>
    world.search(question).hits.flatMap(({ page }) =>
      page.images.map((imageUrl, index) => ({
        title: page.title,
        imageUrl,
        url: page.url,
        position: index + 1,
      })),
    ),
};

function describeWeb(hit: Hit, position: number, body: SearchBody): object {
  const { page } = hit;
  const category = body.categories?.includes('research') ? { category: 'research' } : {};
  const found = {
    url: page.url,
    title: page.title,
    description: textOf(hit, body),
    position,
    ...category,
  };
  if (body.scrapeOptions === undefined) return found;
  return { ...found, ...describeDocument(page, page.url, body.scrapeOptions) };
}

function describeNews(hit: Hit, position: number, body: SearchBody, now: Date): object {
  const { published, images, title, url } = hit.page;
  return {
    title,
    url,
    snippet: textOf(hit, body),
    ...(published === undefined ? {} : { date: tellAgo(published, now) }),
    ...(images[0] === undefined ? {} : { imageUrl: images[0] }),
    position,
  };
}

/** Passages that answer the query, or only a short snippet. */
function textOf({ passages }: Hit, { highlights }: SearchBody): string {
  if (highlights !== false) return passages.map(({ text }) => text).join('\n\n');
  return cutAt(toPlainText(passages[0]?.text ?? ''), snippetCharacters);
}

async function scrape({ body }: Asked<ScrapeBody, unknown>, world: World): Promise<Reply> {
  if (world.reader && !isInvented(body.url)) return scrapeReal(body, world.reader);
  const reading = await world.read(body.url);
  if ('page' in reading) {
    const data = describeDocument(reading.page, body.url, body);
    return { body: { success: true, data } };
  }
  return failedScrape(reading.outcome, body);
}

/** For a missing page, the vendor returns the site's error page and charges for it. */
function failedScrape(
  outcome: Exclude<Reading, { page: unknown }>['outcome'],
  { url }: ScrapeBody,
): Reply {
  const fail = (status: number, code: string, error: string): Reply => ({
    status,
    body: { success: false, code, error },
  });
  switch (outcome) {
    case 'missing': {
      const metadata = { sourceURL: url, url, statusCode: 404, error: 'Not Found', creditsUsed: 1 };
      return { body: { success: true, data: { markdown: '# Not found', metadata } } };
    }
    case 'timeout':
      return fail(408, 'SCRAPE_TIMEOUT', 'The scrape operation timed out');
    case 'blocked':
      return fail(500, 'SCRAPE_ALL_ENGINES_FAILED', 'All scraping engines failed');
    case 'unreachable':
      return fail(
        500,
        'SCRAPE_DNS_RESOLUTION_ERROR',
        `DNS resolution failed for hostname: ${new URL(url).hostname}`,
      );
    case 'unsupported':
      return fail(400, 'BAD_REQUEST', 'Invalid URL');
  }
}
