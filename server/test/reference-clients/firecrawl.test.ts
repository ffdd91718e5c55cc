// Firecrawl's own client as reference: it knows every field and value we send, and sends the same.
import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Firecrawl } from 'firecrawl';
import type { FormatString, HighlightsFormat, ScrapeOptions, SearchRequest } from 'firecrawl';
import { searchAsks } from '../../src/negotiation/asks.ts';
import { negotiate } from '../../src/negotiation/negotiate.ts';
import { firecrawl } from '../../src/providers/firecrawl/adapter.ts';
import { searchRequests } from '../generated-requests.ts';
import { sentBodies } from './sent-bodies.ts';

/** The compiler keeps these tables equal to the client's own types. */
const searchFields: Record<keyof SearchRequest, true> = {
  query: true,
  domainTools: true,
  toolDetail: true,
  sources: true,
  categories: true,
  includeDomains: true,
  excludeDomains: true,
  limit: true,
  tbs: true,
  location: true,
  country: true,
  ignoreInvalidURLs: true,
  timeout: true,
  highlights: true,
  scrapeOptions: true,
  enterprise: true,
  threatProtection: true,
  integration: true,
  origin: true,
};
type Source = Extract<NonNullable<SearchRequest['sources']>[number], string>;
type Category = Extract<NonNullable<SearchRequest['categories']>[number], string>;
const sources: Record<Source, true> = { web: true, news: true, images: true, alexandria: true };
const categories: Record<Category, true> = {
  github: true,
  research: true,
  pdf: true,
  developer: true,
};
/** Those that we send; the client knows each of them. */
const scrapeFields: Partial<Record<keyof ScrapeOptions | 'url', true>> = {
  url: true,
  formats: true,
  maxAge: true,
  onlyMainContent: true,
};
const formats: Partial<Record<FormatString, true>> = { markdown: true, links: true };
const highlightFields: Record<keyof HighlightsFormat, true> = { type: true, query: true };

const now = new Date('2026-11-15T12:00:00Z');
const received: { path: string; key: string | null; body: Record<string, unknown> }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const { origin: _client, ...body } = (await request.json()) as Record<string, unknown>;
    const key = request.headers.get('authorization');
    received.push({ path: new URL(request.url).pathname, key, body });
    return Response.json({ success: true, data: {} });
  },
});
afterAll(() => server.stop(true));
const client = new Firecrawl({ apiKey: 'test-key', apiUrl: server.url.origin, maxRetries: 1 });

for (const { file, body, url } of sentBodies('firecrawl', 'search')) {
  test(`${file} is what the client would send`, async () => {
    expect(unknown(body, searchFields)).toEqual([]);
    expect(unknown(Object.fromEntries(listed(body['sources'])), sources)).toEqual([]);
    expect(unknown(Object.fromEntries(listed(body['categories'])), categories)).toEqual([]);
    received.length = 0;
    const { query, ...request } = body as unknown as SearchRequest;
    await client.search(query, request);
    expect(received).toEqual([{ path: url.pathname, key: authorization(), body }]);
  });
}

for (const { file, body, url } of sentBodies('firecrawl', 'extract')) {
  test(`${file} is what the client would send`, async () => {
    expect(unknown(body, scrapeFields)).toEqual([]);
    for (const format of body['formats'] as (string | object)[]) {
      if (typeof format === 'string') expect(Object.keys(formats)).toContain(format);
      else expect(Object.keys(format)).toEqual(Object.keys(highlightFields));
    }
    received.length = 0;
    const { url: page, ...options } = body as unknown as ScrapeOptions & { url: string };
    await client.scrape(page, { ...options, autoResume: false });
    expect(received).toEqual([{ path: url.pathname, key: authorization(), body }]);
  });
}

test('the client sends the same for any request', async () => {
  const check = fc.asyncProperty(searchRequests, async (request) => {
    const { granted } = negotiate(firecrawl.search?.supports ?? {}, searchAsks(request), now);
    const [sent] = firecrawl.search?.toRequests({ ask: granted as never, now }) ?? [];
    const body = JSON.parse(JSON.stringify(sent?.body)) as Record<string, unknown>;
    received.length = 0;
    const { query, ...options } = body as unknown as SearchRequest;
    await client.search(query, options);
    expect(received[0]?.body).toEqual(body);
    expect(query.length).toBeLessThanOrEqual(500);
  });
  await fc.assert(check, { numRuns: 50 });
});

test('the client refuses both lists of domains together', async () => {
  const both = { includeDomains: ['a.example'], excludeDomains: ['b.example'] };
  const refused = await client.search('tides', both).catch((error: unknown) => String(error));
  expect(refused).toContain('cannot both be specified');
});

function unknown(given: object, known: object): string[] {
  return Object.keys(given).filter((name) => !(name in known));
}

function listed(values: unknown): [string, true][] {
  return ((values ?? []) as string[]).map((value) => [value, true]);
}

function authorization(): string | null {
  return firecrawl.auth('test-key')['authorization'] ?? null;
}
