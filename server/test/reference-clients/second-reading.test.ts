// A second, independent reading of the recorded answers: each vendor's own client parses the same
// bytes, and must find what our fixtures say. It sends its request to the address of ours, with the
// key in the same header. `e2e/clients/python.test.ts` checks the fields of each request.
import { afterAll, describe, expect, test } from 'bun:test';
import Perplexity from '@perplexity-ai/perplexity_ai';
import { tavily } from '@tavily/core';
import { You } from '@youdotcom-oss/sdk';
import Exa from 'exa-js';
import { Firecrawl } from 'firecrawl';
import { LinkupClient } from 'linkup-sdk';
import Parallel from 'parallel-web';
import { Valyu } from 'valyu-js';
import { providerIds, typedName } from '@trivium/contract';
import { providers } from '../../src/providers/registry.ts';
import { fixtureNames, readFixture } from '../fixtures.ts';
import { completed } from './completed-answer.ts';

/** A page as a vendor's client reads it; `undefined` where the client has no such field. */
type Page = {
  url: string | undefined;
  title: string | null | undefined;
  texts: unknown[];
  date?: string | null | undefined;
};
type Reader = (urls: string[], asked: Record<string, unknown>) => Promise<Page[]>;

let body: unknown;
let asked: { path: string; headers: Headers } | undefined;
const server = Bun.serve({
  port: 0,
  fetch: ({ url, headers }) => {
    asked = { path: new URL(url).pathname, headers };
    return Response.json(completed(body));
  },
});
afterAll(() => server.stop(true));

const apiKey = 'reference';
const { origin } = server.url;
const exa = new Exa(apiKey, origin);
const tavilyClient = tavily({ apiKey, apiBaseURL: origin });
const parallel = new Parallel({ apiKey, baseURL: origin, maxRetries: 0 });
const firecrawl = new Firecrawl({ apiKey, apiUrl: origin, maxRetries: 1 });
const linkup = new LinkupClient({ apiKey, baseUrl: `${origin}/v1` });
const valyu = new Valyu(apiKey, `${origin}/v1`);
const you = new You({ apiKeyAuth: apiKey });
const perplexity = new Perplexity({ apiKey, baseURL: origin, maxRetries: 0 });

const query = 'tides';

const searches: Readonly<Record<string, Reader>> = {
  exa: async () => {
    const contents = { text: true, highlights: true, summary: true } as const;
    const { results } = await exa.search(query, { contents });
    return results.map(({ url, title, publishedDate, text, highlights, summary }) => ({
      url,
      title,
      date: publishedDate,
      texts: [text, ...(highlights ?? []), summary],
    }));
  },
  tavily: async () =>
    (await tavilyClient.search(query)).results.map((one) => ({
      url: one.url,
      title: one.title,
      texts: [one.content, one.rawContent],
      date: one.publishedDate,
    })),
  parallel: async () =>
    (await parallel.search({ objective: query, search_queries: [query] })).results.map((one) => ({
      url: one.url,
      title: one.title,
      texts: one.excerpts ?? [],
      date: one.publish_date,
    })),
  firecrawl: async () => {
    const { web = [], news = [] } = await firecrawl.search(query);
    return [...web, ...news].map((one) => {
      const { metadata, markdown, summary } = one as unknown as Record<string, unknown> & {
        metadata?: { title?: string; url?: string; sourceURL?: string };
      };
      const { url, title, description, snippet, date } = one as unknown as Record<
        string,
        string | undefined
      >;
      return {
        url: url ?? metadata?.sourceURL ?? metadata?.url,
        title: title ?? metadata?.title,
        texts: [description, snippet, markdown, summary, metadata],
        date,
      };
    });
  },
  linkup: async () => {
    const asked = { query, depth: 'standard', outputType: 'searchResults' } as const;
    const { results } = (await linkup.search(asked)) as unknown as {
      results: { type: string; url: string; name: string; content?: string }[];
    };
    const pages = results.filter(({ type }) => type === 'text');
    return pages.map((one) => ({ url: one.url, title: one.name, texts: [one.content] }));
  },
  valyu: async () =>
    ((await valyu.search(query)).results ?? []).map((one) => ({
      url: one.url,
      title: one.title,
      texts: [one.content, one.description],
      date: one.publication_date,
    })),
  you: async (_urls, { category }) => {
    const { results } = await you.search({ query }, { serverURL: origin });
    const { web = [], news = [] } = results ?? {};
    // Our results include news if the caller asked for news, or if there is nothing else.
    const listed = category === 'news' || !web?.length ? [...(web ?? []), ...(news ?? [])] : web;
    const unique = listed.filter(
      (one, at) => listed.findIndex(({ url }) => url === one.url) === at,
    );
    return unique.map((one) => ({
      url: one.url,
      title: one.title,
      texts: [one.description, 'snippets' in one ? one.snippets : []],
      date: one.pageAge instanceof Date ? one.pageAge.toISOString() : undefined,
    }));
  },
  perplexity: async () =>
    (await perplexity.search.create({ query })).results.map((one) => ({
      url: one.url,
      title: one.title,
      texts: [one.snippet],
      date: one.date,
    })),
};

