// Brave's own MCP server against the sandbox: its tools search and parse the results.
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
// Its settings must be loaded before its tools, because they import each other.
import config from '@brave/brave-search-mcp-server/dist/config.js';
import { execute as searchNews } from '@brave/brave-search-mcp-server/dist/tools/news/index.js';
import { execute as searchWeb } from '@brave/brave-search-mcp-server/dist/tools/web/index.js';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

const vendor = 'https://api.search.brave.com/res/v1';
const direct = globalThis.fetch;
let sandbox: Sandbox;
let diverted: { mockRestore: () => void };

/** The tools have a fixed URL, so calls to it are redirected to the sandbox. */
beforeAll(async () => {
  sandbox = await startSandbox();
  const divert = (input: string | URL | Request, init?: RequestInit) =>
    direct(String(input).replace(vendor, `${sandbox.url}/brave`), init);
  diverted = spyOn(globalThis, 'fetch').mockImplementation(
    Object.assign(divert, { preconnect: direct.preconnect }),
  );
});
afterAll(async () => {
  diverted.mockRestore();
  await sandbox.stop();
});

describe('the official tools', () => {
  test('complete a web search and parse titles, descriptions and extra snippets', async () => {
    config.braveApiKey = 'any';
    const { content, isError } = await searchWeb({
      query: 'solar storage -site:gridlines.example',
      count: 4,
      extra_snippets: true,
      freshness: '1970-01-01to2100-01-01',
      result_filter: ['web', 'query'],
    });
    expect(isError).toBe(false);
    expect(content).toHaveLength(4);
    for (const found of read(content)) {
      expect(found['url']).not.toContain('gridlines.example');
      expect(found['title']).toBeString();
      expect(String(found['description'])).toContain('<strong>');
      expect(found['extra_snippets']).toBeArray();
    }
  });

  test('complete a news search and parse ages', async () => {
    config.braveApiKey = 'any';
    const { content } = await searchNews({ query: 'battery', count: 2, freshness: 'py' });
    expect(content.length).toBeGreaterThan(0);
    for (const found of read(content)) {
      expect(found['page_age']).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
      expect(found['breaking']).toBe(false);
    }
  });

  test('find no section at all when nothing matches', async () => {
    config.braveApiKey = 'any';
    const { content, isError } = await searchWeb({ query: 'zzqxv' });
    expect(isError).toBe(true);
    expect(content).toEqual([{ type: 'text', text: 'No web results found' }]);
  });

  test('get a validation error for a bad key', async () => {
    config.braveApiKey = 'bad';
    const refused = await searchWeb({ query: 'solar' }).catch((error: unknown) => String(error));
    expect(refused).toContain('422');
    expect(refused).toContain('SUBSCRIPTION_TOKEN_INVALID');
  });
});

describe('the API', () => {
  const get = (path: string, query: Record<string, string>, key = 'any') =>
    direct(`${sandbox.url}/brave${path}?${new URLSearchParams(query).toString()}`, {
      headers: { 'x-subscription-token': key },
    });

  test('names the header of a missing key', async () => {
    const answer = await get('/web/search', { q: 'solar' }, '');
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'VALIDATION',
        meta: { errors: [{ loc: ['header', 'x-subscription-token'] }] },
      },
    });
  });

  test('refuses unknown names, values out of range, and unlisted places', async () => {
    const faulty: Record<string, string>[] = [
      { max_results: '3' },
      { count: '21' },
      { count: 'many' },
      { offset: '10' },
      { country: 'KE' },
      { country: 'gb' },
      { search_lang: 'ja' },
      { freshness: 'week' },
      { result_filter: 'pages' },
      { q: 'word '.repeat(51).trim() },
      { q: 'x'.repeat(401) },
    ];
    for (const query of faulty) {
      const answer = await get('/web/search', { q: 'solar', ...query });
      expect([query, answer.status]).toEqual([query, 422]);
      expect(await answer.json()).toMatchObject({ type: 'ErrorResponse' });
    }
    expect((await get('/news/search', { q: 'solar', count: '50' })).status).toBe(200);
    expect((await get('/news/search', { q: 'solar', result_filter: 'web' })).status).toBe(422);
  });

  test('counts pages, not results, and sends its limits with every response', async () => {
    const urls = async (query: Record<string, string>) => {
      const answer = await get('/web/search', { q: 'solar', text_decorations: 'false', ...query });
      expect(answer.headers.get('x-ratelimit-reset')).toMatch(/^\d+, \d+$/);
      const { web } = (await answer.json()) as { web: { results: { url: string }[] } };
      return web.results.map(({ url }) => url);
    };
    const both = await urls({ count: '6' });
    expect(await urls({ count: '3', offset: '1' })).toEqual(both.slice(3));
  });
});

function read(content: { text: string }[]): Record<string, unknown>[] {
  return content.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
}
