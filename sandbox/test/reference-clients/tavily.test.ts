// Tavily's own client against the sandbox: it is understood, and can parse the responses.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tavily } from '@tavily/core';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (apiKey = 'tvly-any') => tavily({ apiKey, apiBaseURL: `${sandbox.url}/tavily` });
const errorOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);
const hostsOf = (results: { url: string }[]) => results.map(({ url }) => new URL(url).hostname);

describe('the official client', () => {
  test('completes a search and reads scores, passages, whole pages and credits', async () => {
    const answer = await client().search('battery storage', {
      searchDepth: 'advanced',
      maxResults: 4,
      chunksPerSource: 2,
      includeRawContent: 'markdown',
      includeUsage: true,
      country: 'united states',
      language: 'en',
    });
    expect(answer.results).toHaveLength(4);
    for (const result of answer.results) {
      expect(result.score).toBeGreaterThan(0);
      expect(result.content.split(' [...] ').length).toBeLessThanOrEqual(2);
      expect(result.rawContent).toStartWith('# ');
      expect(result.publishedDate).toBeUndefined();
    }
    expect(answer.usage).toEqual({ credits: 2 });
    expect(answer.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('gets dates with news always, and with other pages on request', async () => {
    const news = await client().search('battery', { topic: 'news', maxResults: 3 });
    expect(news.results[0]?.publishedDate).toMatch(/^\w{3}, \d{2} \w{3} \d{4} .* GMT$/);
    const pages = await client().search('battery', {
      include_published_date: true,
      startDate: '2024-01-01',
      filter_by_published_date: true,
    });
    expect(pages.results[0]?.publishedDate).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  });

  test('a list of domains is a preference without the mode restrict', async () => {
    const all = await client().search('battery storage', { maxResults: 20 });
    const host = hostsOf(all.results).at(-1) ?? '';
    const loose = await client().search('battery storage', {
      maxResults: 20,
      includeDomains: [host],
    });
    const strict = await client().search('battery storage', {
      maxResults: 20,
      includeDomains: [host],
      includeDomainsMode: 'restrict',
    });
    expect(new Set(hostsOf(loose.results)).size).toBeGreaterThan(1);
    expect(new Set(hostsOf(strict.results))).toEqual(new Set([host]));
  });

  test('extracts whole pages, and lists those that failed', async () => {
    const urls = ['https://pages.example/moved', 'https://pages.example/gone'];
    const answer = await client().extract(urls, { format: 'text', includeUsage: true });
    expect(answer.results).toMatchObject([{ url: urls[0], title: 'A page that moved house' }]);
    expect(answer.results[0]?.rawContent).not.toContain('## ');
    expect(answer.failedResults).toEqual([{ url: urls[1] ?? '', error: 'Failed to fetch url' }]);
    expect(answer.usage).toEqual({ credits: 0 });
  });

  test('gets passages instead of the page with a query', async () => {
    const { results } = await client().extract(['https://pages.example/huge'], {
      query: 'thermometer at the upper hut',
      chunksPerSource: 5,
      includeImages: true,
    });
    const chunks = results[0]?.rawContent.split(' [...] ') ?? [];
    expect(chunks).toHaveLength(5);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(500);
  });

  test('gets a message for each refusal', async () => {
    const message = async (asked: Promise<unknown>) => ((await errorOf(asked)) as Error).message;
    expect(await message(client('bad').search('battery'))).toBe('The API key is not valid.');
    expect(await message(client().search('x'.repeat(401)))).toStartWith('Query is too long.');
    expect(await message(client().search('x', { includeDomainsMode: 'restrict' }))).toContain(
      'include_domains_mode',
    );
    expect(
      await message(client().search('x', { topic: 'news', country: 'united kingdom' })),
    ).toContain('country');
    expect(
      await message(client().extract(Array.from({ length: 21 }, () => 'https://a.example'))),
    ).toContain('20 URLs');
    expect(await message(client().search('x', { maxResults: 21 }))).toStartWith('422 Error');
  });
});

describe('the API', () => {
  const post = (path: string, body: object) =>
    fetch(`${sandbox.url}/tavily${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer tvly-any' },
      body: JSON.stringify(body),
    });

  test('refuses an unknown field, an old name of the strict mode and a country code', async () => {
    const bodies = [
      { query: 'battery', maxResults: 3 },
      { query: 'battery', include_domains: ['a.example'], include_domains_mode: 'filter' },
      { query: 'battery', country: 'GB' },
    ];
    for (const body of bodies) {
      const answer = await post('/search', body);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ detail: [{ loc: expect.any(Array) }] });
    }
  });

  test('reports each URL if all are invalid', async () => {
    const answer = await post('/extract', { urls: ['nowhere'] });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      detail: { error: expect.any(String) },
      failed_results: [{ url: 'nowhere', error: 'Invalid URL' }],
    });
  });
});
