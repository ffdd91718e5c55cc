// Tavily's extraction: the whole page or, with a query, its best passages instead.
import type { Page } from '../corpus/page.ts';
import { fingerprintUuid } from '../fingerprint.ts';
import type { Reading } from '../pages.ts';
import { termsOf } from '../terms.ts';
import { bestPassages, cutAt, toPlainText } from '../text.ts';
import type { Asked, Reply } from '../vendor.ts';
import type { World } from '../world.ts';
import type { ExtractBody } from './tavily-wire.ts';

export async function extract(
  { body, id }: Asked<ExtractBody, unknown>,
  world: World,
): Promise<Reply> {
  const urls = [body.urls].flat();
  if (urls.length > maxUrls) {
    return { status: 400, body: { detail: { error: `Max ${maxUrls} URLs are allowed.` } } };
  }
  const readings = await Promise.all(urls.map((url) => world.read(url)));
  const results: object[] = [];
  const failedResults: object[] = [];
  readings.forEach((reading, index) => {
    const url = urls[index] ?? '';
    if ('page' in reading) results.push(describe(url, reading.page, body));
    else failedResults.push({ url, error: reasons[reading.outcome] });
  });
  if (readings.every(({ outcome }) => outcome === 'unsupported')) {
    const detail = { error: 'No valid URL was given.' };
    return { status: 400, body: { detail, failed_results: failedResults } };
  }
  const credits = Math.floor(results.length / pagesPerCredit) * creditsOf(body);
  return {
    body: {
      results,
      failed_results: failedResults,
      response_time: 0.42,
      ...(body.include_usage ? { usage: { credits } } : {}),
      request_id: fingerprintUuid('tavily', id),
    },
  };
}

/** The separator between the passages of a page. */
export const mark = ' [...] ';
export const maxChunkLength = 500;

/** The page in this vendor's format. */
export function writeOut(page: Page, format: 'markdown' | 'text'): string {
  if (page.body === '') return '';
  const markdown = `# ${page.title}\n\n${page.body}`;
  return format === 'text' ? toPlainText(markdown) : markdown;
}

const maxUrls = 20;
const defaultChunks = 3;
const pagesPerCredit = 5;

const reasons: Record<Exclude<Reading, { page: unknown }>['outcome'], string> = {
  missing: 'Failed to fetch url',
  blocked: 'Access to the page was denied',
  timeout: 'Timed out while fetching the page',
  unreachable: 'The host could not be reached',
  unsupported: 'Invalid URL',
};

function creditsOf({ extract_depth }: ExtractBody): number {
  return extract_depth === 'advanced' ? 2 : 1;
}

function describe(url: string, page: Page, body: ExtractBody): object {
  const { query, format, chunks_per_source } = body;
  const chunks = bestPassages(page.body, termsOf(query ?? ''), chunks_per_source ?? defaultChunks);
  return {
    url,
    title: page.title,
    raw_content: query
      ? chunks.map(({ text }) => cutAt(text, maxChunkLength)).join(mark)
      : writeOut(page, format ?? 'markdown'),
    images: body.include_images ? page.images : [],
    ...(body.include_favicon ? { favicon: `${new URL(page.url).origin}/favicon.ico` } : {}),
  };
}
