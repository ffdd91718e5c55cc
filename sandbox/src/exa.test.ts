// Exa's API: as strict as Exa, with Exa's prices.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Sandbox } from './index.ts';
import { startSandbox } from './index.ts';

type Answer = {
  results: { id: string; url: string; publishedDate?: string; text?: string; score?: number }[];
  statuses: { id: string; status: string; error?: { tag: string } }[];
  costDollars: { total: number };
  error: string;
  tag: string;
};

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => new Date('2026-11-15T12:00:00.000Z') });
});
afterAll(() => sandbox.stop());

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = { 'x-api-key': 'k' },
): Promise<{ status: number; text: string; answer: Answer }> {
  const response = await fetch(`${sandbox.url}/exa${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, answer: JSON.parse(text) as Answer };
}

const query = 'solar energy storage';

describe('exa search', () => {
  test('returns ten pages with only metadata, no score, and its price', async () => {
    const { answer } = await post('/search', { query });
    expect(answer.results).toHaveLength(10);
    expect(answer.costDollars).toEqual({ total: 0.007, search: { neural: 0.007 } } as never);
    for (const result of answer.results) {
      expect(result.id).toBe(result.url);
      expect(result).not.toHaveProperty('score');
      expect(result).not.toHaveProperty('text');
      expect(result).not.toHaveProperty('highlights');
    }
  });

  test('gives the same bytes for the same request at the same time', async () => {
    const body = { query, contents: { highlights: true, text: true } };
    expect((await post('/search', body)).text).toBe((await post('/search', body)).text);
  });

  test('returns text, highlights and summary when asked, and charges for summaries', async () => {
    const contents = { text: { maxCharacters: 80 }, highlights: true, summary: { query } };
    const { answer } = await post('/search', { query, numResults: 3, contents });
    expect(answer.costDollars).toEqual({
      total: 0.01,
      search: { neural: 0.007 },
      contents: { summary: 0.003 },
    } as never);
    for (const result of answer.results) {
      expect(result).toMatchObject({ summary: expect.any(String), highlights: expect.any(Array) });
      expect(result.text).toHaveLength(80);
    }
  });

  test.each([
    ['instant', 10, 0.004],
    ['fast', 10, 0.007],
    ['deep', 10, 0.012],
    ['deep-reasoning', 10, 0.015],
    ['auto', 12, 0.009],
  ])('charges %s with %d results as listed', async (type, numResults, total) => {
    const { answer } = await post('/search', { query, type, numResults });
    expect(answer.results).toHaveLength(numResults);
    expect(answer.costDollars.total).toBe(total);
  });

  test('filters by date and drops undated pages if a date is given', async () => {
    const body = { query, numResults: 50, startPublishedDate: '2026-10-15T00:00:00.000Z' };
    const { answer } = await post('/search', body);
    expect(answer.results.length).toBeGreaterThan(0);
    for (const { publishedDate = '' } of answer.results)
      expect(publishedDate >= '2026-10-15').toBe(true);
  });

  test('treats null as absent', async () => {
    const body = { query, type: null, category: null, includeDomains: null, contents: null };
    expect((await post('/search', body)).status).toBe(200);
  });

  test('searches companies, people, papers and news by category', async () => {
    const hosts = { company: 'registry', people: 'people', publication: 'papers', news: 'news' };
    for (const [category, host] of Object.entries(hosts)) {
      const { answer } = await post('/search', { query: 'energy storage research', category });
      expect([category, answer.results.some(({ url }) => url.includes(`//${host}.`))]).toEqual([
        category,
        true,
      ]);
    }
  });
});

