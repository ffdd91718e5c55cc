// The same search returns the same results at every hour of a day, for every vendor.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startSandbox } from './index.ts';
import type { Sandbox } from './index.ts';

const hours = ['00:00:01', '06:30:00', '12:00:00', '18:45:59', '23:59:59'];
let now = new Date();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => now });
});
afterAll(() => sandbox.stop());

type Items = (answer: never) => unknown;
type Search = [path: string, body: object | undefined, items: Items];

/** Each with its own filter for recent pages, if it has one. */
const searches: Record<string, Search> = {
  exa: [
    '/exa/search',
    { query: 'energy news', contents: { text: true } },
    ({ results }: { results: unknown }) => results,
  ],
  parallel: [
    '/parallel/v1/search',
    { objective: 'energy news', search_queries: ['energy news'] },
    ({ results }: { results: unknown }) => results,
  ],
  tavily: [
    '/tavily/search',
    { query: 'energy news', topic: 'news', time_range: 'day' },
    ({ results }: { results: unknown }) => results,
  ],
  brave: [
    '/brave/web/search?q=energy%20news&freshness=pw',
    undefined,
    ({ web }: { web: { results: unknown } }) => web.results,
  ],
  serper: [
    '/serper/news',
    { q: 'energy news', tbs: 'qdr:d' },
    ({ news }: { news: unknown }) => news,
  ],
  firecrawl: [
    '/firecrawl/v2/search',
    { query: 'energy news', sources: ['news'], tbs: 'qdr:w' },
    ({ data }: { data: unknown }) => data,
  ],
  linkup: [
    '/linkup/search',
    { q: 'energy news', depth: 'standard', outputType: 'searchResults' },
    ({ results }: { results: unknown }) => results,
  ],
  valyu: [
    '/valyu/search',
    { query: 'energy news', search_type: 'news' },
    ({ results }: { results: unknown }) => results,
  ],
  jina: [
    '/jina-search/',
    { q: 'energy news', type: 'news' },
    ({ data }: { data: unknown }) => data,
  ],
  you: [
    '/you/v1/search',
    { query: 'energy news', freshness: 'day' },
    ({ results }: { results: unknown }) => results,
  ],
  perplexity: [
    '/perplexity/search',
    { query: 'energy news', search_recency_filter: 'week' },
    ({ results }: { results: unknown }) => results,
  ],
};

for (const [name, [path, body, items]] of Object.entries(searches)) {
  test(`${name} returns the same dates all day, and recent pages stay recent`, async () => {
    const answers = [];
    for (const hour of hours) {
      now = new Date(`2026-11-16T${hour}Z`);
      const response = await fetch(sandbox.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          authorization: 'Bearer any',
          'x-api-key': 'any',
          'x-subscription-token': 'any',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      expect([name, response.status, text]).toEqual([name, 200, text]);
      const found = JSON.stringify(items(JSON.parse(text) as never));
      expect(found.length).toBeGreaterThan(100);
      answers.push(found);
    }
    expect(new Set(answers).size).toBe(1);
  });
}
