// A drop-in address served by its own vendor: vendor-only parameters and fields are passed through.
import { describe, expect, test } from 'bun:test';
import Perplexity from '@perplexity-ai/perplexity_ai';
import { tavily } from '@tavily/core';
import Exa from 'exa-js';
import { sharedGateway, startGateway } from '../harness.ts';
import { startUpstream, upstreamKey } from '../upstream.ts';
import type { Received } from '../upstream.ts';

const gateway = sharedGateway();
const page = 'https://a.example/page';
const warningsOf = (headers: Headers) => headers.get('x-trivium-warnings');

/** The vendors' own answers, with fields that the gateway's answers do not have. */
const answers: Record<string, object> = {
  '/tavily/search': {
    query: 'q',
    answer: 'Forty-two.',
    images: ['https://a.example/i.png'],
    follow_up_questions: ['Why?'],
    results: [
      { url: page, title: 'A', content: 'one [...] two', score: 0.5, raw_content: 'plain', x: 1 },
    ],
    usage: { credits: 1 },
    request_id: 'of the vendor',
  },
  '/tavily/extract': {
    results: [{ url: page, raw_content: 'whole', images: [], favicon: 'https://a.example/f.ico' }],
    failed_results: [],
    usage: { credits: 1 },
  },
  '/exa/search': {
    requestId: 'of the vendor',
    resolvedSearchType: 'neural',
    output: { content: 'An answer.' },
    results: [
      { id: 'exa-id', url: page, title: 'A', text: 'whole', highlights: ['a', 'b'], image: 'i' },
    ],
    costDollars: { total: 0.01 },
  },
  '/exa/contents': {
    results: [
      { id: page, url: page, text: 'whole', subpages: [{ id: 's' }], extras: { richLinks: ['r'] } },
    ],
    statuses: [{ id: page, status: 'success' }],
    costDollars: { total: 0.01 },
  },
  '/perplexity/search': {
    id: 'of the vendor',
    server_time: 'now',
    results: [
      { title: 'A', url: page, snippet: 's', date: '2026-01-02', last_updated: '2026-02-03' },
    ],
  },
};

async function withVendors(
  work: (at: Awaited<ReturnType<typeof startGateway>>, received: Received[]) => Promise<void>,
): Promise<void> {
  await using upstream = startUpstream(({ path }) => Response.json(answers[path] ?? {}));
  const names = ['EXA', 'TAVILY', 'PERPLEXITY'];
  const settings = names.flatMap((name) => [
    [`${name}_API_KEY`, upstreamKey],
    [`${name}_BASE_URL`, `${upstream.url}/${name.toLowerCase()}`],
  ]);
  const env = { TRIVIUM_SANDBOX: 'off', ...(Object.fromEntries(settings) as object) };
  await using at = await startGateway({ env });
  await work(at, upstream.received);
}

const strict = { 'x-trivium-strict': 'true' };
const by = (provider: string) => ({ 'x-trivium-provider': provider });

test('Tavily behind its own API supports its vendor-only parameters', async () => {
  await withVendors(async (at, received) => {
    const asked = {
      query: 'q',
      include_answer: 'advanced',
      include_images: true,
      include_raw_content: 'text',
      topic: 'finance',
      made_up: true,
    };
    const { body, headers } = await at.post('/compat/tavily/search', asked, by('engine_c'));
    expect(received[0]?.body).toMatchObject({
      include_answer: 'advanced',
      include_images: true,
      include_raw_content: 'text',
      topic: 'finance',
    });
    expect(received[0]?.body).not.toHaveProperty('made_up');
    expect(body).toMatchObject({
      answer: 'Forty-two.',
      images: ['https://a.example/i.png'],
      follow_up_questions: ['Why?'],
      results: [{ url: page, content: 'one [...] two', raw_content: 'plain', x: 1 }],
      request_id: expect.stringMatching(/^srch_/),
    });
    expect(JSON.parse(warningsOf(headers) ?? '')).toMatchObject([{ param: 'made_up' }]);

    const pages = { urls: [page], extract_depth: 'advanced', include_favicon: true };
    const read = await at.post('/compat/tavily/extract', pages, by('engine_c'));
    expect(received[1]?.body).toMatchObject({ urls: [page], extract_depth: 'advanced' });
    expect(read.body).toMatchObject({
      results: [{ url: page, raw_content: 'whole', favicon: 'https://a.example/f.ico' }],
    });
    expect(warningsOf(read.headers)).toBe('[]');
  });
});

test('Exa behind its own API supports its vendor-only parameters', async () => {
  await withVendors(async (at, received) => {
    const contents = { text: true, highlights: { maxCharacters: 50, numSentences: 2 } };
    const asked = { query: 'q', type: 'neural', includeText: ['x'], contents };
    for (const headers of [by('engine_a'), { ...by('engine_a'), ...strict }, by('auto')]) {
      received.length = 0;
      const found = await at.post('/compat/exa/search', asked, headers);
      expect(received[0]?.body).toMatchObject({ type: 'neural', includeText: ['x'], contents });
      expect(found.body).toMatchObject({
        requestId: expect.stringMatching(/^srch_/),
        resolvedSearchType: 'neural',
        output: { content: 'An answer.' },
        results: [{ id: 'exa-id', url: page, text: 'whole', highlights: ['a', 'b'], image: 'i' }],
      });
      expect(warningsOf(found.headers)).toBe('[]');
    }

    const pages = { ids: [page], subpages: 1, extras: { richLinks: 1 } };
    const read = await at.post('/compat/exa/contents', pages, by('engine_a'));
    expect(received[1]?.body).toMatchObject({
      urls: [page],
      subpages: 1,
      extras: { richLinks: 1 },
    });
    expect(received[1]?.body).not.toHaveProperty('ids');
    expect(read.body).toMatchObject({
      results: [{ text: 'whole', subpages: [{ id: 's' }], extras: { richLinks: ['r'] } }],
    });
    expect(warningsOf(read.headers)).toBe('[]');
  });
});

