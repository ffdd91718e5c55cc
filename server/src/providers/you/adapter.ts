// engine_j: You.com, web and news search over its own index, and page contents as markdown.
import { z } from 'zod';
import { asGiven, faultAt, FieldFaults, fieldFaults, maybe } from '../shared/schemas.ts';
import { isoDay, readDay } from '../../negotiation/index.ts';
import { matchPages } from '../shared/match-pages.ts';
import { refusalOf } from '../../upstream/core/index.ts';
import { filled, firstTexts, joinNames, plain } from '../shared/text.ts';
import type { ExtractInput, Hit, PageOutcome, Provider, SearchInput } from '../provider.ts';
import * as row from '../shared/rows.ts';
import {
  extractPrice,
  isOn,
  itemsAt,
  type Read,
  readCount,
  readName,
  searchPrice,
  sumOver,
} from '../shared/price-rule.ts';

/** Web pages and news are counted separately. */
const sections = ['results.web', 'results.news'];
const fetching = [
  'extraction',
  'extraction.extraction_mode',
  'extraction.extraction_source',
  'livecrawl',
] as const;

const youSearchPrice = searchPrice({
  // You.com billing page, 2026-11-15; which pages count, extraction guide, 2026-11-17.
  rates: { search: 5000, full_page: 1000 },
  notes: {
    full_page:
      'each page that is fetched live, with `extraction_source: fetch` or `livecrawl`; pages of ' +
      'the cache cost nothing (documentation on 2026-11-17)',
  },
  reads: ['count', ...fetching],
  each: ({ rates, bodies: [body], isBefore }, read) => {
    const fetched = pagesFetched(read);
    // With a mix, the vendor does not say which pages it fetched, so their price is only held.
    if (fetched === 'none' || (fetched === 'some' && !isBefore)) return rates.search;
    const maxPages = sections.length * readCount(read('count'), { absent: 10, max: 100 });
    const pages = sumOver(sections, (section) => itemsAt(body, section).length);
    return rates.search + rates.full_page * (isBefore ? maxPages : Math.min(pages, maxPages));
  },
});

const youContentsPrice = extractPrice({
  rates: { page: 1000 },
  reads: [],
  each: ({ rates, delivered }) => rates.page * delivered,
});

/**
 * Which whole pages are fetched live, by the newer option or the older one. Passages and cached
 * pages are included in the price of a search.
 */
function pagesFetched(read: Read<(typeof fetching)[number]>): 'none' | 'some' | 'all' {
  if (isOn(read('livecrawl'))) return 'all';
  const passages = readName(read('extraction.extraction_mode'), ['highlights']) !== undefined;
  if (!isOn(read('extraction')) || passages) return 'none';
  const source = readName(read('extraction.extraction_source') ?? 'blend', ['blend', 'cache']);
  if (source === undefined) return 'all';
  return source === 'cache' ? 'none' : 'some';
}

const siteList = row.domains({ atMost: 500 });

const searchSupports = {
  query: row.at('query', row.native, ({ ask }: SearchInput) =>
    ask.category === 'news' ? `${ask.query} news` : ask.query,
  ),
  max_results: row.at('count', row.native),
  published_after: row.at('freshness', row.native, range),
  published_before: row.at('freshness', row.native, range),
  freshness: row.at('freshness', row.native),
  'locale.country': row.at(
    'country',
    row.ifKnown('country', row.inCommonCountries, row.rankingHint),
    'upper',
  ),
  'locale.language': row.at(
    'language',
    row.ifKnown('language', (code) => languageOf(code) !== undefined, row.rankingHint),
    ({ ask }: SearchInput) => languageOf(String(ask['locale.language'])),
  ),
  include_domains: row.at('include_domains', siteList),
  exclude_domains: row.at(
    'exclude_domains',
    row.when(row.nothingIncluded, siteList, row.postFiltered),
  ),
  category: row.at(
    'query',
    row.categories({
      news: row.near(
        'news',
        '"news" was added to the query, and web results fill gaps in the news section.',
      ),
    }),
    'elsewhere',
  ),
} satisfies row.Rows;

export const you: Provider = {
  id: 'engine_j',
  credential: { env: ['YDC_API_KEY'] },
  hosts: { api: { env: 'YDC_BASE_URL', default: 'https://ydc-index.io' } },
  auth: (key) => ({ 'x-api-key': key }),
  read: (reply) => (reply.status < 300 ? undefined : refusalOf(reply, messageOf(reply.body))),
  search: {
    supports: searchSupports,
    raw_at: [
      ['results', 'web'],
      ['results', 'news'],
    ],
    toRequests: row.posts('/v1/search', searchSupports),
    fromReply: readSections,
    price: youSearchPrice,
  },
  extract: {
    supports: row.markdownPages,
    batch: 10,
    toRequests: row.postsPages('/v1/contents', row.markdownPages, 'urls', {
      fixed: { formats: ['markdown'] },
    }),
    raw_at: [[]],
    fromReplies: readPages,
    price: youContentsPrice,
  },
};

