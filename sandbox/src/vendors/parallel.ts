// Parallel: search by objective with long excerpts, and extraction that always returns excerpts.
import { fingerprint } from '../fingerprint.ts';
import type { Reading } from '../pages.ts';
import type { Engine, Filters } from '../ranking.ts';
import { termsOf } from '../terms.ts';
import { bestPassages, cutAt, splitBlocks } from '../text.ts';
import type { Asked, Refusal, Reply, Vendor } from '../vendor.ts';
import { route } from '../vendor.ts';
import type { World } from '../world.ts';
import { ExtractBody, SearchBody } from './parallel-wire.ts';
import { usualStatuses } from '../refusal-reason.ts';

export const parallel: Vendor = {
  mount: '/parallel',
  setting: 'PARALLEL_BASE_URL',
  // A bearer token is ignored.
  readKey: (headers) => headers.get('x-api-key') ?? undefined,
  refuse,
  routes: [
    route({ method: 'POST', path: '/v1/search', body: SearchBody, answer: search }),
    route({ method: 'POST', path: '/v1/extract', body: ExtractBody, answer: extract }),
  ],
};

const engine: Engine = {
  name: 'parallel',
  boost: { title: 1.5, topics: 2, body: 2 },
  fuzzy: 0.1,
  prefix: false,
  coverage: 0.85,
  least_match: 0.25,
  neural: true,
};

const defaultResults = 10;
const maxResults = 20;
const includedResults = 10;
const passages = 4;
const leastCharsPerResult = 1000;
const turboLanguages = new Set(['en', 'ja']);
const locations = new Set(
  (
    'ar at au be br ca ch cl cn de dk es fi fr gb hk id in it jp kr mx my nl no nz ph pl pt se ' +
    'sg tr tw us za'
  ).split(' '),
);

const answers = { ...usualStatuses, bad_request: 422 };

function refuse({ reason, message, issues, id }: Refusal): Reply {
  const errors = issues.map(({ path, code, message: msg }) => ({ loc: path, msg, type: code }));
  return errors.length > 0
    ? refusal(answers[reason], id, 'Request validation error', { errors })
    : refusal(answers[reason], id, message);
}

function refusal(status: number, id: string, message: string, detail: object | null = null): Reply {
  return { status, body: { type: 'error', error: { ref_id: id, message, detail } } };
}

function search({ body, id }: Asked<SearchBody, unknown>, world: World): Reply {
  const settings = body.advanced_settings ?? {};
  const turbo = body.mode === 'turbo';
  const policy = settings.source_policy ?? {};
  const path = [...(policy.include_domains ?? []), ...(policy.exclude_domains ?? [])].find((site) =>
    site.includes('/'),
  );
  if (turbo && path !== undefined) {
    const msg = `${path}: paths are not supported in turbo mode`;
    const loc = ['body', 'advanced_settings', 'source_policy'];
    return refusal(422, id, 'Request validation error', { errors: [{ loc, msg }] });
  }
  const asked = settings.max_results ?? defaultResults;
  const limit = Math.min(asked, maxResults);
  const location = settings.location?.toLowerCase();
  const known = location !== undefined && locations.has(location);
  const warnings = [
    ...(asked > limit ? [warning(`max_results reduced to ${maxResults}`)] : []),
    ...(location !== undefined && !known ? [warning(`location ${location} is not supported`)] : []),
  ];
  const { hits } = world.search({
    engine,
    query: [body.objective ?? '', ...body.search_queries].join(' '),
    limit: turbo ? limit * 2 : limit,
    passages: passages,
    filters: filtersOf(policy),
    ...(known ? { prefer: { country: location } } : {}),
  });
  const readable = hits.filter(({ page }) => !turbo || turboLanguages.has(page.language));
  const room = roomFor(body);
  const results = readable.slice(0, limit).map(({ page, passages }) => ({
    url: page.url,
    title: page.title,
    publish_date: page.published?.toISOString().slice(0, 10) ?? null,
    excerpts: room(passages.map(({ text }) => text)),
  }));
  return {
    body: {
      search_id: `search_${id}`,
      results,
      warnings: warnings.length > 0 ? warnings : null,
      usage: usageOf({
        sku_search: 1,
        sku_search_additional_results: Math.max(0, results.length - includedResults),
      }),
      session_id: sessionOf(body.session_id, id),
    },
  };
}

