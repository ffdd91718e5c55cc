// engine_e: Serper, Google's result pages as data, and a page reader on a separate host.
import { z } from 'zod';
import { asGiven, maybe } from '../shared/schemas.ts';
import { monthFirst, readDay, readYear, type SearchAsk } from '../../negotiation/index.ts';
import { type Refusal, refusalOf, type Reply } from '../../upstream/core/index.ts';
import { filled, plain, plainTexts } from '../shared/text.ts';
import type { ExtractInput, PageOutcome, Provider, SearchInput } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import * as row from '../shared/rows.ts';
import { extractPrice, readCount, searchPrice } from '../shared/price-rule.ts';

const resultsForOneCredit = 10;
const creditsForMoreResults = 2;
const creditsForMostPages = 2;
/** What the most difficult pages cost. */
const creditsForAnyPage = 10;

const serperSearchPrice = searchPrice({
  rates: { credit: 1000 },
  reads: ['num'],
  each: ({ rates }, read) => {
    const results = readCount(read('num'), { absent: 10, max: 100 });
    return rates.credit * (results > resultsForOneCredit ? creditsForMoreResults : 1);
  },
  reported: { at: 'credits', rate: 'credit' },
});

const serperPagePrice = extractPrice({
  rates: { credit: 1000 },
  reads: [],
  each: ({ rates, isBefore, delivered }) =>
    rates.credit * (isBefore ? creditsForAnyPage : creditsForMostPages) * delivered,
  reported: { at: 'credits', rate: 'credit' },
});

const pageSize = 10;
/** Google's limit, including operators. */
const maxQueryChars = 2048;
const byPageDate = row.hint('the provider uses the dates that Google assigns to pages.');

/** The scholarly index has no time filter. */
const outsideScholar = row.outside('research');