test('Perplexity behind its own API supports its vendor-only parameters', async () => {
  await withVendors(async (at, received) => {
    const asked = { query: 'q', max_tokens_per_page: 64, search_recency_filter: 'hour' };
    const { body, headers } = await at.post('/compat/perplexity/search', asked, by('engine_k'));
    expect(received[0]?.body).toMatchObject(asked);
    expect(body).toMatchObject({
      server_time: 'now',
      results: [{ url: page, snippet: 's', last_updated: '2026-02-03' }],
    });
    expect(warningsOf(headers)).toBe('[]');
  });
});

test('vendor-only parameters reach no other engine or panel, and cause warnings', async () => {
  await withVendors(async (at, received) => {
    const asked = { query: 'q', include_answer: true };
    for (const provider of ['engine_a', 'engine_k', 'fusion', 'auto']) {
      received.length = 0;
      const { body, headers } = await at.post('/compat/tavily/search', asked, by(provider));
      expect(JSON.stringify(received)).not.toContain('include_answer');
      expect(body).toMatchObject({ answer: null });
      expect(warningsOf(headers)).toContain('"param":"include_answer"');
    }
  });
});

test("Tavily's client gets an answer and images where Tavily is the only engine", async () => {
  await using upstream = startUpstream(({ path }) => Response.json(answers[path] ?? {}));
  const key = { TAVILY_API_KEY: upstreamKey, TAVILY_BASE_URL: `${upstream.url}/tavily` };
  await using at = await startGateway({ env: { TRIVIUM_SANDBOX: 'off', ...key } });
  const client = tavily({ apiKey: at.key, apiBaseURL: `${at.url}/compat/tavily` });
  const { answer, images } = await client.search('q', { includeAnswer: true, includeImages: true });
  expect([answer, images]).toMatchObject(['Forty-two.', [{ url: 'https://a.example/i.png' }]]);
});

describe('with the sandbox', () => {
  const asked = { query: 'solar energy storage', include_answer: true };

  test('only the vendor of the address returns an answer, so strict refuses it elsewhere', async () => {
    const own = { ...strict, ...by('engine_c') };
    const { status, body } = await gateway().post('/compat/tavily/search', asked, own);
    expect([status, body]).toMatchObject([200, { answer: expect.any(String) }]);
    const other = { ...strict, ...by('engine_e') };
    expect((await gateway().post('/compat/tavily/search', asked, other)).status).toBe(400);
    expect((await gateway().post('/compat/tavily/search', asked, strict)).status).toBe(400);
  });

  test('a caller cannot request the vendor fields, and a replayed answer keeps them', async () => {
    const headers = { ...by('engine_c'), 'idempotency-key': 'native-once' };
    const first = await gateway().post('/compat/tavily/search', asked, headers);
    const again = await gateway().post('/compat/tavily/search', asked, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const query = { query: 'solar', provider: 'engine_c' };
    expect((await gateway().post('/v1/search', query)).body).not.toHaveProperty('vendor');
  });

  test('the clients of Exa and Perplexity get the fields of their own vendors', async () => {
    const exa = new Exa(gateway().key, `${gateway().url}/compat/exa`);
    const { results } = await exa.search('solar energy storage', {
      numResults: 1,
      contents: { highlights: { maxCharacters: 120 } },
    });
    expect(results[0]?.highlights.join('').length).toBeLessThanOrEqual(120);
    const baseURL = `${gateway().url}/compat/perplexity`;
    const client = new Perplexity({
      apiKey: gateway().key,
      baseURL,
      defaultHeaders: by('engine_k'),
    });
    const found = await client.search.create({ query: 'solar', max_tokens_per_page: 64 });
    expect(found.results.length).toBeGreaterThan(0);
  });

  test.each([
    ['/compat/tavily/search', { query: 'solar', include_answer: { __proto__: null, a: 1e308 } }],
    ['/compat/exa/contents', { urls: ['https://gridlines.example/'], subpages: -1 }],
    ['/compat/exa/search', { query: 'solar', contents: { subpages: 1e308 } }],
    ['/compat/exa/search', '{"query":"solar","contents":{"subpages":1,"__proto__":{"a":1}}}'],
    ['/compat/exa/search', '{"query":"solar","__proto__":{"contents":1},"constructor":2}'],
  ])(
    'a hostile value is refused by the vendor or the gateway, without a 500: %s %j',
    async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      const own = path.includes('exa') ? by('engine_a') : by('engine_c');
      const { status } = await gateway().post(path, body, { ...headers, ...own });
      expect([200, 400, 402, 502]).toContain(status);
    },
  );
});