function warning(message: string): object {
  return { type: 'input_validation_warning', message, detail: null };
}

type Policy = NonNullable<NonNullable<SearchBody['advanced_settings']>['source_policy']>;

/** Excluded domains are ignored as soon as there are included ones. */
function filtersOf({ include_domains = [], exclude_domains = [], after_date }: Policy): Filters {
  return {
    ...(include_domains.length > 0
      ? { include_sites: include_domains }
      : { exclude_sites: exclude_domains }),
    ...(after_date ? { after: new Date(`${after_date}T00:00:00Z`) } : {}),
  };
}

/** Truncates the excerpts to the limits per page and in total. */
function roomFor({ max_chars_total, advanced_settings }: SearchBody | ExtractBody) {
  const wish = advanced_settings?.excerpt_settings?.max_chars_per_result ?? undefined;
  const perPage = wish === undefined ? Infinity : Math.max(wish, leastCharsPerResult);
  let total = max_chars_total ?? Infinity;
  return (excerpts: string[]): string[] => {
    let room = Math.min(perPage, total);
    const kept = excerpts.flatMap((text) => {
      const cut = Number.isFinite(room) ? cutAt(text, room) : text;
      room -= cut.length;
      total -= cut.length;
      return cut === '' ? [] : [cut];
    });
    return kept;
  };
}

function usageOf(counts: Record<string, number>): object[] {
  return Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [{ name, count }] : []));
}

function sessionOf(given: string | null | undefined, id: string): string {
  return given ?? `sess_${fingerprint(24, 'session', id)}`;
}

async function extract({ body, id }: Asked<ExtractBody, unknown>, world: World): Promise<Reply> {
  const readings = await Promise.all(body.urls.map((url) => world.read(url)));
  const terms = termsOf([body.objective ?? '', ...(body.search_queries ?? [])].join(' '));
  const wish = body.advanced_settings?.full_content ?? false;
  const limit = (typeof wish === 'object' ? wish.max_chars_per_result : undefined) ?? Infinity;
  const room = roomFor(body);
  const results: object[] = [];
  const errors: object[] = [];
  readings.forEach((reading, index) => {
    const url = body.urls[index] ?? '';
    if (!('page' in reading)) {
      errors.push({ url, ...failureOf(reading.outcome), content: null });
      return;
    }
    const { page } = reading;
    const whole = page.body === '' ? '' : `# ${page.title}\n\n${page.body}`;
    const excerpts =
      terms.length > 0
        ? bestPassages(page.body, terms, passages).map(({ text }) => text)
        : splitBlocks(page.body);
    results.push({
      url,
      title: page.title,
      publish_date: page.published?.toISOString().slice(0, 10) ?? null,
      excerpts: room(excerpts),
      full_content: wish === false ? null : cutAt(whole, limit),
    });
  });
  return {
    body: {
      extract_id: `extract_${id}`,
      results,
      errors,
      warnings: null,
      usage: usageOf({ sku_extract_excerpts: readings.filter(isPage).length }),
      session_id: sessionOf(body.session_id, id),
    },
  };
}

/** A page without content is listed, but not counted. */
function isPage({ outcome }: Reading): boolean {
  return outcome === 'page';
}

type Failure = Exclude<Reading, { page: unknown }>['outcome'];

function failureOf(outcome: Failure): { error_type: string; http_status_code: number | null } {
  switch (outcome) {
    case 'missing':
      return { error_type: 'fetch_error', http_status_code: 404 };
    case 'blocked':
      return { error_type: 'fetch_error', http_status_code: 403 };
    case 'timeout':
      return { error_type: 'timeout', http_status_code: null };
    case 'unreachable':
      return { error_type: 'fetch_error', http_status_code: null };
    case 'unsupported':
      return { error_type: 'invalid_url', http_status_code: null };
  }
}
