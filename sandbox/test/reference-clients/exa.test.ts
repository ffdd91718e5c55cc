// Exa's own client against the sandbox: it is understood, and can parse the responses.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Exa from 'exa-js';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (key = 'any') => new Exa(key, `${sandbox.url}/exa`);
const errorOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);

describe('the official client', () => {
  test('completes a search and reads highlights, text, summary and the charge', async () => {
    const answer = await client().search('battery storage', {
      numResults: 4,
      type: 'fast',
      startPublishedDate: '1990-01-01',
      userLocation: 'US',
      contents: {
        highlights: true,
        text: { maxCharacters: 200 },
        summary: { query: 'what it costs' },
      },
    });
    expect(answer.results).toHaveLength(4);
    for (const result of answer.results) {
      expect(result.url).toStartWith('https://');
      expect(result.title).toBeString();
      expect(result.publishedDate).toEndWith('Z');
      expect(result.highlights.length).toBeGreaterThan(0);
      expect(result.text.length).toBeLessThanOrEqual(200);
      expect(result.summary).not.toBe('');
    }
    expect(answer.costDollars?.total).toBeCloseTo(0.011, 6);
  });

  test('searches with its default contents', async () => {
    const { results } = await client().search('battery storage');
    expect(results[0]?.text).toStartWith('# ');
  });

  test('filters by category, and reports what the category refuses', async () => {
    const { results } = await client().search('battery', { category: 'company', contents: false });
    expect(results.length).toBeGreaterThan(0);
    const refused = client().search('battery', {
      category: 'people',
      excludeDomains: ['a.example'],
      contents: false,
    });
    expect(await errorOf(refused)).toMatchObject({
      statusCode: 400,
      message: 'excludeDomains is not supported with category people',
    });
  });

  test('reads pages, links and images, and a status for each URL', async () => {
    const urls = ['https://pages.example/moved', 'https://pages.example/gone'];
    const { results, statuses, costDollars } = await client().getContents(urls, {
      text: true,
      highlights: { query: 'address', maxCharacters: 300 },
      extras: { links: 10, imageLinks: 10 },
      maxAgeHours: 0,
      livecrawlTimeout: 5000,
    });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      id: urls[0],
      url: 'https://pages.example/new-home',
      title: 'A page that moved house',
      extras: { links: [] },
    });
    expect(results[0]?.text).toContain('used to live at another address');
    expect(statuses).toMatchObject([
      { id: urls[0], status: 'success' },
      { id: urls[1], status: 'error' },
    ]);
    expect(costDollars?.total).toBeCloseTo(0.002, 6);
  });

  test('recognises refusals by their status and message', async () => {
    expect(await errorOf(client('bad').search('battery'))).toMatchObject({
      statusCode: 401,
      message: 'The API key is not valid.',
    });
    expect(await errorOf(client().search('battery', { numResults: 101 }))).toMatchObject({
      statusCode: 400,
    });
    expect(await errorOf(client().search('battery', { type: 'keyword' }))).toMatchObject({
      statusCode: 400,
    });
    expect(await errorOf(client().getContents(['nowhere']))).toMatchObject({ statusCode: 400 });
  });
});
