// engine_g: Linkup, agentic search over its own index, and a page fetcher that returns markdown.
import { z } from 'zod';
import { asGiven, maybe } from '../shared/schemas.ts';
import { readDay } from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, passages, plain, plainTexts } from '../shared/text.ts';
import type { Hit, PageOutcome, Provider } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import * as row from '../shared/rows.ts';
import { extractPrice, isOn, readName, searchPrice } from '../shared/price-rule.ts';

const linkupSearchPrice = searchPrice({
  rates: { standard: 5000, deep: 50_000, standard_answer: 6000, deep_answer: 55_000 },
  reads: ['depth', 'outputType'],
  each: ({ rates }, read) => {
    const quick = readName(read('depth'), ['flash', 'fast', 'standard']) !== undefined;
    const listed = readName(read('outputType'), ['searchResults']) !== undefined;
    if (listed) return quick ? rates.standard : rates.deep;
    return quick ? rates.standard_answer : rates.deep_answer;
  },
});

const linkupFetchPrice = extractPrice({
  // page and rendered: docs.linkup.so, pricing, 2026-11-15.
  rates: { page: 1000, rendered: 5000, pro: 10_000 },
  notes: {
    pro:
      'with `mode: pro`; the vendor names no amount (its documentation on 2026-11-17), so ten ' +
      'times a standard page is charged',
  },
  reads: ['renderJs', 'mode'],
  each: ({ rates, delivered }, read) => {
    const standard = readName(read('mode') ?? 'standard', ['standard']) !== undefined;
    if (!standard) return rates.pro * delivered;
    return (isOn(read('renderJs')) ? rates.rendered : rates.page) * delivered;
  },
});

const searchSupports = {
  query: row.at('q', row.native),
  max_results: row.at('maxResults', row.native),
  include_domains: row.at('includeDomains', row.domains({ path: true, atMost: 100 })),
  exclude_domains: row.at('excludeDomains', row.domains({ path: true, atMost: 50 })),
  published_after: row.at('fromDate', row.native),
  freshness: row.at('fromDate', row.native, 'window_start'),
  published_before: row.at('toDate', row.native),
  mode: row.ignoredBecause(
    'this engine has one tier here; use provider_options for its own depths.',
  ),
  category: row.categories({}),
} satisfies row.Rows;
const searchFixed = { depth: 'standard', outputType: 'searchResults' };

export const linkup: Provider = {
  id: 'engine_g',
  credential: { env: ['LINKUP_API_KEY'] },
  hosts: { api: { env: 'LINKUP_BASE_URL', default: 'https://api.linkup.so/v1' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: readRefusal,
  search: {
    supports: searchSupports,
    raw_at: [['results']],
    toRequests: row.posts('/search', searchSupports, searchFixed, ['q', 'depth', 'outputType']),
    fromReply: (body, { now }) =>
      (SearchAnswer.parse(body).results ?? []).flatMap((result, item) => hitsOf(result, item, now)),
    repeat: withFewerResults,
    price: linkupSearchPrice,
  },
  extract: {
    supports: row.markdownPages,
    batch: 1,
    toRequests: row.postsPages('/fetch', row.markdownPages, 'url', { fixed: { renderJs: false } }),
    raw_at: [[]],
    fromReplies: readPage,
    pageFault,
    price: linkupFetchPrice,
  },
};

const Item = z.object({
  type: maybe.text,
  name: maybe.text,
  url: z.string(),
  content: maybe.text,
  date: maybe.text,
});
/** Other output types, which native options can request, contain no result list. */
const SearchAnswer = asGiven(z.object({ results: z.array(Item).nullish() }));
const Page = z.object({ markdown: maybe.text });
const Failure = z.object({
  error: z.object({
    code: maybe.text,
    message: maybe.text,
    details: maybe.list({ field: maybe.text, message: maybe.text }),
  }),
});

/** No maximum is documented. If there is one, this many are accepted everywhere. */
const safeResults = 20;

function withFewerResults({ status, body }: Refusal, wire: WireRequest): WireRequest | undefined {
  const named = errorOf(body).details?.some(({ field }) => field === 'maxResults') ?? false;
  const wanted = wire.body?.['maxResults'];
  if (status !== 400 || !named || typeof wanted !== 'number' || wanted <= safeResults) {
    return undefined;
  }
  const message = `Capped at ${safeResults}: the provider refused ${wanted}.`;
  return {
    ...wire,
    body: { ...wire.body, maxResults: safeResults },
    warning: { code: 'param_approximated', param: 'max_results', message },
  };
}

/** The results include images if a native option asks for them. */
function hitsOf(result: z.infer<typeof Item>, item: number, now: Date): Hit[] {
  if ((result.type ?? 'text') !== 'text') return [];
  const snippets = plainTexts(passages(result.content ?? ''));
  const { url, name, date } = result;
  return [{ item, url, title: plain(name), snippets, published_date: readDay(date, now) }];
}

function readPage(bodies: readonly unknown[]): PageOutcome[] {
  const content = filled(Page.parse(bodies[0]).markdown);
  if (content === undefined) return ['the page has no content before its scripts run'];
  return [{ title: plain(/^# +(.+)$/m.exec(content)?.[1]), content }];
}

function readRefusal(reply: Reply): Refusal | 'no_results' | undefined {
  if (reply.status < 300) return undefined;
  const { code } = errorOf(reply.body);
  if (code === 'SEARCH_QUERY_NO_RESULT') return 'no_results';
  const kind = outOfCredit.has(code ?? '') ? 'out_of_credit' : undefined;
  return refusalOf(reply, messageOf(reply.body), { kind });
}

/** The vendor answers 429 here too, but waiting does not help. */
const outOfCredit: ReadonlySet<string> = new Set([
  'INSUFFICIENT_FUNDS_CREDITS',
  'EXCEED_BUDGET_LIMIT',
]);

function pageFault({ body, message }: Refusal): string | undefined {
  const { code, details } = errorOf(body);
  const aboutUrl = details?.some(({ field }) => field === 'url') ?? false;
  const blamesPage = code?.startsWith('FETCH_') === true || code === 'REQUEST_DEADLINE_EXCEEDED';
  return blamesPage || (code === 'VALIDATION_ERROR' && aboutUrl) ? message : undefined;
}

function messageOf(body: unknown): string | undefined {
  const { message, details } = errorOf(body);
  const faults = (details ?? []).map((fault) => `${fault.field ?? 'body'}: ${fault.message ?? ''}`);
  if (!message) return undefined;
  return faults.length > 0 ? `${message} (${faults.join('; ')})` : message;
}

function errorOf(body: unknown): Partial<z.infer<typeof Failure>['error']> {
  return Failure.safeParse(body).data?.error ?? {};
}
