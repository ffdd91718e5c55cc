// Jina has no official client: its hosts are tested against the documentation of each field.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const Envelope = z.object({
  code: z.literal(200),
  status: z.literal(20000),
  meta: z.object({ usage: z.object({ tokens: z.number() }) }),
});
const Found = Envelope.extend({
  data: z.array(
    z.object({
      title: z.string(),
      url: z.url(),
      description: z.string(),
      content: z.string(),
      date: z.string().optional(),
    }),
  ),
});
const Read = Envelope.extend({
  data: z.object({
    title: z.string(),
    url: z.url(),
    content: z.string().optional(),
    warning: z.string().optional(),
    links: z.record(z.string(), z.string()).optional(),
    metadata: z.record(z.string(), z.string()),
  }),
});

const json = { 'content-type': 'application/json', accept: 'application/json' };
const keyed = { ...json, authorization: 'Bearer any' };

async function post(mount: string, body: object, headers: Record<string, string> = keyed) {
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${sandbox.url}${mount}/`, init);
  const text = await answer.text();
  return { status: answer.status, text, tokens: answer.headers.get('x-usage-tokens') };
}

async function search(body: object) {
  const answer = await post('/jina-search', { respondWith: 'no-content', ...body });
  expect(answer.status).toBe(200);
  return Found.parse(JSON.parse(answer.text));
}

describe('the search host', () => {
  test('lists results without reading pages, at ten thousand tokens per ten results', async () => {
    const { data, meta } = await search({ q: 'battery storage', num: 5 });
    expect(data).toHaveLength(5);
    expect(data.every(({ content }) => content === '')).toBe(true);
    expect(meta.usage.tokens).toBe(10_000);
  });

  test('reads every page found by default', async () => {
    const { status, text } = await post('/jina-search', { q: 'battery storage', num: 2 });
    expect(status).toBe(200);
    const { data } = Found.parse(JSON.parse(text));
    expect(data).toHaveLength(2);
    expect(data.every(({ content }) => content.length > 200)).toBe(true);
  });

  test('charges three times for Bing and five times for news, which is always dated', async () => {
    const bing = await search({ q: 'battery storage', engine: 'bing' });
    const news = await search({ q: 'battery storage', type: 'news' });
    expect(bing.meta.usage.tokens).toBe(30_000);
    expect(news.meta.usage.tokens).toBe(50_000);
    expect(news.data.every(({ date }) => date !== undefined)).toBe(true);
  });

  test('applies sites, and operators inside the query', async () => {
    const hosts = async (body: object) => {
      const { data } = await search(body);
      return new Set(data.map(({ url }) => new URL(url).hostname));
    };
    const site = 'energy.atlas.example';
    expect([...(await hosts({ q: 'battery storage', site: [site] }))]).toEqual([site]);
    expect(await hosts({ q: `battery storage -site:${site}` })).not.toContain(site);
    const dated = await search({ q: 'battery storage after:2024-01-01 before:2024-12-31' });
    const years = dated.data.flatMap(({ date }) => (date === undefined ? [] : [date.slice(-4)]));
    expect(new Set(years)).toEqual(new Set(['2024']));
  });

  test('returns further pages', async () => {
    const first = await search({ q: 'battery storage', num: 2 });
    const second = await search({ q: 'battery storage', num: 2, page: 2 });
    const urls = second.data.map(({ url }) => url);
    expect(first.data.filter(({ url }) => urls.includes(url))).toEqual([]);
  });

  test('accepts only its own codes for places and languages', async () => {
    const answers = [];
    for (const place of [{ gl: 'IE' }, { hl: 'iw' }, { gl: 'zz' }, { hl: 'he' }, { hl: 'EN' }]) {
      answers.push((await post('/jina-search', { q: 'battery storage', ...place })).status);
    }
    expect(answers).toEqual([200, 200, 400, 400, 400]);
  });

  test('returns 422 if nothing is found', async () => {
    const { status, text } = await post('/jina-search', { q: 'zxqv wvuq' });
    expect(status).toBe(422);
    expect(JSON.parse(text)).toMatchObject({
      data: null,
      code: 422,
      status: 42206,
      name: 'AssertionFailureError',
      message: 'No search results available for query zxqv wvuq',
    });
  });

  test('refuses more than twenty, an unknown field, and a caller without a key', async () => {
    const over = await post('/jina-search', { q: 'battery', num: 21 });
    const odd = await post('/jina-search', { q: 'battery', freshness: 'day' });
    const keyless = await post('/jina-search', { q: 'battery' }, json);
    expect(over.status).toBe(400);
    expect(JSON.parse(over.text)).toMatchObject({ name: 'ParamValidationError', path: 'num' });
    expect(JSON.parse(odd.text)).toMatchObject({ status: 40001, path: 'freshness' });
    expect(keyless.status).toBe(401);
    expect(JSON.parse(keyless.text)).toMatchObject({ status: 40103 });
  });

  test('returns plain text to callers that do not ask for JSON', async () => {
    const answer = await post('/jina-search', { q: 'battery' }, { ...keyed, accept: '*/*' });
    expect(answer.text).toStartWith('[1] Title: ');
    expect(answer.tokens).toBe('10000');
  });
});

describe('the reader host', () => {
  const read = async (body: object, headers = keyed) => {
    const answer = await post('/jina-reader', body, headers);
    expect(answer.status).toBe(200);
    return Read.parse(JSON.parse(answer.text)).data;
  };

  test('reads a page with its final URL, with or without a key', async () => {
    const page = await read({ url: 'https://pages.example/moved' });
    expect(page.url).toBe('https://pages.example/new-home');
    expect(page.content).toStartWith('A page that moved house\n====');
    expect(page.metadata).toMatchObject({ lang: 'en', author: 'Lena Brandt' });
    const { authorization: _key, ...keyless } = keyed;
    expect(await read({ url: 'https://pages.example/new-home' }, keyless as typeof keyed)).toEqual(
      page,
    );
  });

  test('returns links on request, and no more tokens than allowed', async () => {
    const crowded = await read({ url: 'https://pages.example/crowded', withLinksSummary: true });
    expect(Object.keys(crowded.links ?? {})).toHaveLength(200);
    const huge = await read({ url: 'https://pages.example/huge', maxTokens: 500 });
    expect(huge.content).toHaveLength(2000);
    const body = { url: 'https://pages.example/huge', tokenBudget: 10 };
    expect((await post('/jina-reader', body)).status).toBe(409);
  });

  test('reports a missing or blocked page only in a warning', async () => {
    const gone = await read({ url: 'https://pages.example/gone' });
    const walled = await read({ url: 'https://pages.example/bot-wall' });
    expect(gone.warning).toBe('Target URL returned error 404: Not Found');
    expect(walled.warning).toBe('Target URL returned error 403: Forbidden');
  });

  test('reports every other failure with its own codes', async () => {
    const expected = {
      'https://pages.example/empty': [422, 42206],
      'https://pages.example/slow': [422, 42206],
      'https://no-such-host.example/': [400, 40001],
      'file:///etc/hosts': [400, 40001],
      'http://127.0.0.1/': [451, 45102],
    };
    for (const [url, [status, number]] of Object.entries(expected)) {
      const answer = await post('/jina-reader', { url });
      expect([url, answer.status]).toEqual([url, status ?? 0]);
      expect(JSON.parse(answer.text)).toHaveProperty('status', number);
    }
  });

  test('refuses a wrong key and an unknown field', async () => {
    const url = 'https://pages.example/new-home';
    const refused = await post('/jina-reader', { url }, { ...json, authorization: 'Bearer bad' });
    const odd = await post('/jina-reader', { url, format: 'text' });
    expect([refused.status, odd.status]).toEqual([401, 400]);
  });
});
