// engine_f: Firecrawl, web search with passages that answer the query, and pages as markdown.
import { z } from 'zod';
import { closedRange, monthFirst, readDay } from '../../negotiation/index.ts';
import { type Refusal, type Reply, refusalOf } from '../../upstream/core/index.ts';
import type { ExtractInput, Hit, PageOutcome, Provider, SearchInput } from '../provider.ts';
import { asGiven, maybe } from '../shared/schemas.ts';
import * as row from '../shared/rows.ts';
import { filled, passages, plain, plainTexts } from '../shared/text.ts';
import { firecrawlPagePrice, firecrawlSearchPrice } from './prices.ts';

/** For a single entry in another form, the whole request is refused. */
const siteList = row.domains({ plainNames: true });

/** The time filter applies only to web results. */
const outsideNews = row.outside('news');
const dates = row.when(outsideNews, row.native, row.postFiltered);

const searchSupports = {
  query: row.at('query', row.limited(500)),
  max_results: row.at('limit', row.native),
  category: row.at(
    { sources: { news: ['news'] }, categories: { research: ['research'] } },
    row.categories({
      news: 'news',
      research: row.near('research', "limited to the provider's list of academic sites."),
    }),
  ),
  include_domains: row.at('includeDomains', siteList),
  exclude_domains: row.at(
    'excludeDomains',
    row.when(row.nothingIncluded, siteList, row.postFiltered),
  ),
  freshness: row.at(
    'tbs',
    row.when(
      outsideNews,
      row.choice({ day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' }),
      row.postFiltered,
    ),
  ),
  published_after: row.at('tbs', dates, dateRange),
  published_before: row.at('tbs', dates, dateRange),
  'locale.country': row.at('country', row.rankingHint, 'upper'),
} satisfies row.Rows;

const pageSupports = {
  query: row.onlyForExcerpts(row.limited(10_000)),
  'content.full_text': row.at('formats', row.native, formatsOf),
  'content.max_chars': row.trimmed,
  'content.excerpts': row.at('formats', row.native, 'elsewhere'),
  'content.format': row.markdownOnly,
} satisfies row.Rows;

export const firecrawl: Provider = {
  id: 'engine_f',
  credential: { env: ['FIRECRAWL_API_KEY'], not_needed_with_base: true },
  hosts: { api: { env: 'FIRECRAWL_API_URL', default: 'https://api.firecrawl.dev' } },
  auth: (key) => ({ authorization: `Bearer ${key}` }),
  read: readRefusal,
  search: {
    supports: searchSupports,
    warnings: {
      at: [['warning']],
      params: row.namedFields(searchSupports, ['query', 'category', 'locale.country']),
    },
    raw_at: [
      ['data', 'web'],
      ['data', 'news'],
    ],
    toRequests: row.posts('/v2/search', searchSupports, { sources: ['web'], highlights: true }),
    fromReply: readResults,
    price: firecrawlSearchPrice,
  },
  extract: {
    supports: pageSupports,
    batch: 1,
    toRequests: row.postsPages('/v2/scrape', pageSupports, 'url'),
    raw_at: [['data']],
    warnings: { at: [['warning'], ['data', 'warning']], params: {} },
    fromReplies: readPage,
    pageFault,
    price: firecrawlPagePrice,
  },
};

function dateRange({ ask: { published_after, published_before }, now }: SearchInput): string {
  const { from, to } = closedRange(published_after ?? firstDay, published_before, now);
  return `cdr:1,cd_min:${monthFirst(from)},cd_max:${monthFirst(to)}`;
}

/** Earlier than any page worth finding. */
const firstDay = '1990-01-01';

function readResults(body: unknown, { now }: SearchInput): Hit[] {
  const { web, news } = SearchAnswer.parse(body).data ?? {};
  return [...(web ?? []), ...(news ?? [])].flatMap((result, item) => {
    const text = filled(result.description) ?? filled(result.snippet) ?? '';
    return {
      item,
      url: result.url,
      title: plain(result.title),
      snippets: plainTexts(passages(text)),
      published_date: readDay(result.date, now),
    };
  });
}

/** Excerpts can be requested alone. Everything else is derived from the whole page. */
function formatsOf({ ask }: ExtractInput): unknown[] {
  if (ask['content.excerpts'] === undefined) return ['markdown'];
  const highlights = { type: 'highlights', query: ask.query ?? mainPoints };
  const withPage = ask['content.full_text'] || ask.query === undefined;
  return withPage ? ['markdown', highlights] : [highlights];
}

/**
 * The provider picks passages only for a query. If it finds none, the beginning of the page is
 * used.
 */
const mainPoints = 'the main points of this page';
const openingPassages = 3;

function readPage(bodies: readonly unknown[], { ask, now }: ExtractInput): PageOutcome[] {
  const { markdown, highlights, metadata } = PageAnswer.parse(bodies[0]).data;
  const { title, author, url: finalUrl, statusCode, ...dates } = metadata ?? {};
  const opening = ask['content.excerpts']?.max_per_url ?? openingPassages;
  const picked = passages(highlights ?? '');
  const excerpts =
    picked.length > 0 || ask.query !== undefined
      ? picked
      : passages(markdown ?? '').slice(0, opening);
  const onlyExcerpts = ask['content.excerpts'] !== undefined && !ask['content.full_text'];
  if (statusCode && statusCode >= 400) return [`HTTP ${statusCode}`];
  if (onlyExcerpts && excerpts.length === 0) return ['no passage of the page answers the query'];
  return [
    {
      final_url: filled(finalUrl),
      title: plain(firstOf(title)),
      content: filled(markdown),
      excerpts,
      published_date: [dates.publishedTime, dates.dcDate, dates.dcTermsCreated, dates.dcDateCreated]
        .map((text) => readDay(firstOf(text), now))
        .find((day) => day !== undefined),
      author: plain(firstOf(author)),
    },
  ];
}

/** A failure may come with status 200. */
function readRefusal(reply: Reply): Refusal | undefined {
  if (reply.status < 300 && !Failed.find(reply.body)) return undefined;
  const { success, error, code, details } = Failure.safeParse(reply.body).data ?? {};
  if (reply.status < 300 && success !== false) return undefined;
  const faults = (details ?? []).map(({ path, message }) => `; ${path.join('.')}: ${message}`);
  const named = error && (code ? `${error} (${code})` : error) + faults.join('');
  return refusalOf(reply, named ?? undefined, {
    kind: isAboutSite(reply) ? 'rejected' : undefined,
    wait_s: reply.status === 429 ? waitInWords.exec(error ?? '')?.[1] : undefined,
  });
}

/** The wait is in the message, and not always in a header. */
const waitInWords = /\bretry after (\d{1,6}) ?s/i;

/**
 * A 403 is about the credential unless it names the site: then another credential would be refused
 * as well, and callers choose the address.
 */
function isAboutSite({ status, body }: Pick<Refusal, 'status' | 'body'>): boolean {
  if (status !== 403) return false;
  const { error, code } = Failure.safeParse(body).data ?? {};
  if (code !== undefined && code !== null) {
    return code === 'THIRD_PARTY_DATA_TERMS_REQUIRED' || code.startsWith('SCRAPE_');
  }
  const text = error ?? '';
  return /\b(?:web)?sites?\b/i.test(text) && /support|blocked/i.test(text);
}

function pageFault({ status, body, message }: Refusal): string | undefined {
  if (status === 403) return isAboutSite({ status, body }) ? message : undefined;
  const { error, code, details } = Failure.safeParse(body).data ?? {};
  const badAddress =
    /^invalid url/i.test(error ?? '') || details?.some(({ path }) => path[0] === 'url') === true;
  return code?.startsWith('SCRAPE_') === true || badAddress ? message : undefined;
}

/** If a page repeats a meta tag, its value is a list. */
const Texts = z.union([z.string(), z.array(z.string())]).nullish();

function firstOf(texts: z.infer<typeof Texts>): string | undefined {
  return (typeof texts === 'string' ? texts : texts?.[0]) ?? undefined;
}

const Result = z.object({
  url: z.string(),
  title: maybe.text,
  description: maybe.text,
  snippet: maybe.text,
  date: maybe.text,
});
/**
 * One list for each kind of source. A kind without results may be missing, and so may all of them.
 */
const SearchAnswer = asGiven(
  z.object({
    success: z.literal(true),
    data: maybe.object({ web: z.array(Result).nullish(), news: z.array(Result).nullish() }),
  }),
);
const PageAnswer = z.object({
  data: z.object({
    markdown: maybe.text,
    highlights: maybe.text,
    metadata: maybe.object({
      title: Texts,
      author: Texts,
      url: maybe.text,
      statusCode: maybe.number,
      publishedTime: Texts,
      dcDate: Texts,
      dcTermsCreated: Texts,
      dcDateCreated: Texts,
    }),
  }),
});
/** Every answer is checked for this before its failure is read. */
const Failed = asGiven(z.object({ success: z.literal(false) }));
const Failure = z.object({
  success: z.boolean().nullish(),
  error: maybe.text,
  code: maybe.text,
  /** A list of fields for a refused request, something else for other failures. */
  details: maybe.list({ path: z.array(z.unknown()), message: z.string() }).catch(undefined),
});
