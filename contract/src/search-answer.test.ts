// Checks what a search answers: complete, from a real engine or a panel, raw kept as it was.
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

test('an answer may come from fusion, but not from auto', () => {
  expect(SearchResponse.safeParse(response).success).toBe(true);
  expect(SearchResponse.safeParse({ ...response, provider: 'auto' }).success).toBe(false);
  expect(SearchResponse.safeParse({ ...response, latency_ms: -1 }).success).toBe(false);
});

test.each(['id', 'provider', 'results', 'warnings', 'usage', 'latency_ms'])(
  'an answer without %s is not complete',
  (field) => {
    expect(SearchResponse.safeParse({ ...response, [field]: undefined }).success).toBe(false);
  },
);

test('a result keeps what the engine said, whatever it was', () => {
  const raw = { deep: [{ z: 1, a: null }] };
  expect(SearchResult.parse({ ...result, score_synthesized: false, raw }).raw).toEqual(raw);
});