const extracts: Readonly<Record<string, Reader>> = {
  exa: async (urls) =>
    (await exa.getContents(urls, { text: true, highlights: true, summary: true })).results.map(
      ({ url, title, publishedDate, text, highlights, summary }) => ({
        url,
        title,
        date: publishedDate,
        texts: [text, ...(highlights ?? []), summary],
      }),
    ),
  tavily: async (urls) =>
    (await tavilyClient.extract(urls)).results.map((one) => ({
      url: one.url,
      title: one.title,
      texts: [one.rawContent],
    })),
  parallel: async (urls) =>
    (await parallel.extract({ urls })).results.map((one) => ({
      url: one.url,
      title: one.title,
      texts: [one.full_content, ...(one.excerpts ?? [])],
      date: one.publish_date,
    })),
  firecrawl: async ([url = '']) => {
    const { markdown, summary, metadata, ...rest } = await firecrawl.scrape(url);
    const { title: titles, publishedTime } = (metadata ?? {}) as {
      title?: string | string[];
      publishedTime?: string;
    };
    // A page with two title elements has a list of them, of which ours is the first.
    const title = Array.isArray(titles) ? titles[0] : titles;
    return [{ url, title, texts: [markdown, summary, rest], date: publishedTime }];
  },
  linkup: async ([url = '']) => {
    const { markdown } = await linkup.fetch({ url });
    return [{ url, title: undefined, texts: [markdown] }];
  },
  valyu: async (urls) => {
    const answer = await valyu.contents(urls);
    const results = 'results' in answer ? (answer.results ?? []) : [];
    return results
      .filter((one) => one.status !== 'failed')
      .map((one) => {
        const { url, title, content, summary, publication_date } = one as unknown as Record<
          string,
          string | undefined
        >;
        return { url, title, texts: [content, summary], date: publication_date };
      });
  },
  you: async (urls) =>
    (await you.contents({ urls }, { serverURL: origin })).map((one) => ({
      url: one.url,
      title: one.title,
      texts: [one.markdown, one.html],
    })),
};

/** Ours, as a fixture records it. */
type Ours = {
  url: string;
  raw: { url?: string; id?: string };
  title?: string;
  published_date?: string;
  snippets?: string[];
  content?: string;
  excerpts?: string[];
  full_text?: string;
  summary?: string;
};

/** Fields that only newer clients read, such as those for Python. */
const unknownToClients = new Set(['you.search.highlights.json']);

describe.each([
  ['search', searches],
  ['extract', extracts],
] as const)('%s', (product, readers) => {
  test.each(Object.keys(readers))('%s', async (vendor) => {
    let compared = 0;
    const differences: string[] = [];
    const files = fixtureNames(`${vendor}.${product}.`).filter(
      (file) => !unknownToClients.has(file),
    );
    for (const file of files) {
      const { asked: request, received, answered, warned, sent } = readFixture(file);
      const { results = [] } = answered as { results?: Ours[] };
      const isSuccess = ({ status }: { status: number }) => status >= 200 && status < 300;
      const successes = received.filter(isSuccess);
      // The gateway joins several answers; a client sees one at a time.
      if (results.length === 0 || successes.length !== 1) continue;
      body = successes[0]?.body;
      const urls = (request['urls'] as string[] | undefined) ?? results.map(({ url }) => url);
      const pages = await readers[vendor]?.(urls, request).catch(String);
      const ours = new URL(sent[received.findIndex(isSuccess)]?.url ?? '');
      if (asked?.path !== ours.pathname) differences.push(`${file}: sent to ${asked?.path}`);
      if (pages === undefined || typeof pages === 'string') {
        differences.push(`${file}: ${pages}`);
        continue;
      }
      compared += results.length;
      const found = results.flatMap((ours) => compare(ours, pages));
      differences.push(...found.map((difference) => `${file}: ${difference}`));
      const missing = pages.length - results.length;
      const removed = JSON.stringify(warned).includes('results_post_filtered');
      const full = results.length >= Number(request['max_results'] ?? 10);
      if (product === 'search' && missing > 0 && !removed && !full) {
        differences.push(`${file}: ${missing} pages of the client are not ours`);
      }
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(0);
    const id = providerIds.find((known) => typedName(known) === vendor) ?? 'engine_a';
    const key = Object.entries(providers[id].auth(apiKey));
    expect(key.map(([name]) => [name, asked?.headers.get(name)])).toEqual(key);
  });
});

function compare(ours: Ours, pages: readonly Page[]): string[] {
  const { url: rawUrl = ours.url } = ours.raw;
  const page = pages.find(({ url }) => url === rawUrl) ?? (pages.length === 1 ? pages[0] : null);
  if (!page) return [`${ours.url} is not among those of the client`];
  const differences: string[] = [];
  if (page.title !== undefined && letters(textOf(page.title)) !== letters(ours.title ?? '')) {
    differences.push(`title ${ours.title}, not ${page.title}`);
  }
  const source = letters(page.texts.map(textOf).join(' '));
  const { snippets = [], excerpts = [], content, full_text, summary } = ours;
  for (const text of [...snippets, ...excerpts, content, full_text, summary]) {
    if (text !== undefined && !source.includes(letters(text))) {
      differences.push(`${JSON.stringify(text)} is not in ${JSON.stringify(page.texts)}`);
    }
  }
  const day = dayOf(page.date ?? '');
  if (day !== undefined && day !== ours.published_date) {
    differences.push(`dated ${ours.published_date}, not ${day}`);
  }
  return differences;
}

/** The day of a valid ISO date; our adapters read other forms as well. */
function dayOf(date: string): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0] ?? '';
  const parsed = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
  return exists ? day : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** Letters and digits only: markup, entities and spaces are formatting. */
function letters(text: string): string {
  return text
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&\w+;|<\/?[a-z]+>|\\n|[^\p{L}\p{N}]/gu, '');
}
