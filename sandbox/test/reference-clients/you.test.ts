// You.com's own client against the sandbox: it is understood, and can parse the responses.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { You } from '@youdotcom-oss/sdk';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const options = () => ({ serverURL: `${sandbox.url}/you` });
const client = (apiKeyAuth = 'any') => new You({ apiKeyAuth });

describe('the official client', () => {
  test('completes a search and reads titles, snippets and dates', async () => {
    const { results, metadata } = await client().search(
      { query: 'battery storage', count: 5, freshness: '1970-01-01to2100-01-01' },
      options(),
    );
    expect(metadata?.query).toBe('battery storage');
    expect(results?.web).toHaveLength(5);
    for (const page of results?.web ?? []) {
      expect(page.title).toBeString();
      expect(page.snippets?.length).toBeGreaterThan(0);
      expect(page.pageAge).toBeInstanceOf(Date);
    }
  });

  test('returns a news section only for queries about news', async () => {
    const quiet = await client().search({ query: 'battery storage' }, options());
    const loud = await client().search({ query: 'latest battery storage' }, options());
    expect(quiet.results?.news ?? []).toEqual([]);
    expect(loud.results?.news?.length).toBeGreaterThan(0);
  });

  test('reads the contents of a page, and nulls for a page that failed', async () => {
    const urls = ['https://pages.example/new-home', 'https://pages.example/gone'];
    const [page, gone] = await client().contents({ urls, format: 'markdown' }, options());
    expect(page?.title).toBe('A page that moved house');
    expect(page?.markdown).toContain('used to live at another address');
    expect(gone?.markdown).toBeNull();
  });

  test('recognises a refused key', async () => {
    const refused = client('bad').search({ query: 'battery' }, options());
    expect(await refused.catch((error: unknown) => error)).toMatchObject({
      name: 'SearchUnauthorizedError',
      statusCode: 401,
    });
  });
});

describe('the API', () => {
  const post = (path: string, body: object) =>
    fetch(`${sandbox.url}/you${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'any' },
      body: JSON.stringify(body),
    });

  test('refuses both domain lists together with its own short body', async () => {
    const answer = await post('/v1/search', {
      query: 'battery',
      include_domains: ['a.example'],
      exclude_domains: ['b.example'],
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({ error: 'invalid request parameter(s)' });
  });

  test('refuses a value outside an enumeration', async () => {
    expect((await post('/v1/search', { query: 'battery', country: 'KE' })).status).toBe(422);
  });

  test('refuses an unknown field, more than 100 results and an eleventh page', async () => {
    const urls = Array.from({ length: 11 }, (_, index) => `https://pages.example/${index}`);
    const answers = [
      await post('/v1/search', { query: 'battery', max_results: 3 }),
      await post('/v1/search', { query: 'battery', count: 101 }),
      await post('/v1/contents', { urls }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ detail: [{ loc: expect.any(Array) }] });
    }
  });

  test('pages by multiples of the count', async () => {
    const page = async (offset: number) => {
      const answer = await post('/v1/search', { query: 'battery storage', count: 2, offset });
      const { results } = (await answer.json()) as { results: { web: { url: string }[] } };
      return results.web.map(({ url }) => url);
    };
    const first = await page(0);
    const second = await page(1);
    expect(first.filter((url) => second.includes(url))).toEqual([]);
  });
});