describe('an invalid exa search', () => {
  test.each([
    ['an unknown field', { query, limit: 5 }, 'INVALID_REQUEST_BODY'],
    ['an unknown content field', { query, contents: { body: true } }, 'INVALID_REQUEST_BODY'],
    ['a missing query', {}, 'INVALID_REQUEST_BODY'],
    ['an empty query', { query: '' }, 'INVALID_REQUEST_BODY'],
    ['a retired type', { query, type: 'neural' }, 'INVALID_REQUEST_BODY'],
    ['a retired category', { query, category: 'research paper' }, 'INVALID_REQUEST_BODY'],
    ['a number as text', { query, numResults: '10' }, 'INVALID_REQUEST_BODY'],
    ['too many results', { query, numResults: 101 }, 'NUM_RESULTS_EXCEEDED'],
    ['no results', { query, numResults: 0 }, 'INVALID_NUM_RESULTS'],
    ['an impossible day', { query, endPublishedDate: '2026-02-30' }, 'INVALID_REQUEST_BODY'],
    ['a long country', { query, userLocation: 'USA' }, 'INVALID_REQUEST_BODY'],
    [
      'dates with companies',
      { query, category: 'company', startPublishedDate: '2026-01-01' },
      'INVALID_REQUEST_BODY',
    ],
    [
      'excluded sites with people',
      { query, category: 'people', excludeDomains: ['a.example'] },
      'INVALID_REQUEST_BODY',
    ],
    ['more queries without depth', { query, additionalQueries: ['x'] }, 'INVALID_REQUEST_BODY'],
    [
      'a summary in lite',
      { query, type: 'lite', contents: { summary: {} } },
      'INVALID_REQUEST_BODY',
    ],
    ['broken JSON', '{"query":', 'INVALID_REQUEST_BODY'],
  ])('refuses %s', async (_, body, tag) => {
    const { status, answer } = await post('/search', body);
    expect(status).toBe(400);
    expect(answer).toMatchObject({ tag, requestId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  test('names the field it refuses', async () => {
    expect((await post('/search', { query, limit: 5 })).answer.error).toContain('limit');
  });

  test('returns 402 without a key and refuses a wrong one', async () => {
    const without = await post('/search', { query }, {});
    expect(without.status).toBe(402);
    expect(without.answer).toMatchObject({ x402Version: 2, tag: 'X402_PAYMENT_REQUIRED' });
    const wrong = await post('/search', { query }, { authorization: 'Bearer bad' });
    expect(wrong.status).toBe(401);
    expect(wrong.answer.tag).toBe('INVALID_API_KEY');
    expect((await post('/search', { query }, { authorization: 'Bearer good' })).status).toBe(200);
  });
});

describe('exa contents', () => {
  const page = 'https://gridlines.example/storage/solar-storage-guide';

  test('returns a result or an error for each URL', async () => {
    const urls = [
      page,
      'https://pages.example/gone',
      'https://pages.example/slow',
      'https://pages.example/bot-wall',
      'https://no-such-host.example/',
      'https://pages.example/moved',
    ];
    const { answer } = await post('/contents', { urls, text: true, highlights: { query } });
    expect(answer.results.map(({ id, url }) => [id, url])).toEqual([
      [page, page],
      ['https://pages.example/moved', 'https://pages.example/new-home'],
    ]);
    expect(answer.statuses.map(({ status, error }) => error?.tag ?? status)).toEqual([
      'success',
      'CRAWL_NOT_FOUND',
      'CRAWL_LIVECRAWL_TIMEOUT',
      'CRAWL_HTTP_403',
      'SOURCE_NOT_AVAILABLE',
      'success',
    ]);
    expect(answer.costDollars).toEqual({
      total: 0.004,
      contents: { text: 0.002, highlights: 0.002 },
    } as never);
  });

  test('returns the requested number of links and images', async () => {
    const extras = { links: 7, imageLinks: 5 };
    const { answer } = await post('/contents', { ids: ['https://pages.example/crowded'], extras });
    const found = (answer.results[0] as { extras?: { links: string[]; imageLinks: string[] } })
      .extras;
    expect([found?.links.length, found?.imageLinks.length]).toEqual([7, 5]);
  });

  test('returns a huge page completely or truncated, as requested', async () => {
    const urls = ['https://pages.example/huge'];
    const { answer } = await post('/contents', { urls, text: true });
    expect(answer.results[0]?.text?.length).toBeGreaterThan(300_000);
    const cut = await post('/contents', { urls, text: { maxCharacters: 1000 } });
    expect(cut.answer.results[0]?.text).toHaveLength(1000);
  });

  test('refuses the whole request if no URL is valid, or none has content', async () => {
    expect((await post('/contents', { urls: ['nonsense'] })).answer.tag).toBe('INVALID_URLS');
    const empty = await post('/contents', { urls: ['https://pages.example/empty'], text: true });
    expect([empty.status, empty.answer.tag]).toEqual([400, 'NO_CONTENT_FOUND']);
  });

  test.each([
    ['both urls and ids', { urls: [page], ids: [page] }],
    ['neither', { text: true }],
    ['an empty list', { urls: [] }],
    ['too old a copy', { urls: [page], maxAgeHours: 721 }],
    ['a nested contents object', { urls: [page], contents: { text: true } }],
  ])('refuses %s', async (_, body) => {
    expect((await post('/contents', body)).status).toBe(400);
  });
});
