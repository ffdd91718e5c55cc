// Parallel's own client against the sandbox: it is understood, and can parse the responses.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Parallel from 'parallel-web';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (apiKey = 'any') =>
  new Parallel({ apiKey, baseURL: `${sandbox.url}/parallel`, maxRetries: 0 });
const errorOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);
const searchQueries = ['battery storage'];

describe('the official client', () => {
  test('completes a search and parses excerpts, dates and usage', async () => {
    const answer = await client().search({
      objective: 'Find out what battery storage costs.',
      search_queries: searchQueries,
      mode: 'basic',
      advanced_settings: { max_results: 12, source_policy: { after_date: '1990-01-01' } },
    });
    expect(answer.search_id).toStartWith('search_');
    expect(answer.results).toHaveLength(12);
    for (const result of answer.results) {
      expect(result.excerpts.length).toBeGreaterThan(0);
      expect(result.publish_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
    expect(answer.usage).toEqual([
      { name: 'sku_search', count: 1 },
      { name: 'sku_search_additional_results', count: 2 },
    ]);
    expect(answer.warnings).toBeNull();
  });

  test('gets a warning if a parameter was reduced or not supported', async () => {
    const { results, warnings } = await client().search({
      search_queries: searchQueries,
      advanced_settings: { max_results: 50, location: 'uk' },
    });
    expect(results.length).toBeLessThanOrEqual(20);
    expect(warnings).toMatchObject([
      { type: 'input_validation_warning', message: 'max_results reduced to 20' },
      { type: 'input_validation_warning', message: 'location uk is not supported' },
    ]);
  });

  test('excluded domains are ignored as soon as others are included', async () => {
    const all = await client().search({ search_queries: searchQueries });
    const host = new URL(all.results[0]?.url ?? '').hostname;
    const find = async (sourcePolicy: object) => {
      const found = await client().search({
        search_queries: searchQueries,
        advanced_settings: { source_policy: sourcePolicy },
      });
      return new Set(found.results.map(({ url }) => new URL(url).hostname));
    };
    expect(await find({ exclude_domains: [host] })).not.toContain(host);
    expect(await find({ include_domains: [host], exclude_domains: [host] })).toEqual(
      new Set([host]),
    );
  });

  test('raises a small excerpt limit to the minimum, and applies it', async () => {
    const { results } = await client().extract({
      urls: ['https://pages.example/huge'],
      advanced_settings: { excerpt_settings: { max_chars_per_result: 5 } },
    });
    expect(results[0]?.excerpts.join('')).toHaveLength(1000);
    expect(results[0]?.full_content).toBeNull();
  });

  test('extracts whole pages, and lists those that failed', async () => {
    const answer = await client().extract({
      urls: ['https://pages.example/moved', 'https://pages.example/gone'],
      objective: 'why the page moved',
      advanced_settings: { full_content: { max_chars_per_result: 60 } },
    });
    expect(answer.results).toMatchObject([
      { url: 'https://pages.example/moved', title: 'A page that moved house' },
    ]);
    expect(answer.results[0]?.full_content).toHaveLength(60);
    expect(answer.errors).toEqual([
      {
        url: 'https://pages.example/gone',
        error_type: 'fetch_error',
        http_status_code: 404,
        content: null,
      },
    ]);
    expect(answer.usage).toEqual([{ name: 'sku_extract_excerpts', count: 1 }]);
  });

  test('recognises refusals by their class', async () => {
    const bad = await errorOf(client('bad').search({ search_queries: searchQueries }));
    expect(bad).toBeInstanceOf(Parallel.AuthenticationError);
    const long = await errorOf(client().search({ search_queries: ['x'.repeat(201)] }));
    expect(long).toBeInstanceOf(Parallel.UnprocessableEntityError);
    const path = await errorOf(
      client().search({
        search_queries: searchQueries,
        mode: 'turbo',
        advanced_settings: { source_policy: { include_domains: ['a.example/docs'] } },
      }),
    );
    expect(path).toBeInstanceOf(Parallel.UnprocessableEntityError);
  });
});

describe('the API', () => {
  const post = (body: object, headers: Record<string, string>) =>
    fetch(`${sandbox.url}/parallel/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  test('ignores a bearer token', async () => {
    const answer = await post({ search_queries: searchQueries }, { authorization: 'Bearer any' });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { detail: null } });
  });

  test('refuses unknown fields, with their location', async () => {
    const answer = await post(
      { search_queries: searchQueries, max_results: 3 },
      { 'x-api-key': 'any' },
    );
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      type: 'error',
      error: { detail: { errors: [{ loc: ['body', 'max_results'] }] } },
    });
  });

  test('refuses domains with a scheme or a wildcard, and more than 200 of them', async () => {
    const lists = [
      { include_domains: ['https://a.example'] },
      { exclude_domains: ['*.a.example'] },
      { include_domains: Array.from({ length: 201 }, (_, index) => `${index}.example`) },
    ];
    for (const sourcePolicy of lists) {
      const advancedSettings = { source_policy: sourcePolicy };
      const answer = await post(
        { search_queries: searchQueries, advanced_settings: advancedSettings },
        { 'x-api-key': 'any' },
      );
      expect(answer.status).toBe(422);
    }
  });
});
