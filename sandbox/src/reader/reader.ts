// A small real page reader: fetches a public page and returns its text, without a vendor.
import type { Article } from './article.ts';
import { fetchPage } from './fetch-page.ts';
import type { FetchedPage, Visitor } from './fetch-page.ts';
import { textOf } from './page-text.ts';
import { parseArticle } from './article-pool.ts';
import { ScrapeFailure } from './scrape-failure.ts';
import type { Policy } from './target.ts';

export type ReadPage = Omit<FetchedPage, 'bytes'> & {
  article: Article;
  /** The page as it was sent, decoded. */
  source: string;
};

/** Throws only ScrapeFailure, if the page cannot be read. */
export type Reader = (url: string, timeoutMs?: number) => Promise<ReadPage>;

/** `contact` is sent to sites, so that their owners can ask about the reader. */
export function createReader(policy: Policy, contact?: string): Reader {
  const userAgent = `TriviumReader/0.1 (${contact === undefined ? '' : `+${contact}; `}${manner})`;
  return async (url, timeoutMs = defaultTimeoutMs) => {
    const limitMs = Math.min(timeoutMs, maxTimeoutMs);
    const signal = AbortSignal.timeout(limitMs);
    try {
      // A name resolution cannot be cancelled, so only the wait ends.
      return await Promise.race([
        read(url, { policy, user_agent: userAgent }, signal),
        endOf(signal),
      ]);
    } catch (error) {
      throw signal.aborted ? tooLate(limitMs) : failureOf(error);
    }
  };
}

const manner = "one page at a user's request; questions to the operator of this address";
const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 60_000;

async function read(url: string, visitor: Visitor, signal: AbortSignal): Promise<ReadPage> {
  const { bytes, ...page } = await fetchPage(url, visitor, signal);
  const source = textOf(bytes, page.content_type);
  return { ...page, source, article: await articleOf(source, page, signal) };
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

async function articleOf(
  source: string,
  { url, content_type }: Pick<FetchedPage, 'url' | 'content_type'>,
  signal: AbortSignal,
): Promise<Article> {
  if (source.trim() === '') return plainArticle('');
  if (/^text\/(plain|markdown)/i.test(content_type)) return plainArticle(source);
  return parseArticle({ html: source, url }, signal);
}

/** Plain text is unchanged; a heading on its first line is the title. */
function plainArticle(source: string): Article {
  const [, title = '', rest = source] = /^\s*#\s+(.+)\n([^]*)$/.exec(source) ?? [];
  return { title: title.trim(), markdown: rest.trim(), html: '', links: [], images: [] };
}

function tooLate(limitMs: number): ScrapeFailure {
  return new ScrapeFailure('SCRAPE_TIMEOUT', `The page was not read within ${limitMs} ms.`);
}

function failureOf(error: unknown): ScrapeFailure {
  if (error instanceof ScrapeFailure) return error;
  const reason = 'The page was not fetched: the connection broke before it was complete.';
  return new ScrapeFailure('SCRAPE_SITE_ERROR', reason);
}