const Item = z.object({
  url: z.string(),
  title: maybe.text,
  description: maybe.text,
  snippets: maybe.texts,
  page_age: maybe.text,
  authors: maybe.texts,
  /** Passages that a native option asks for. */
  contents: maybe.object({ highlights: maybe.texts }),
});
const Items = z.array(Item).nullish();
const SearchAnswer = asGiven(z.object({ results: maybe.object({ web: Items, news: Items }) }));
const Contents = z.array(z.object({ url: maybe.text, title: maybe.text, markdown: maybe.text }));
/**
 * Each endpoint has its own error format, and a format that does not match must not hide the
 * others.
 */
const Failure = z.object({
  message: z.string().nullish().catch(undefined),
  detail: z.union([z.string(), FieldFaults]).nullish().catch(undefined),
  error: z
    .union([
      z.string(),
      z.object({ detail: z.string() }).transform(({ detail }) => detail),
      z.object({ message: z.string() }).transform(({ message }) => message),
    ])
    .nullish()
    .catch(undefined),
  errors: maybe
    .list({
      detail: maybe.text,
      title: maybe.text,
      code: maybe.text,
      source: maybe.object({ pointer: maybe.text }),
    })
    .catch(undefined),
});

function range({ ask: { published_after: after, published_before: before }, now }: SearchInput) {
  // The caller's day may begin before ours, and a range from it would then end before it begins.
  const until = before ?? isoDay(now);
  const from = after ?? firstDay;
  return `${from < until ? from : until}to${until}`;
}

/** Before any page was published. */
const firstDay = '1970-01-01';

/** News comes after web pages in `raw_at`, whichever section is read first. */
function readSections(body: unknown, { ask, now }: SearchInput): Hit[] {
  const { web, news } = SearchAnswer.parse(body).results ?? {};
  const pages = (web ?? []).map((item, at) => hitOf(item, at, now));
  const reports = (news ?? []).map((item, at) => hitOf(item, pages.length + at, now));
  if (ask.category !== 'news') return pages.length > 0 ? pages : reports;
  const reported = new Set(reports.map(({ url }) => url));
  return [...reports, ...pages.filter(({ url }) => !reported.has(url))];
}

function hitOf(item: z.infer<typeof Item>, at: number, now: Date): Hit {
  return {
    item: at,
    url: item.url,
    title: plain(item.title),
    snippets: firstTexts(item.contents?.highlights, item.snippets, [item.description]),
    published_date: readDay(item.page_age, now),
    author: joinNames(item.authors),
  };
}

function readPages(bodies: readonly unknown[], { urls }: ExtractInput): PageOutcome[] {
  return matchPages(urls, Contents.parse(bodies[0]), ({ url }) => url).map(([page, item]) => {
    const content = filled(page?.markdown);
    if (content === undefined) return 'no content returned';
    return { item, title: plain(page?.title), content };
  });
}

function messageOf(body: unknown): string | undefined {
  const { message, detail, error, errors } = Failure.safeParse(body).data ?? {};
  const faults = (errors ?? []).map((fault) => {
    const sentence = filled(fault.detail) ?? filled(fault.title) ?? fault.code ?? 'not valid';
    return faultAt((fault.source?.pointer ?? '').split('/'), sentence);
  });
  const fields = typeof detail === 'string' ? detail : detail && fieldFaults(detail);
  return filled(message) ?? filled(fields) ?? filled(faults.join('; ')) ?? filled(error);
}

/** The vendor's code for a two-letter language. Undefined if it has none. */
export function languageOf(code: string): string | undefined {
  const upper = code.toUpperCase();
  const word = renamed[upper] ?? upper;
  return languages.has(word) ? word : undefined;
}

/** A regional form is used for a language that the vendor does not list without a region. */
const renamed: Readonly<Record<string, string>> = {
  NO: 'NB',
  PT: 'PT-BR',
  ZH: 'ZH-HANS',
};

const languages: ReadonlySet<string> = new Set(
  `AR EU BN BG CA ZH-HANS ZH-HANT HR CS DA NL EN EN-GB ET FI FR GL DE EL GU HE HI HU IS IT JA KN KO
   LV LT MS ML MR NB PL PT-BR PT-PT PA RO RU SR SK SL ES SV TA TE TH TR UK VI`.split(/\s+/),
);
