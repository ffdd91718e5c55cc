// Valyu's own client against the sandbox: it is understood, and can parse the responses.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Valyu } from 'valyu-js';
import type { ContentsResponse } from 'valyu-js';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (key = 'any') => new Valyu(key, `${sandbox.url}/valyu`);
const read = async (urls: string[], options: Parameters<Valyu['contents']>[1] = {}) =>
  (await client().contents(urls, options)) as ContentsResponse;

describe('the official client', () => {
  test('completes a search with scores, dates and the price of each result', async () => {
    const answer = await client().search('battery storage', {
      searchType: 'web',
      maxNumResults: 4,
      excludeSources: ['energy.atlas.example'],
      startDate: '2020-01-01',
      endDate: '2100-01-01',
      countryCode: 'DE',
      responseLength: 1000,
    });
    expect(answer.success).toBe(true);
    expect(answer.results).toHaveLength(4);
    expect(answer.total_deduction_dollars).toBeCloseTo(0.006, 6);
    for (const result of answer.results) {
      expect(result.relevance_score).toBeWithin(0.5, 1.000001);
      expect(String(result.content).length).toBeWithin(1, 1001);
      expect(result.publication_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });

  test('finds news in the news index, and no score in fast mode', async () => {
    const news = await client().search('battery storage', { searchType: 'news' });
    const fast = await client().search('battery storage', { searchType: 'web', fastMode: true });
    expect(news.results.length).toBeGreaterThan(0);
    expect(fast.results.length).toBeGreaterThan(0);
    expect(fast.results.every((result) => result.relevance_score === undefined)).toBe(true);
  });

  test('reads pages, and reports which of them failed', async () => {
    const answer = await read(['https://pages.example/new-home', 'https://pages.example/gone']);
    expect(answer).toMatchObject({ success: true, urls_processed: 1, urls_failed: 1 });
    expect(answer.total_cost_dollars).toBe(0.001);
    expect(answer.results).toMatchObject([
      { status: 'success', title: 'A page that moved house' },
      { status: 'failed', error: expect.any(String) },
    ]);
  });

  test('gets a summary for an instruction, and the fields of a schema', async () => {
    const url = 'https://pages.example/new-home';
    const summary = 'Sum up: the redirect of old addresses';
    const text = await read([url], { summary });
    expect(text.results).toMatchObject([{ summary: expect.any(String), summary_success: true }]);
    const properties = { quotes: { type: 'array', maxItems: 2, description: 'About: redirects' } };
    const fields = await read([url], { summary: { type: 'object', properties } });
    const quotes = [expect.any(String), expect.any(String)];
    expect(fields.results).toMatchObject([{ summary: { quotes } }]);
    expect(fields.total_cost_dollars).toBe(0.002);
  });

  test('gets a message for each refusal', async () => {
    const refused = await client('bad').search('battery');
    expect(refused).toMatchObject({ success: false, error: 'The API key is not valid.' });
  });
});

describe('the API', () => {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${sandbox.url}/valyu${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'any' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };

  test('refuses unknown and out-of-range fields by name', async () => {
    const wrong = { max_num_results: 21, country_code: 'IE', exclude_sources: [] };
    const { status, body } = await post('/search', { query: 'battery', ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      errors: [{ key: 'max_num_results' }, { key: 'country_code' }, { key: 'exclude_sources' }],
    });
  });

  test('omits results above the maximum price, and reports it with its status', async () => {
    const { status, body } = await post('/search', { query: 'battery storage', max_price: 1 });
    expect(status).toBe(206);
    expect(body).toMatchObject({ success: true, results: [] });
  });

  test('returns 422 if every page failed, with the reason of each', async () => {
    const urls = ['https://pages.example/gone', 'https://no-such-host.example/'];
    const { status, body } = await post('/contents', { urls });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      success: false,
      total_cost_dollars: 0,
      results: [{ status: 'failed' }, { status: 'failed' }],
    });
  });

  test('accepts ten pages, counts duplicates once, and refuses an eleventh', async () => {
    const urls = Array.from({ length: 11 }, (_, index) => `https://pages.example/place/${index}`);
    expect((await post('/contents', { urls })).status).toBe(400);
    const twice = ['https://pages.example/new-home', 'https://pages.example/new-home'];
    expect((await post('/contents', { urls: twice })).body).toMatchObject({ urls_requested: 1 });
  });
});