const searchSupports = {
  query: row.at('q', row.limited(maxQueryChars)),
  max_results: row.native,
  'locale.country': row.at('gl', row.native, 'lower'),
  'locale.language': row.at('hl', row.native, ({ ask }: SearchInput) => {
    const language = ask['locale.language']?.toLowerCase();
    return language === 'zh' ? 'zh-cn' : language;
  }),
  offset: row.at('page', row.native, 'elsewhere'),
  freshness: row.at(
    'tbs',
    row.when(
      outsideScholar,
      row.choice({ day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' }),
      row.postFiltered,
    ),
  ),
  published_after: row.at('tbs', row.when(outsideScholar, byPageDate, row.postFiltered), dateRange),
  published_before: row.at(
    'tbs',
    row.when(outsideScholar, byPageDate, row.postFiltered),
    dateRange,
  ),
  safe_search: row.at(
    'safe',
    row.choice({
      off: 'off',
      moderate: row.near(
        '',
        "the provider supports only off and strict, so Google's default applies.",
      ),
      strict: 'active',
    }),
  ),
  include_domains: row.rewritten('site'),
  exclude_domains: row.rewritten('not_site'),
  category: row.categories({
    news: 'news',
    research: row.near('scholar', "searched in the provider's scholarly index."),
  }),
} satisfies row.Rows;
const searchFields = row.fieldsFrom(searchSupports);

const pageSupports = {
  'content.full_text': row.at('includeMarkdown', row.native, ({ ask }: ExtractInput) =>
    ask['content.format'] === 'text' ? undefined : true,
  ),
  'content.max_chars': row.trimmed,
  'content.format': row.at(
    'includeMarkdown',
    row.choice({ markdown: 'markdown', text: 'text' }),
    'elsewhere',
  ),
} satisfies row.Rows;
export const serper: Provider = {
  id: 'engine_e',
  credential: { env: ['SERPER_API_KEY'] },
  hosts: {
    api: { env: 'SERPER_BASE_URL', default: 'https://google.serper.dev' },
    scrape: { env: 'SERPER_SCRAPE_BASE_URL', default: 'https://scrape.serper.dev' },
  },
  auth: (key) => ({ 'x-api-key': key }),
  read: (reply) => (reply.status < 300 ? undefined : readRefusal(reply)),
  search: {
    supports: searchSupports,
    raw_at: [['organic'], ['news']],
    toRequests: (input) => pagesOf(input.ask).map((page) => searchRequest(input, page)),
    skip: ({ offset = 0 }) => offset % pageSize,
    fromReply: readResults,
    price: serperSearchPrice,
  },
  extract: {
    supports: pageSupports,
    batch: 1,
    toRequests: row.postsPages('/', pageSupports, 'url', { host: 'scrape' }),
    raw_at: [[]],
    fromReplies: readPage,
    pageFault,
    mayBeOwnFault: ({ kind }) => kind === 'unavailable',
    price: serperPagePrice,
  },
};

const Result = z.object({
  link: z.string(),
  title: maybe.text,
  snippet: maybe.text,
  date: maybe.text,
  /** Only papers have it. */
  year: z.unknown().optional(),
});
/** An answer echoes the request, which distinguishes an empty answer from an invalid one. */
const SearchAnswer = asGiven(
  z.object({
    searchParameters: z.looseObject({}),
    organic: z.array(Result).nullish(),
    news: z.array(Result).nullish(),
  }),
);
const PageAnswer = z.object({
  text: maybe.text,
  markdown: maybe.text,
  title: maybe.text,
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
const Failure = z.object({ message: z.string() });

function pagesOf({ offset = 0, max_results }: SearchAsk): number[] {
  const first = Math.floor(offset / pageSize) + 1;
  const last = Math.floor((offset + max_results - 1) / pageSize) + 1;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function searchRequest(input: SearchInput, page: number): WireRequest {
  const body = searchFields(input);
  body['page'] = page;
  return { method: 'POST', path: `/${filled(input.ask.category) ?? 'search'}`, body };
}

function dateRange({ ask: { published_after, published_before } }: SearchInput): string {
  const bounds = [
    published_after && `cd_min:${monthFirst(published_after)}`,
    published_before && `cd_max:${monthFirst(published_before)}`,
  ].filter((bound) => bound !== undefined);
  return ['cdr:1', ...bounds].join(',');
}

function readResults(body: unknown, { now }: SearchInput) {
  const { organic, news } = SearchAnswer.parse(body);
  return [...(organic ?? []), ...(news ?? [])].map((result, item) => ({
    item,
    url: result.link,
    title: plain(result.title),
    snippets: plainTexts([result.snippet]),
    published_date: readDay(result.date, now),
    published_year: readYear(result.year),
  }));
}

function readPage(bodies: readonly unknown[], { ask, now }: ExtractInput): PageOutcome[] {
  const { text, markdown, title, metadata } = PageAnswer.parse(bodies[0]);
  const meta = metadata ?? {};
  const wanted = ask['content.format'] === 'text' ? undefined : filled(markdown);
  return [
    {
      title: plain(meta['title']) ?? plain(meta['og:title']) ?? plain(title),
      content: wanted ?? filled(text),
      published_date: readDay(meta['article:published_time'], now) ?? readDay(meta['date'], now),
      author: nameOf(meta['author']) ?? nameOf(meta['article:author']),
    },
  ];
}

/** Some sites give the address of a profile as the author, which is not a name. */
function nameOf(value: unknown): string | undefined {
  const name = plain(value);
  return name === undefined || URL.canParse(name) ? undefined : name;
}

/** Serper answers 400 or 429 for an exhausted account; only the message shows the reason. */
function readRefusal(reply: Reply): Refusal {
  const message = Failure.safeParse(reply.body).data?.message ?? plain(reply.text);
  const spent = /not enough credits|out of credits|no credits/i.test(message ?? '');
  const kind = spent ? 'out_of_credit' : undefined;
  return refusalOf(reply, message?.slice(0, maxMessageChars), { kind });
}

const maxMessageChars = 500;

/**
 * The reader reports in its own envelope that it could not read a page. Other failures are its own.
 */
function pageFault({ kind, status, body, message }: Refusal): string | undefined {
  const aboutPage = kind === 'rejected' || (kind === 'unavailable' && status !== 503);
  return aboutPage && Failure.safeParse(body).success ? message : undefined;
}
