// The drop-in addresses, tested with the vendors' own clients and tools, and what their headers say:
// ignored parameters, and the cost.
import { afterAll, describe, expect, test } from 'bun:test';
import Perplexity from '@perplexity-ai/perplexity_ai';
import { tavilySearch } from '@tavily/ai-sdk';
import { tavily } from '@tavily/core';
import Exa from 'exa-js';
import { sharedGateway } from '../harness.ts';
import { doorOf, routeTable } from '../security/route-table.ts';
import type { Warning } from '@trivium/sdk';
import { TavilySearch } from '@langchain/tavily';

// One request at a time: the internal request must not count against the limit again.
const gateway = sharedGateway({ env: { TRIVIUM_MAX_REQUESTS: '1' } });
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

const strict = { 'x-trivium-strict': 'true' };
const warningsIn = (headers: Headers) =>
  JSON.parse(headers.get('x-trivium-warnings') ?? '') as Warning[];
const paramsOf = (headers: Headers) => warningsIn(headers).map(({ param }) => param);

describe('a parameter without a counterpart', () => {
  const body = { query: 'solar', max_results: 1, include_answer: true, search_depth: 'advanced' };

  test('is named in a header, together with parameters that the engine ignores', async () => {
    const onE = { 'x-trivium-provider': 'engine_e' };
    const { headers } = await gateway().post('/compat/tavily/search', body, onE);
    expect(warningsIn(headers)).toMatchObject([
      { code: 'param_ignored', param: 'include_answer', message: expect.any(String) },
      { code: 'param_ignored', param: 'mode' },
    ]);
    expect(Number(headers.get('x-trivium-cost-usd'))).toBeGreaterThan(0);
  });

  test.each([
    [
      '/compat/tavily/search',
      body,
      { detail: { error: expect.stringContaining('include_answer') } },
    ],
    [
      '/compat/exa/contents',
      { urls: [page], subpages: 2 },
      { error: expect.stringContaining('subpages'), tag: 'invalid_request' },
    ],
    [
      '/compat/perplexity/search',
      { query: 'solar', max_tokens: 100 },
      { error: { message: expect.stringContaining('max_tokens'), code: 400 } },
    ],
  ])('is refused by %s in the shape of the vendor under strict', async (path, asked, expected) => {
    const refused = await gateway().post(path, asked, strict);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(expected);
  });

  test('is also refused by SearXNG under strict', async () => {
    const path = '/compat/searxng/search?q=solar&format=json&engines=google';
    const { status, body: expected } = await gateway().get(path, strict);
    expect([status, expected]).toEqual([400, { error: expect.stringContaining('engines') }]);
  });

  test('is named in an ASCII header of bounded length, also among many', async () => {
    const names = Array.from({ length: 200 }, (_, index) => [`größe_${index}`, true]);
    const many = { query: 'solar', ...Object.fromEntries(names) };
    const { headers, status } = await gateway().post('/compat/tavily/search', many);
    expect(status).toBe(200);
    expect(headers.get('x-trivium-warnings')?.length).toBeLessThan(4200);
    expect(warningsIn(headers).at(-1)?.message ?? '').toContain('more');
    expect(paramsOf(headers)[0]).toBe('größe_0');
  });
});

test('serves a strict request that the engine can honour, without warnings', async () => {
  const { status, headers } = await gateway().post('/compat/exa/search', { query: 'x' }, strict);
  expect([status, warningsIn(headers)]).toEqual([200, []]);
});

test('a strict request that the engine cannot honour is refused', async () => {
  const headers = { ...strict, 'x-trivium-provider': 'engine_e' };
  const asked = { query: 'x', search_depth: 'advanced' };
  const refused = await gateway().post('/compat/tavily/search', asked, headers);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('mode');
});

test('rejects an x-trivium-strict header that is neither true nor false', async () => {
  const headers = { 'x-trivium-strict': 'yes' };
  const refused = await gateway().post('/compat/tavily/search', { query: 'x' }, headers);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('x-trivium-strict'),
  ]);
});

test('accepts the key in the body, as older clients send it', async () => {
  const asked = { query: 'solar', api_key: gateway().key };
  const without = { authorization: null };
  expect((await gateway().post('/compat/tavily/search', asked, without)).status).toBe(200);
  const wrong = { ...asked, api_key: 'sk_live_wrong' };
  expect((await gateway().post('/compat/tavily/search', wrong, without)).status).toBe(401);
});

test('rejects formats other than JSON', async () => {
  const { status, text } = await gateway().get('/compat/searxng/search?q=solar&format=rss');
  expect([status, text]).toEqual([400, expect.stringContaining('format=json')]);
});

describe('with its default parameters', () => {
  const ignored: (string | undefined)[] = [];
  // The clients hide the headers, so this proxy records them.
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      const { headers } = request;
      const answer = await fetch(gateway().url + pathname, { method: 'POST', headers, body });
      if (answer.ok) ignored.push(...paramsOf(answer.headers));
      return new Response(await answer.text(), { status: answer.status });
    },
  });
  afterAll(() => proxy.stop(true));
  const recorded = (name: string) => `${proxy.url.origin}/compat/${name}`;
  const query = 'solar energy storage';
  const call = { name: 'tavily_search', args: { query }, id: 'one', type: 'tool_call' as const };

  test.each([
    ["Tavily's client", () => tavily(withKey('tavily')).search(query)],
    ["Tavily's client, extracting", () => tavily(withKey('tavily')).extract([page])],
    ["LangChain's tool", () => langchain().invoke(call)],
    ["Exa's client", () => new Exa(gateway().key, recorded('exa')).search(query)],
    ["Perplexity's client", () => perplexity().search.create({ query })],
  ])(
    '%s sends no parameter that the gateway ignores',
    async (_name, ask: () => Promise<unknown>) => {
      ignored.length = 0;
      expect(await ask()).toBeDefined();
      expect(ignored).toEqual([]);
    },
  );

  const withKey = (name: string) => ({ apiKey: gateway().key, apiBaseURL: recorded(name) });
  const langchain = () =>
    new TavilySearch({ tavilyApiKey: gateway().key, apiBaseUrl: recorded('tavily') });
  const perplexity = () =>
    new Perplexity({ apiKey: gateway().key, baseURL: recorded('perplexity') });
});
