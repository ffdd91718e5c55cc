// A small real reader: fetches a public page and answers its text, for callers without any vendor.
import type { Article } from './article.ts';
import { fetchPage } from './fetch-page.ts';
import type { FetchedPage, Visitor } from './fetch-page.ts';
import { textOf } from './page-text.ts';
import { readApart } from './read-apart.ts';
import { ScrapeFailure } from './scrape-failure.ts';
import type { Policy } from './target.ts';

export type ReadPage = Omit<FetchedPage, 'bytes'> & {
  article: Article;
  /** The page as it was sent, decoded. */
  source: string;
};

/** Throws a ScrapeFailure when the page cannot be had, and nothing else. */
export type Reader = (url: string, timeout_ms?: number) => Promise<ReadPage>;

/** `contact` tells the owners of sites whom to ask about the reader. */
export function createReader(policy: Policy, contact?: string): Reader {
  const user_agent = `TriviumReader/0.1 (${contact === undefined ? '' : `+${contact}; `}${MANNER})`;
  return async (url, timeout_ms = DEFAULT_TIMEOUT_MS) => {
    const limit_ms = Math.min(timeout_ms, MAX_TIMEOUT_MS);
    const signal = AbortSignal.timeout(limit_ms);
    try {
      // Resolving a name cannot be called off, so it is the waiting that ends.
      return await Promise.race([read(url, { policy, user_agent }, signal), endOf(signal)]);
    } catch (error) {
      throw signal.aborted ? tooLate(limit_ms) : failureOf(error);
    }
  };
}

const MANNER = "one page at a user's request; questions to the operator of this address";
const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 60_000;

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
  return readApart({ html: source, url }, signal);
}

/** Text stands as it is; a heading on its first line is its title. */
function plainArticle(source: string): Article {
  const [, title = '', rest = source] = /^\s*#\s+(.+)\n([^]*)$/.exec(source) ?? [];
  return { title: title.trim(), markdown: rest.trim(), html: '', links: [], images: [] };
}

function tooLate(limit_ms: number): ScrapeFailure {
  return new ScrapeFailure('SCRAPE_TIMEOUT', `The page was not read within ${limit_ms} ms.`);
}

function failureOf(error: unknown): ScrapeFailure {
  if (error instanceof ScrapeFailure) return error;
  const reason = 'The page was not fetched: the connection broke before it was complete.';
  return new ScrapeFailure('SCRAPE_SITE_ERROR', reason);
}
