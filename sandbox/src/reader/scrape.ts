// The reader behind Firecrawl's API: its results and failures in that vendor's format.
import type { Page } from '../corpus/page.ts';
import type { Reply } from '../vendor.ts';
import { describeDocument } from '../vendors/firecrawl-document.ts';
import type { ScrapeBody } from '../vendors/firecrawl-wire.ts';
import type { Reader, ReadPage } from './reader.ts';
import { ScrapeFailure } from './scrape-failure.ts';

/** The corpus uses this top-level domain, which is reserved. */
export function isInvented(url: string): boolean {
  return /(^|\.)example\.?$/i.test(new URL(url).hostname);
}

export async function scrapeReal(body: ScrapeBody, reader: Reader): Promise<Reply> {
  try {
    const read = await reader(body.url, body.timeout);
    return { body: { success: true, data: describe(read, body) } };
  } catch (error) {
    if (!(error instanceof ScrapeFailure)) throw error;
    const { status, code, message } = error;
    return { status, body: { success: false, code, error: message } };
  }
}

function describe(read: ReadPage, body: ScrapeBody): object {
  const { article, source, url, status, content_type } = read;
  const data = describeDocument(pageOf(read), body.url, body) as { metadata: object };
  const { published, language, description } = article;
  return {
    ...data,
    ...('markdown' in data && article.title === '' ? { markdown: article.markdown } : {}),
    ...('html' in data ? { html: article.html } : {}),
    ...('rawHtml' in data ? { rawHtml: source } : {}),
    metadata: {
      ...data.metadata,
      title: article.title || null,
      language: language ?? null,
      url,
      statusCode: status,
      contentType: content_type,
      cacheState: 'miss',
      ...(published === undefined ? {} : { publishedTime: published }),
      ...(description === undefined ? {} : { description }),
      ...(status < 400 ? {} : { error: `The site answered with status ${status}.` }),
    },
  };
}

/** The page in the form of a corpus page; everything else is in the metadata. */
function pageOf({ article, url }: ReadPage): Page {
  const { title, markdown, links, images, author } = article;
  return {
    url,
    title,
    body: markdown,
    links,
    images,
    ...(author === undefined ? {} : { author }),
    language: 'en',
    country: '',
    topics: [],
    kind: 'article',
    unsafe: false,
  };
}
