// The operator's defaults in a request that leaves parameters out.
import { expect, test } from 'bun:test';
import { SearchRequest } from '@trivium/contract';
import { withDefaults } from './tools.ts';

test('what a request says replaces a default as a whole', () => {
  const defaults = { max_results: 5, freshness: 'week', content: { full_text: true } };
  const parse = (body: unknown) => withDefaults(SearchRequest, defaults).safeParse(body).data;
  expect(parse({ query: 'x' })).toMatchObject({ query: 'x', ...defaults });
  expect(parse({ query: 'x', max_results: 7, content: { summary: true } })).toMatchObject({
    max_results: 7,
    content: { summary: true },
  });
  // A window and dates exclude each other, and the caller's own dates count.
  const dated = parse({ query: 'x', published_after: '2026-01-01' });
  expect(dated).toMatchObject({ max_results: 5, published_after: '2026-01-01' });
  expect(dated).not.toHaveProperty('freshness');
  for (const wrong of [null, [], 'x', 7, {}]) expect(parse(wrong)).toBeUndefined();
  expect(withDefaults(SearchRequest, undefined)).toBe(SearchRequest);
});
