// Valyu: search with relevance scores, page contents with AI processing, a price for each call.
import type { Page } from '../corpus/page.ts';
import { fingerprintUuid } from '../fingerprint.ts';
import type { Reading } from '../pages.ts';
import type { Engine, Filters, Hit, Preferences } from '../ranking.ts';
import { cutAt } from '../text.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { route } from '../vendor.ts';
import type { World } from '../world.ts';
import { makeSummary } from './valyu-contents.ts';
import { charsOf, ContentsBody, SearchBody } from './valyu-wire.ts';
import { usualStatuses } from '../refusal-reason.ts';

export const valyu: Vendor = {
  mount: '/valyu',
  setting: 'VALYU_BASE_URL',
  readKey: (headers) => headers.get('x-api-key') ?? undefined,
  refuse,
  routes: [
    route({ method: 'POST', path: '/search', body: SearchBody, answer: search }),
    route({ method: 'POST', path: '/contents', body: ContentsBody, answer: contents }),
  ],
};

const engine: Engine = {
  name: 'valyu',
  boost: { title: 1.5, topics: 2, body: 1.5 },
  fuzzy: 0.15,
  prefix: false,
  coverage: 0.75,
  least_match: 0.35,
  neural: true,
};

const defaultResults = 10;
const defaultThreshold = 0.5;
const maxSyncUrls = 10;
const webPrice = 0.0015;
const licensedPrice = 0.03;
const pagePrice = 0.001;
const summaryPrice = 0.001;

function refuse({ reason, message, issues, id, retry_after }: Refusal): Reply {
  const status = usualStatuses[reason];
  const txId = `tx_${fingerprintUuid(id)}`;
  const later = retry_after === undefined ? {} : { retry_after };
  if (issues.length === 0) {
    return { status, body: { success: false, error: message, tx_id: txId, ...later } };
  }
  const errors = issues.map((issue) => ({
    code: issue.code,
    key: issue.path.slice(1).join('.'),
    message: issue.message,
  }));
  return {
    status,
    body: { success: false, message: 'Request validation failed', errors, tx_id: txId },
  };
}

function search({ body, id }: Asked<SearchBody, unknown>, world: World): Reply {
  const { query, category = '', country_code } = body;
  const prefer: Preferences = {};
  if (country_code !== undefined && country_code !== 'ALL') prefer.country = country_code;
  const { hits } = world.search({
    engine,
    query: `${query} ${category}`.trim(),
    limit: body.max_num_results ?? defaultResults,
    filters: filtersOf(body),
    prefer,
  });
  const threshold = body.relevance_threshold ?? defaultThreshold;
  const found = hits
    .map((hit) => describe(hit, body))
    .filter(({ relevance_score = 1 }) => relevance_score >= threshold);
  const ceiling = body.max_price ?? Number.POSITIVE_INFINITY;
  const results = found.filter(({ price }) => price * 1000 <= ceiling);
  const licensed = results.filter(({ source }) => source === 'proprietary').length;
  return {
    status: results.length < found.length ? 206 : 200,
    body: {
      success: true,
      error: null,
      tx_id: `tx_${fingerprintUuid(id)}`,
      query,
      results,
      results_by_source: { web: results.length - licensed, proprietary: licensed },
      total_deduction_dollars: round(results.reduce((sum, { price }) => sum + price, 0)),
      total_characters: results.reduce((sum, { length }) => sum + length, 0),
    },
  };
}

function filtersOf(body: SearchBody): Filters {
  const filters: Filters = { undated: 'drop' };
  const sites = body.included_sources?.filter((source) => source !== 'web');
  if (sites?.length) filters.include_sites = sites;
  if (body.excluded_sources) filters.exclude_sites = body.excluded_sources;
  if (body.start_date !== undefined) filters.after = new Date(body.start_date);
  if (body.end_date !== undefined) {
    const wholeDay = !body.end_date.includes('T');
    filters.before = new Date(wholeDay ? `${body.end_date}T23:59:59.999Z` : body.end_date);
  }
  if (body.search_type === 'news') filters.kinds = ['news'];
  if (body.search_type === 'proprietary') filters.kinds = ['paper'];
  return filters;
}

