// Perplexity's own client against the sandbox: it is understood, and can parse the responses.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Perplexity from '@perplexity-ai/perplexity_ai';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (apiKey = 'any') =>
  new Perplexity({ apiKey, baseURL: `${sandbox.url}/perplexity`, maxRetries: 0 });

describe('the official client', () => {
  test('completes a search and parses every documented field', async () => {
    const { id, results } = await client().search.create({
      query: 'battery storage',
      max_results: 5,
      search_after_date_filter: '01/01/1990',
      search_language_filter: ['en'],
      country: 'US',
    });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(results).toHaveLength(5);
    for (const result of results) {
      expect(result.url).toStartWith('https://');
      expect(result.snippet).toContain(result.title);
      expect(result.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });

  test('applies an allow list and a deny list', async () => {
    const all = await client().search.create({ query: 'battery storage', max_results: 20 });
    const host = new URL(all.results[0]?.url ?? '').hostname;
    const find = async (searchDomainFilter: string[]) => {
      const found = await client().search.create({
        query: 'battery storage',
        search_domain_filter: searchDomainFilter,
      });
      return found.results.map(({ url }) => new URL(url).hostname);
    };
    expect(new Set(await find([host]))).toEqual(new Set([host]));
    expect(await find([`-${host}`])).not.toContain(host);
  });

  test('recognises refusals by their status and message', async () => {
    const errorOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);
    expect(await errorOf(client('bad').search.create({ query: 'x' }))).toMatchObject({
      status: 401,
    });
    expect(
      await errorOf(
        client().search.create({ query: 'x', search_domain_filter: ['a.example', '-b.example'] }),
      ),
    ).toMatchObject({ status: 400, message: expect.stringContaining('cannot mix') });
    expect(await errorOf(client().search.create({ query: 'x', max_results: 21 }))).toMatchObject({
      status: 400,
    });
    expect(
      await errorOf(
        client().search.create({ query: 'x', search_before_date_filter: '2026-01-31' }),
      ),
    ).toMatchObject({ status: 422 });
  });
});

test('an unknown field is refused with its location', async () => {
  const answer = await fetch(`${sandbox.url}/perplexity/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: JSON.stringify({ query: 'battery', count: 3 }),
  });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ detail: [{ loc: ['body', 'count'] }] });
});
