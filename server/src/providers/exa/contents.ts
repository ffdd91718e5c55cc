// Exa's extraction product: its contents endpoint, with up to a hundred pages per call.
import type { z } from 'zod';
import {
  excerptsWanted,
  ignoredBecause,
  native,
  readDay,
  summaryWanted,
  when,
} from '../../negotiation/index.ts';
import { matchPages } from '../shared/match-pages.ts';
import type { Refusal } from '../../upstream/core/index.ts';
import { filled, plain } from '../shared/text.ts';
import { exaContentsPrice } from './prices.ts';
import { ContentsAnswer, Failure } from './wire.ts';
import type { ExtractInput, ExtractProduct, Page, PageOutcome } from '../provider.ts';
import type { WireRequest } from '../shared/wire-request.ts';
import { pageTargets } from '../shared/refused-options.ts';

export const contents: ExtractProduct = {
  supports: {
    query: when(
      excerptsWanted,
      native,
      when(
        summaryWanted,
        native,
        ignoredBecause('it affects only excerpts and summaries, and neither was requested.'),
      ),
    ),
    'content.full_text': native,
    'content.max_chars': native,
    'content.excerpts': native,
    'content.summary': native,
    'content.format': ignoredBecause('the provider returns markdown.'),
    include_links: native,
    include_images: native,
    max_age_hours: native,
    timeout_ms: native,
  },
  batch: 100,
  // The vendor refuses the whole batch for a longer one.
  maxUrlLength: 2048,
  toRequests: (input) => [contentsRequest(input)],
  raw_at: [['results']],
  warnings: { at: [['warnings'], ['notices']], params: { maxCharacters: 'content.max_chars' } },
  fromReplies: readPages,
  pageFault: ({ body, message }) =>
    pageFaults.has(Failure.safeParse(body).data?.tag ?? '') ? message : undefined,
  repeat: withoutTextLimit,
  refused_options: pageTargets,
  price: exaContentsPrice,
};

/** Refusals of a whole request which only mean that none of its pages could be fetched. */
const pageFaults = new Set([
  'NO_CONTENT_FOUND',
  'INVALID_URLS',
  'ROBOTS_FILTER_FAILED',
  'FETCH_DOCUMENT_ERROR',
]);
/** The maximum number of links and images that the vendor returns. */
const maxExtras = 1000;
const maxHighlightChars = 10_000;

function contentsRequest({ urls, ask }: ExtractInput): WireRequest {
  const { query, include_links, include_images } = ask;
  const excerpts = ask['content.excerpts'];
  const summary = ask['content.summary'] === true;
  // A request without any content type would return no information about the pages.
  const text = ask['content.full_text'] || (excerpts === undefined && !summary);
  const maxChars = ask['content.max_chars'];
  const whole = maxChars === undefined ? true : { maxCharacters: maxChars };
  const extras = {
    links: include_links ? maxExtras : undefined,
    imageLinks: include_images ? maxExtras : undefined,
  };
  return {
    method: 'POST',
    path: '/contents',
    body: {
      urls,
      text: text ? whole : undefined,
      highlights: excerpts && highlightOptions(excerpts, query),
      summary: summary ? { query } : undefined,
      extras: include_links || include_images ? extras : undefined,
      maxAgeHours: ask.max_age_hours,
      livecrawlTimeout: ask.timeout_ms,
    },
  };
}

/**
 * The vendor limits all highlights of a page together. Their number and length are limited here.
 */
function highlightOptions(
  { max_per_url, max_chars_per_excerpt }: NonNullable<ExtractInput['ask']['content.excerpts']>,
  query: string | undefined,
): true | { query: string | undefined; maxCharacters: number | undefined } {
  const maxCharacters =
    max_per_url === undefined || max_chars_per_excerpt === undefined
      ? undefined
      : Math.min(max_per_url * max_chars_per_excerpt, maxHighlightChars);
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
  const reports = statuses ?? [];
  const found = matchPages(
    urls,
    results.map(({ id, url }) => id ?? url),
  );
  const positions = matchPages(
    urls,
    reports.map(({ id }) => id),
  );
  return urls.map((url, index): PageOutcome => {
    const item = found[index];
    const result = item === undefined ? undefined : results[item];
    const page = result && pageOf(result, now);
    if (item !== undefined && page && hasContent(page)) {
      return { ok: true, url, reply: 0, item, ...page };
    }
    const { tag, httpStatusCode: status } = reports[positions[index] ?? -1]?.error ?? {};
    const error = tag ?? (page ? 'the page has no content' : 'no content returned');
    return { ok: false, url, error: status ? `${error} (HTTP ${status})` : error };
  });
}

type Contents = Omit<Page, 'url' | 'reply' | 'item'>;

function pageOf(result: z.infer<typeof ContentsAnswer>['results'][number], now: Date): Contents {
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

function hasContent({ content, excerpts, summary }: Contents): boolean {
  return content !== undefined || summary !== undefined || (excerpts ?? []).length > 0;
}