/** Papers come from licensed datasets unless only the web was requested. */
function describe({ page, score, passages }: Hit, body: SearchBody) {
  const { search_type = 'all', fast_mode = false, url_only = false } = body;
  const licensed = page.kind === 'paper' && search_type !== 'web' && search_type !== 'news';
  const joined = passages.map(({ text }) => text).join('\n\n');
  const content = url_only ? '' : cutAt(joined, charsOf(body.response_length));
  const ranked = fast_mode || url_only ? {} : { relevance_score: round((1 + score) / 2) };
  return {
    id: page.url,
    title: page.title,
    url: page.url,
    content,
    description: passages[0]?.text.slice(0, 120) ?? '',
    source: licensed ? 'proprietary' : 'web',
    source_type: licensed ? 'paper' : 'website',
    data_type: 'unstructured',
    length: content.length,
    price: licensed ? licensedPrice : webPrice,
    ...ranked,
    ...dateOf(page),
    ...(page.author === undefined ? {} : { authors: [page.author] }),
    image_url: page.images[0] === undefined ? null : { '0': page.images[0] },
  };
}

async function contents({ body, id }: Asked<ContentsBody, unknown>, world: World): Promise<Reply> {
  const urls = [...new Set(body.urls)];
  const txId = `tx_${fingerprintUuid(id)}`;
  if (urls.length > maxSyncUrls || body.async === true) {
    const error =
      body.async === true
        ? 'Asynchronous processing is not enabled for this account'
        : `Requests with more than ${maxSyncUrls} URLs require async processing`;
    return { status: 400, body: { success: false, error, tx_id: txId } };
  }
  const readings = await Promise.all(urls.map((url) => world.read(url)));
  const results = readings.map((reading, index) => describePage(reading, urls[index] ?? '', body));
  const fetched = results.flatMap((result) => (result.status === 'success' ? [result] : []));
  const failed = results.length - fetched.length;
  return {
    status: failed === 0 ? 200 : fetched.length === 0 ? 422 : 206,
    body: {
      success: fetched.length > 0,
      error: fetched.length > 0 ? null : 'All URLs failed',
      tx_id: txId,
      urls_requested: urls.length,
      urls_processed: fetched.length,
      urls_failed: failed,
      results,
      total_cost_dollars: round(fetched.reduce((sum, { price }) => sum + price, 0)),
      total_characters: fetched.reduce((sum, { length }) => sum + length, 0),
    },
  };
}

function describePage(reading: Reading, url: string, body: ContentsBody) {
  if (!('page' in reading)) {
    return { url, status: 'failed' as const, error: failures[reading.outcome] };
  }
  const { page } = reading;
  const whole = page.body === '' ? '' : `# ${page.title}\n\n${page.body}`;
  const content = cutAt(whole, charsOf(body.response_length));
  const summary = makeSummary(page, body.summary);
  return {
    url,
    status: 'success' as const,
    title: page.title,
    description: page.body.slice(0, 120),
    content,
    ...(summary === undefined ? {} : { summary, summary_success: true }),
    source: 'web',
    source_type: 'website',
    data_type: 'unstructured',
    length: content.length,
    price: round(pagePrice + (summary === undefined ? 0 : summaryPrice)),
    ...dateOf(page),
    image_url: Object.fromEntries(page.images.map((image, index) => [String(index), image])),
    screenshot_url: null,
  };
}

const failures: Record<Exclude<Reading, { page: unknown }>['outcome'], string> = {
  missing: 'Failed to fetch URL: HTTP 404',
  timeout: 'Failed to fetch URL: timed out',
  blocked: 'Failed to fetch URL: HTTP 403',
  unreachable: 'Failed to fetch URL',
  unsupported: 'Unsupported URL',
};

function dateOf(page: Page): { publication_date?: string } {
  if (page.published === undefined) return {};
  return { publication_date: page.published.toISOString().slice(0, 10) };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
