// Serper publishes no client, so its API is tested against its known responses.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

type Item = { title: string; link: string; position: number; snippet?: string; date?: string };
type Answer = { organic?: Item[]; news?: Item[]; credits: number; searchParameters: object };

const post = (path: string, body: object, key = 'any') =>
  fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === '' ? {} : { 'x-api-key': key }) },
    body: JSON.stringify(body),
  });
const search = async (path: string, body: object) => {
  const answer = await post(`/serper${path}`, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
};

describe('search', () => {
  test('returns ten results per page for any requested number', async () => {
    const first = await search('/search', { q: 'solar' });
    const many = await search('/search', { q: 'solar', num: 50 });
    expect(first.organic).toHaveLength(10);
    expect(many.organic).toEqual(first.organic ?? []);
    expect([first.credits, many.credits]).toEqual([1, 2]);
    expect(first.organic?.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { title, link } of first.organic ?? []) {
      expect(title).toBeString();
      expect(link).toStartWith('https://');
    }
  });

  test('echoes the request with its defaults', async () => {
    const { searchParameters } = await search('/search', { q: 'solar', gl: 'gb', page: 2 });
    expect(searchParameters).toMatchObject({ q: 'solar', gl: 'gb', hl: 'en', page: 2, num: 10 });
  });

  test('returns further pages without repeating a result', async () => {
    const first = await search('/search', { q: 'solar', page: 1 });
    const second = await search('/search', { q: 'solar', page: 2 });
    const links = [...(first.organic ?? []), ...(second.organic ?? [])].map(({ link }) => link);
    expect(links.length).toBeGreaterThan(10);
    expect(new Set(links).size).toBe(links.length);
  });

  test('omits the list when nothing matches', async () => {
    expect(await search('/search', { q: 'zzqxv' })).not.toContainKey('organic');
  });

  test('gives recent pages an age and others a date', async () => {
    const { news = [] } = await search('/news', { q: 'battery' });
    const dates = news.map(({ date }) => date ?? '');
    expect(dates.some((date) => /^\d+ (hour|day)s? ago$/.test(date))).toBe(true);
    for (const date of dates) expect(date).toMatch(/ago$|^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
  });

  test('finds papers in the scholarly index', async () => {
    const { organic = [] } = await search('/scholar', { q: 'battery' });
    expect(organic.length).toBeGreaterThan(0);
    for (const paper of organic) {
      expect(paper).toMatchObject({ publicationInfo: expect.any(String) });
    }
  });

  test('reads operators and time filters', async () => {
    const query =
      'solar (site:gridlines.example OR site:sunstore.example) -site:www.sunstore.example';
    const onSites = await search('/search', { q: query });
    expect(onSites.organic?.length).toBeGreaterThan(0);
    for (const { link } of onSites.organic ?? []) expect(link).toContain('gridlines.example');
    const range = 'cdr:1,cd_min:01/01/2024,cd_max:12/31/2024';
    const dated = await search('/search', { q: 'solar', tbs: range });
    expect(dated.organic?.length).toBeGreaterThan(0);
    for (const { date } of dated.organic ?? []) expect(date).toEndWith(', 2024');
  });

  test('refuses unknown names and invalid values in its short envelope', async () => {
    const faulty = [
      { q: '' },
      { query: 'solar' },
      { q: 'solar', gl: 'GB' },
      { q: 'solar', page: 0 },
      { q: 'solar', tbs: 'last week' },
      { q: 'solar', max_results: 3 },
    ];
    for (const body of faulty) {
      const answer = await post('/serper/search', body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(await answer.json()).toEqual({ message: expect.any(String), statusCode: 400 });
    }
  });

  test('returns 403 for a missing or bad key', async () => {
    const missing = await post('/serper/search', { q: 'solar' }, '');
    expect(await missing.json()).toEqual({
      message: 'Unauthorized. Sign up for a free account.',
      statusCode: 403,
    });
    expect((await post('/serper-scrape', { url: 'https://a.example' }, 'bad')).status).toBe(403);
  });
});

describe('the page reader', () => {
  const read = async (body: object) => {
    const answer = await post('/serper-scrape/', body);
    return { status: answer.status, page: (await answer.json()) as Record<string, unknown> };
  };

  test('returns text, markdown on request, meta tags and credits', async () => {
    const url = 'https://pages.example/new-home';
    const { page } = await read({ url, includeMarkdown: true });
    expect(page['text']).toContain('used to live at another address');
    expect(page['markdown']).toStartWith('# A page that moved house');
    expect(page['metadata']).toMatchObject({
      title: 'A page that moved house',
      author: 'Lena Brandt',
    });
    expect(page['credits']).toBe(2);
    expect((await read({ url })).page).not.toContainKey('markdown');
  });

  test('reports only that a page could not be read', async () => {
    for (const url of ['https://pages.example/gone', 'https://nowhere.example/']) {
      const { status, page } = await read({ url });
      expect(status).toBe(500);
      expect(page).toEqual({ message: 'Failed to scrape the page', statusCode: 500 });
    }
  });

  test('charges more for a page that is hard to read', async () => {
    expect((await read({ url: 'https://pages.example/huge' })).page['credits']).toBe(10);
  });

  test('refuses unknown names', async () => {
    expect((await read({ url: 'https://pages.example/new-home', format: 'text' })).status).toBe(
      400,
    );
  });
});
