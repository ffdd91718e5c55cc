// Jina's reader host: returns the main content of a URL as markdown, with or without a key.
import { z } from 'zod';
import type { Page } from '../corpus/page.ts';
import { share } from '../fingerprint.ts';
import type { Reading } from '../pages.ts';
import { cutAt, toPlainText } from '../text.ts';
import type { Asked, Reply, Vendor } from '../vendor.ts';
import { readBearer, route } from '../vendor.ts';
import type { World } from '../world.ts';
import { countTokens, fail, markdownOf, readingOptions, refuse, succeed } from './jina-wire.ts';

const ReadBody = z.strictObject({
  ...readingOptions,
  url: z.string().min(1),
  engine: z.enum(['auto', 'browser', 'direct', 'curl', 'cf-browser-rendering']).optional(),
});
type ReadBody = z.infer<typeof ReadBody>;

export const jinaReader: Vendor = {
  mount: '/jina-reader',
  setting: 'JINA_READER_BASE_URL',
  readKey: readBearer,
  key_optional: true,
  refuse,
  routes: [route({ method: 'POST', path: '/', body: ReadBody, answer: readOne })],
};

const privateHost = /^(localhost|127\.|10\.|192\.168\.|169\.254\.|\[)/;
const charsPerToken = 4;
const proxyFactor = 5;

async function readOne({ body, headers }: Asked<ReadBody, unknown>, world: World): Promise<Reply> {
  const host = URL.parse(body.url)?.host ?? '';
  if (privateHost.test(host)) {
    const message = `Suspicious action: Request to localhost or non-public IP: ${host}`;
    return fail(451, 45102, 'SecurityCompromiseError', message, { path: 'url' });
  }
  const reading = await world.read(body.url);
  if (!('page' in reading)) return failed(reading.outcome, body, host, headers);
  const { page, url } = reading;
  if (page.body === '') {
    return fail(422, 42206, 'AssertionFailureError', `No content available for URL ${body.url}`);
  }
  const form = headers.get('x-respond-with') ?? body.respondWith ?? 'content';
  const written = contentOf(page, form, body.maxTokens);
  const tokens = countTokens(written.text) * (body.proxy === undefined ? 1 : proxyFactor);
  if (body.tokenBudget !== undefined && tokens > body.tokenBudget) {
    const message = `Token budget (${body.tokenBudget}) exceeded, ${tokens} needed`;
    return fail(409, 40904, 'BudgetExceededError', message);
  }
  const data = {
    ...describe(page, url),
    ...written.fields,
    ...extrasOf(page, body),
    usage: { tokens },
  };
  return succeed(
    headers,
    data,
    tokens,
    `Title: ${page.title}\n\nURL Source: ${url}\n\n${written.text}`,
  );
}

function contentOf(page: Page, form: string, maxTokens = Number.POSITIVE_INFINITY) {
  const cut = (text: string): string => cutAt(text, maxTokens * charsPerToken);
  if (form === 'text') {
    const text = cut(toPlainText(page.body));
    return { text, fields: { text } };
  }
  if (form === 'html') {
    const html = cut(`<html><body>${page.body}</body></html>`);
    return { text: html, fields: { html } };
  }
  const content = cut(markdownOf(page));
  return { text: content, fields: { content } };
}

/** Some pages state their publication date; for others only the server's date is known. */
function describe(page: Page, url: string): object {
  const { published, author } = page;
  const stated = share('stated', page.url) < 0.7;
  const time = stated ? published?.toISOString() : published?.toUTCString();
  return {
    title: page.title,
    description: toPlainText(page.body).slice(0, 120),
    url,
    ...(time === undefined ? {} : { publishedTime: time }),
    metadata: {
      lang: page.language,
      ...(author === undefined ? {} : { author }),
      ...(stated && time !== undefined ? { 'article:published_time': time } : {}),
    },
    external: {},
  };
}

function extrasOf(page: Page, body: ReadBody): object {
  const links = page.links.map((link, index) => [`Link ${index + 1}`, link]);
  const images = page.images.map((image, index) => [`Image ${index + 1}`, image]);
  return {
    ...(body.withLinksSummary ? { links: Object.fromEntries(links) as object } : {}),
    ...(body.withImagesSummary ? { images: Object.fromEntries(images) as object } : {}),
  };
}

/** An error page is returned as content; only a warning reports the error. */
function failed(
  outcome: Exclude<Reading, { page: unknown }>['outcome'],
  { url }: ReadBody,
  host: string,
  headers: Headers,
): Reply {
  switch (outcome) {
    case 'missing':
      return errorPage(url, '404: Not Found', headers);
    case 'blocked':
      return errorPage(url, '403: Forbidden', headers);
    case 'timeout': {
      const message = `Failed to goto ${url}: TimeoutError: timeout of 30000 ms exceeded`;
      return fail(422, 42206, 'AssertionFailureError', message);
    }
    case 'unreachable': {
      const message = `Domain '${host}' could not be resolved`;
      return fail(400, 40001, 'ParamValidationError', message, { path: 'url' });
    }
    case 'unsupported':
      return fail(400, 40001, 'ParamValidationError', 'Invalid URL', { path: 'url' });
  }
}

function errorPage(url: string, error: string, headers: Headers): Reply {
  const content = `Error ${error}`;
  const tokens = countTokens(content);
  const warning = `Target URL returned error ${error}`;
  const data = { title: error, description: '', url, content, warning, metadata: {}, external: {} };
  return succeed(
    headers,
    { ...data, usage: { tokens } },
    tokens,
    `Warning: ${warning}\n\n${content}`,
  );
}
