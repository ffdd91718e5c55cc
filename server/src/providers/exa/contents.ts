// Exa's extraction product: its contents endpoint, with up to a hundred pages per call.
import { z } from 'zod';
import { readDay } from '../../negotiation/index.ts';
import { matchPages } from '../shared/match-pages.ts';
import type { Refusal } from '../../upstream/core/index.ts';
import { filled, plain } from '../shared/text.ts';
import { maybe } from '../shared/schemas.ts';
import { extractPrice, isOn, itemsAt, readCount, sumOver, valueAt } from '../shared/price-rule.ts';
import type { ExtractInput, ExtractProduct, Page, PageOutcome } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import * as row from '../shared/rows.ts';

/** The vendor's own figure takes the account's tier into account. */
export const totalCost = 'costDollars.total';
export const subpageBounds = { absent: 0, min: 0, max: 100 };
const kinds = ['text', 'highlights', 'summary'] as const;

const exaContentsPrice = extractPrice({
  rates: { text: 1000, highlights: 1000, summary: 1000 },
  reads: ['text', 'highlights', 'summary', 'subpages'],
  each: ({ rates, bodies, delivered }, read) => {
    const asked = kinds.filter((kind) => isOn(read(kind)));
    // If nothing is requested, the vendor returns the text.
    const each = asked.length === 0 ? rates.text : sumOver(asked, (kind) => rates[kind]);
    const below = readCount(read('subpages'), subpageBounds);
    return each * (delivered + subpagesOf(bodies, delivered * below));
  },
  reported: { at: totalCost },
});

/** The maximum number of links and images that the vendor returns. */
const maxExtras = 1000;

const supports = {
  query: row.forExcerptsOrSummary(row.native, row.native),
  'content.full_text': row.at('text', row.native, textWanted),
  'content.max_chars': row.at('text', row.native, 'elsewhere'),
  'content.excerpts': row.at('highlights', row.native, ({ ask }: ExtractInput) =>
    highlightOptions(ask),
  ),
  'content.summary': row.at('summary', row.native, ({ ask }: ExtractInput) =>
    ask['content.summary'] ? { query: ask.query } : undefined,
  ),
  'content.format': row.markdownOnly,
  include_links: row.at('extras.links', row.native, { true: maxExtras }),
  include_images: row.at('extras.imageLinks', row.native, { true: maxExtras }),
  max_age_hours: row.at('maxAgeHours', row.native),
  timeout_ms: row.at('livecrawlTimeout', row.native),
} satisfies row.Rows;

export const contents: ExtractProduct = {
  supports,
  batch: 100,
  // The vendor refuses the whole batch for a longer one.
  maxUrlLength: 2048,
  toRequests: row.postsPages('/contents', supports, 'urls'),
  raw_at: [['results']],
  warnings: { at: [['warnings'], ['notices']], params: { maxCharacters: 'content.max_chars' } },
  fromReplies: readPages,
  pageFault: ({ body, message }) =>
    pageFaults.has(Failure.safeParse(body).data?.tag ?? '') ? message : undefined,
  repeat: withoutTextLimit,
  price: exaContentsPrice,
};

export const described = {
  url: z.string(),
  title: maybe.text,
  publishedDate: maybe.text,
  author: maybe.text,
  text: maybe.text,
  summary: maybe.text,
  highlights: maybe.texts,
};

const ContentsAnswer = z.object({
  results: z.array(
    z.object({
      ...described,
      id: maybe.text,
      image: maybe.text,
      extras: maybe.object({ links: maybe.texts, imageLinks: maybe.texts }),
    }),
  ),
  statuses: maybe.list({
    id: z.string(),
    error: maybe.object({ tag: maybe.text, httpStatusCode: maybe.number }),
  }),
});

/**
 * Older products have a sentence under `error`, newer ones an object, and a payment demand has
 * neither.
 */
export const Failure = z.object({
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
  tag: maybe.text,
  x402Version: maybe.number,
});

/** Refusals of a whole request which only mean that none of its pages could be fetched. */
const pageFaults = new Set([
  'NO_CONTENT_FOUND',
  'INVALID_URLS',
  'ROBOTS_FILTER_FAILED',
  'FETCH_DOCUMENT_ERROR',
]);
const maxHighlightChars = 10_000;

/** A request without any content type would return no information about the pages. */
function textWanted({ ask }: ExtractInput): true | { maxCharacters: number } | undefined {
  const others = ask['content.excerpts'] !== undefined || ask['content.summary'] === true;
  if (!ask['content.full_text'] && others) return undefined;
  const maxChars = ask['content.max_chars'];
  return maxChars === undefined ? true : { maxCharacters: maxChars };
}

/**
 * The vendor limits all highlights of a page together. Their number and length are limited here.
 */
function highlightOptions({ query, 'content.excerpts': excerpts }: ExtractInput['ask']) {
  const { max_per_url: count, max_chars_per_excerpt: chars } = excerpts ?? {};
  const maxCharacters =
    count === undefined || chars === undefined
      ? undefined
      : Math.min(count * chars, maxHighlightChars);
  if (query === undefined && maxCharacters === undefined) return true;
  return { query, maxCharacters };
}

/** Some servers accept only shorter limits. The whole text is then requested, and cut here. */
function withoutTextLimit({ status, body }: Refusal, wire: WireRequest): WireRequest | undefined {
  const named = status === 400 && JSON.stringify(body ?? '').includes('maxCharacters');
  const limited = typeof wire.body?.['text'] === 'object';
  return named && limited ? { ...wire, body: { ...wire.body, text: true } } : undefined;
}

function readPages([body]: readonly unknown[], { urls, now }: ExtractInput): PageOutcome[] {
  const { results, statuses } = ContentsAnswer.parse(body);
  const reports = matchPages(urls, statuses ?? [], ({ id }) => id);
  return matchPages(urls, results, ({ id, url }) => id ?? url).map(([result, item], index) => {
    const page = result && pageOf(result, now);
    if (page?.content !== undefined || page?.summary !== undefined || page?.excerpts?.length) {
      return { item, ...page };
    }
    const { tag, httpStatusCode: status } = reports[index]?.[0]?.error ?? {};
    const error = tag ?? (page ? 'the page has no content' : 'no content returned');
    return status ? `${error} (HTTP ${status})` : error;
  });
}

function pageOf(result: z.infer<typeof ContentsAnswer>['results'][number], now: Date): Page {
  const { image, extras } = result;
  return {
    final_url: result.url,
    title: plain(result.title),
    content: filled(result.text),
    excerpts: (result.highlights ?? []).flatMap((text) => filled(text) ?? []),
    summary: filled(result.summary),
    published_date: readDay(result.publishedDate, now),
    author: filled(result.author),
    links: extras?.links ?? [],
    images: [...new Set([...(image ? [image] : []), ...(extras?.imageLinks ?? [])])],
  };
}

/** Before the call, all requested subpages; afterwards, those that were returned. */
export function subpagesOf([body]: readonly unknown[], asked: number): number {
  if (asked === 0 || !Array.isArray(valueAt(body, 'results'))) return asked;
  const came = sumOver(itemsAt(body, 'results'), (result) => itemsAt(result, 'subpages').length);
  return Math.min(came, asked);
}
