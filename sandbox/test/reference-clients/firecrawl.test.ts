// Firecrawl's own client against the sandbox: each understands what the other sends.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Firecrawl } from 'firecrawl';
import type { SearchResultNews, SearchResultWeb } from 'firecrawl';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (apiKey: string | null = 'any') =>
  new Firecrawl({ apiKey, apiUrl: `${sandbox.url}/firecrawl`, maxRetries: 1 });

describe('the official client', () => {
  test('completes a search and reads passages', async () => {
    const { web = [] } = await client().search('solar storage', {
      limit: 4,
      includeDomains: ['gridlines.example'],
      country: 'GB',
    });
    expect(web.length).toBeGreaterThan(0);
    for (const found of web as SearchResultWeb[]) {
      expect(found.url).toContain('gridlines.example');
      expect(found.title).toBeString();
      expect(found.description).toContain('\n\n');
    }
  });

  test('finds news separately, and the time filter does not apply to them', async () => {
    // The filter compares days, so the newest page on the subject must be older than one.
    const both = await client().search('storm', { sources: ['web', 'news'], tbs: 'qdr:h' });
    expect(both.web ?? []).toEqual([]);
    expect(both.news?.length).toBeGreaterThan(0);
    for (const { date } of both.news as SearchResultNews[]) expect(date).toMatch(/ago$|, \d{4}$/);
  });

  test('finds only papers in the research category', async () => {
    const { web = [] } = await client().search('battery', { categories: ['research'] });
    expect(web.length).toBeGreaterThan(0);
    for (const found of web) expect(found).toMatchObject({ category: 'research' });
  });

  test('finds no list at all when nothing matches', async () => {
    expect(await client().search('zzqxv')).not.toContainKey('web');
  });

  test('scrapes a page: markdown, passages, final URL and cost', async () => {
    const page = await client().scrape('https://pages.example/moved', {
      formats: ['markdown', { type: 'highlights', query: 'folders named by year' }],
    });
    expect(page.markdown).toStartWith('# A page that moved house');
    expect(page.highlights).toContain('folders named by year');
    expect(page.metadata).toMatchObject({
      url: 'https://pages.example/new-home',
      sourceURL: 'https://pages.example/moved',
      statusCode: 200,
      creditsUsed: 5,
    });
  });

  test('reports why a page could not be read', async () => {
    const codeOf = async (url: string) => {
      const outcome = await client()
        .scrape(url, { autoResume: false })
        .catch((error: unknown) => error);
      return (outcome as { code?: string }).code;
    };
    expect(await codeOf('https://pages.example/slow')).toBe('SCRAPE_TIMEOUT');
    expect(await codeOf('https://pages.example/bot-wall')).toBe('SCRAPE_ALL_ENGINES_FAILED');
    expect(await codeOf('https://nowhere.example/')).toBe('SCRAPE_DNS_RESOLUTION_ERROR');
    const gone = await client().scrape('https://pages.example/gone');
    expect(gone.metadata?.statusCode).toBe(404);
  });

  test('recognises a refused key, and is served without one', async () => {
    const refused = client('bad').search('solar');
    expect(await refused.catch((error: unknown) => error)).toMatchObject({
      status: 401,
      message: 'Unauthorized: Invalid token',
    });
    const { web = [] } = await client(null).search('solar');
    expect(web.length).toBeGreaterThan(0);
  });
});

describe('the API', () => {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${sandbox.url}/firecrawl${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  test('serves callers without a key', async () => {
    expect((await post('/v2/search', { query: 'solar' })).status).toBe(200);
  });

  test('counts two credits for every started ten results', async () => {
    const credits = async (limit: number) => {
      const answer = await post('/v2/search', { query: 'solar', limit });
      return ((await answer.json()) as { creditsUsed: number }).creditsUsed;
    };
    expect(await credits(10)).toBe(2);
    expect(await credits(11)).toBe(4);
  });

  test('refuses unknown names, values out of range and conflicting fields', async () => {
    const faulty = [
      { query: ' ' },
      { query: 'x'.repeat(501) },
      { query: 'solar', limit: 101 },
      { query: 'solar', max_results: 3 },
      { query: 'solar', tbs: 'last week' },
      { query: 'solar', includeDomains: ['https://a.example/x'] },
      { query: 'solar', includeDomains: ['a.example'], excludeDomains: ['b.example'] },
      { query: 'solar', categories: ['developer', 'pdf'] },
    ];
    for (const body of faulty) {
      const answer = await post('/v2/search', body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(await answer.json()).toMatchObject({ success: false, details: expect.any(Array) });
    }
  });

  test('refuses passages without a query and invalid URLs', async () => {
    const url = 'https://pages.example/new-home';
    expect((await post('/v2/scrape', { url, formats: [{ type: 'highlights' }] })).status).toBe(400);
    expect((await post('/v2/scrape', { url: 'nowhere' })).status).toBe(400);
  });
});
