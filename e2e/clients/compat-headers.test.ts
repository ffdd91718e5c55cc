// What the drop-in addresses say beside their answers: what could not be asked, and what it cost.
import { afterAll, describe, expect, test } from 'bun:test';
import type { Warning } from '@trivium/sdk';
import { TavilySearch } from '@langchain/tavily';
import Perplexity from '@perplexity-ai/perplexity_ai';
import { tavily } from '@tavily/core';
import Exa from 'exa-js';
import { sharedGateway } from '../harness.ts';

// One request at a time: what is passed on inside must not need a second place.
const gateway = sharedGateway({ env: { TRIVIUM_MAX_REQUESTS: '1' } });
const strict = { 'x-trivium-strict': 'true' };
const page = 'https://gridlines.example/storage/solar-storage-guide';
const said = (headers: Headers) => JSON.parse(headers.get('x-trivium-warnings') ?? '') as Warning[];
const paramsOf = (headers: Headers) => said(headers).map(({ param }) => param);

describe('what has no counterpart here', () => {
  const body = { query: 'solar', max_results: 1, include_answer: true, search_depth: 'advanced' };

  test('is named in a header, together with what the engine could not do', async () => {
    const onE = { 'x-trivium-provider': 'engine_e' };
    const { headers } = await gateway().post('/compat/tavily/search', body, onE);
    expect(said(headers)).toMatchObject([
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
  ])('is refused by %s in its own words when the caller is strict', async (path, asked, told) => {
    const refused = await gateway().post(path, asked, strict);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(told);
  });

  test('is refused by SearXNG alike', async () => {
    const path = '/compat/searxng/search?q=solar&format=json&engines=google';
    const { status, body: told } = await gateway().get(path, strict);
    expect([status, told]).toEqual([400, { error: expect.stringContaining('engines') }]);
  });

  test('is bounded and in plain letters, however much was asked', async () => {
    const names = Array.from({ length: 200 }, (_, index) => [`größe_${index}`, true]);
    const many = { query: 'solar', ...Object.fromEntries(names) };
    const { headers, status } = await gateway().post('/compat/tavily/search', many);
    expect(status).toBe(200);
    expect(headers.get('x-trivium-warnings')?.length).toBeLessThan(4200);
    expect(said(headers).at(-1)?.message ?? '').toContain('more');
    expect(paramsOf(headers)[0]).toBe('größe_0');
  });
});

test('a strict request that the engine can honour is served, and nothing is said', async () => {
  const { status, headers } = await gateway().post('/compat/exa/search', { query: 'x' }, strict);
  expect([status, said(headers)]).toEqual([200, []]);
});

test('a strict request that the engine cannot honour is refused', async () => {
  const headers = { ...strict, 'x-trivium-provider': 'engine_e' };
  const asked = { query: 'x', search_depth: 'advanced' };
  const refused = await gateway().post('/compat/tavily/search', asked, headers);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('mode');
});

test('a header that is neither true nor false is refused', async () => {
  const headers = { 'x-trivium-strict': 'yes' };
  const refused = await gateway().post('/compat/tavily/search', { query: 'x' }, headers);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('x-trivium-strict'),
  ]);
});

test('an older client may send its key in the body', async () => {
  const asked = { query: 'solar', api_key: gateway().key };
  const without = { authorization: null };
  expect((await gateway().post('/compat/tavily/search', asked, without)).status).toBe(200);
  const wrong = { ...asked, api_key: 'sk_live_wrong' };
  expect((await gateway().post('/compat/tavily/search', wrong, without)).status).toBe(401);
});

test('other formats than JSON are refused, not answered as JSON', async () => {
  const { status, text } = await gateway().get('/compat/searxng/search?q=solar&format=rss');
  expect([status, text]).toEqual([400, expect.stringContaining('format=json')]);
});

describe('with its own defaults', () => {
  const heard: (string | undefined)[] = [];
  // The clients hide the headers, so that they are read on the way.
  const between = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      const { headers } = request;
      const answer = await fetch(gateway().url + pathname, { method: 'POST', headers, body });
      if (answer.ok) heard.push(...paramsOf(answer.headers));
      return new Response(await answer.text(), { status: answer.status });
    },
  });
  afterAll(() => between.stop(true));
  const address = (name: string) => `${between.url.origin}/compat/${name}`;
  const query = 'solar energy storage';
  const call = { name: 'tavily_search', args: { query }, id: 'one', type: 'tool_call' as const };

  test.each([
    ["Tavily's client", () => tavily(withKey('tavily')).search(query)],
    ["Tavily's client, extracting", () => tavily(withKey('tavily')).extract([page])],
    ["LangChain's tool", () => langchain().invoke(call)],
    ["Exa's client", () => new Exa(gateway().key, address('exa')).search(query)],
    ["Perplexity's client", () => perplexity().search.create({ query })],
  ])('%s asks for nothing that is left out', async (_name, ask: () => Promise<unknown>) => {
    heard.length = 0;
    expect(await ask()).toBeDefined();
    expect(heard).toEqual([]);
  });

  const withKey = (name: string) => ({ apiKey: gateway().key, apiBaseURL: address(name) });
  const langchain = () =>
    new TavilySearch({ tavilyApiKey: gateway().key, apiBaseUrl: address('tavily') });
  const perplexity = () =>
    new Perplexity({ apiKey: gateway().key, baseURL: address('perplexity') });
});
