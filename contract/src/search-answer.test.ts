// Checks the search response: its provider is an engine or fusion, and `raw` is kept unchanged.
import { expect, test } from 'bun:test';
import { SearchResponse, SearchResult } from './search.ts';

const result = { id: 'res_0123456789abcdef', url: 'u', title: null, snippets: [] };
const response = {
  id: 'srch_019a84c25b7e7c319d426f0e8a1b2c3d',
  provider: 'fusion',
  results: [{ ...result, score_synthesized: true, raw: null }],
  warnings: [],
  usage: { cost_usd: 0, credits: 0 },
  latency_ms: 0,
};

test('the provider of a response may be fusion, but not auto', () => {
  expect(SearchResponse.safeParse(response).success).toBe(true);
  expect(SearchResponse.safeParse({ ...response, provider: 'auto' }).success).toBe(false);
  expect(SearchResponse.safeParse({ ...response, latency_ms: -1 }).success).toBe(false);
});

test.each(['id', 'provider', 'results', 'warnings', 'usage', 'latency_ms'])(
  'a response without %s is invalid',
  (field) => {
    expect(SearchResponse.safeParse({ ...response, [field]: undefined }).success).toBe(false);
  },
);

test('raw may be any JSON value', () => {
  const raw = { deep: [{ z: 1, a: null }] };
  expect(SearchResult.parse({ ...result, score_synthesized: false, raw }).raw).toEqual(raw);
});
