// The drop-in addresses, tested with the vendors' own clients and tools.
import { describe, expect, test } from 'bun:test';
import Perplexity from '@perplexity-ai/perplexity_ai';
import { tavilySearch } from '@tavily/ai-sdk';
import { tavily } from '@tavily/core';
import Exa from 'exa-js';
import { sharedGateway } from '../harness.ts';
import { doorOf, routeTable } from '../security/route-table.ts';

const gateway = sharedGateway();
const address = (name: string) => `${gateway().url}/compat/${name}`;
const formType = 'application/x-www-form-urlencoded';
const page = 'https://gridlines.example/storage/solar-storage-guide';

describe('Tavily', () => {
  const client = (apiKey = gateway().key) => tavily({ apiKey, apiBaseURL: address('tavily') });

  test('its client searches', async () => {
    const { results, responseTime } = await client().search('solar energy storage', {
      maxResults: 3,
      searchDepth: 'basic',
      includeRawContent: 'markdown',
    });
    expect(results).toHaveLength(3);
    expect(results[0]).toMatchObject({ title: expect.any(String), content: expect.any(String) });
    expect(responseTime).toBeGreaterThanOrEqual(0);
  });

  test('its client extracts, and receives the failed pages', async () => {
    const { results, failedResults } = await client().extract([page, 'https://no.example/']);
    expect(results.map(({ url }) => url)).toEqual([page]);
    expect(results[0]?.rawContent).toContain('Solar');
    expect(failedResults.map(({ url }) => url)).toEqual(['https://no.example/']);
  });

  test("the Vercel AI SDK's search tool works with a changed address", async () => {
    const tool = tavilySearch({ apiKey: gateway().key, apiBaseURL: address('tavily') });
    const input = { query: 'solar energy storage' };
    const answer: unknown = await tool.execute?.(input, { toolCallId: 'one', messages: [] });
    expect(JSON.stringify(answer)).toContain('gridlines.example');
  });
});

describe('Exa', () => {
  const client = () => new Exa(gateway().key, address('exa'));

  test('its client searches with contents', async () => {
    const { results, costDollars } = await client().search('solar energy storage', {
      numResults: 2,
      contents: { text: true, highlights: true },
    });
    expect(results).toHaveLength(2);
    expect(results[0]?.text).toContain('Solar');
    expect(costDollars?.total).toBeGreaterThan(0);
  });

  test('its client gets contents, and receives the failed pages', async () => {
    const urls = [page, 'https://no.example/'];
    const { results, statuses } = await client().getContents(urls, { text: true });
    expect(results.map(({ url }) => url)).toEqual([page]);
    expect(statuses?.map(({ status }) => status)).toEqual(['success', 'error']);
  });
});

test("Perplexity's client searches", async () => {
  const client = new Perplexity({ apiKey: gateway().key, baseURL: address('perplexity') });
  const { results } = await client.search.create({ query: 'solar energy', max_results: 2 });
  expect(results).toHaveLength(2);
  expect(results[0]).toMatchObject({ title: expect.any(String), snippet: expect.any(String) });
});

describe('every drop-in address', () => {
  const queries = { query: 'solar', max_results: 1, numResults: 1, limit: 1 };
  const bodies: Readonly<Record<string, object>> = {
    search: queries,
    extract: { urls: [page] },
    contents: { urls: [page] },
    scrape: { url: page },
    'batch/scrape': { urls: [page] },
  };
  const addresses = routeTable()
    .filter((route) => doorOf(route) === 'key_only')
    .map(({ method, path }) => ({ method, path }));
  /** SearXNG's fields are in the URL, also of a POST. */
  const ask = ({ method, path }: (typeof addresses)[number], headers = {}) => {
    if (path.startsWith('/compat/searxng')) {
      const fields = 'q=solar&format=json';
      return method === 'GET'
        ? gateway().get(`${path}?${fields}`, headers)
        : gateway().post(path, fields, { 'content-type': formType, ...headers });
    }
    const [, name = ''] = /((?:batch\/)?\w+)$/.exec(path) ?? [];
    return gateway().post(path, bodies[name] ?? queries, headers);
  };

  test('is one of these', () => {
    expect(addresses.length).toBeGreaterThan(15);
  });

  test.each(addresses)('$method $path is served by the engine in the header', async (address) => {
    for (const provider of ['engine_a', 'engine_c']) {
      const { status, headers } = await ask(address, { 'x-trivium-provider': provider });
      expect([status, headers.get('x-trivium-provider')]).toEqual([200, provider]);
    }
  });

  test.each(addresses)('$method $path is charged once under a key', async (address) => {
    const balance = async () =>
      ((await gateway().get('/v1/balance')).body as { balance_usd: number }).balance_usd;
    const before = await balance();
    const once = { 'idempotency-key': `once-${address.method}-${address.path}` };
    const first = await ask(address, once);
    const again = await ask(address, once);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const cost = Number(first.headers.get('x-trivium-cost-usd'));
    expect(cost).toBeGreaterThan(0);
    expect(await balance()).toBeCloseTo(before - cost, 6);
  });
});
