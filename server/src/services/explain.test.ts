// The explanation header: complete when it fits, ASCII always, and honest about what it leaves out.
import { expect, test } from 'bun:test';
import { fuse } from '../domain/fusion.ts';
import type { Listed } from '../domain/fusion.ts';
import { explainFusion } from './explain.ts';

const pages = (count: number, host: string): Listed[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://${host}.example/${at}`,
    snippets: [],
    raw: '{}',
  }));

function explain(a: Listed[], k: Listed[], top_k: number) {
  const lists = new Map([
    ['engine_a' as const, a],
    ['engine_k' as const, k],
  ]);
  const text = explainFusion(fuse(['engine_a', 'engine_k'], lists, { top_k }), ({ key }) => key);
  return { text, told: JSON.parse(text) as Record<string, unknown> };
}

test('every result tells its rank on each engine, and every page left out tells why', () => {
  const a = [...pages(2, 'a'), ...pages(1, 'both')];
  const k = [...pages(1, 'both'), ...pages(1, 'both'), ...pages(2, 'k')];
  expect(explain(a, k, 1).told).toEqual({
    results: [
      { id: 'both.example/0', ranks: { engine_a: 3, engine_k: 1 } },
      { id: 'a.example/0', ranks: { engine_a: 1 } },
    ],
    left_out: [
      { engine: 'engine_a', rank: 2, url: 'https://a.example/1', reason: 'below_top_k' },
      { engine: 'engine_k', rank: 2, url: 'https://both.example/0', reason: 'repeated' },
      { engine: 'engine_k', rank: 2, url: 'https://k.example/0', reason: 'below_top_k' },
      { engine: 'engine_k', rank: 3, url: 'https://k.example/1', reason: 'below_top_k' },
    ],
  });
});

test('a long explanation is cut to what a header holds, and says by how much', () => {
  const { text, told } = explain(pages(100, 'a'), pages(100, 'k'), 100);
  expect(text.length).toBeLessThanOrEqual(8192);
  const shown = (told['results'] as unknown[]).length;
  expect(shown).toBeGreaterThan(50);
  expect(told['not_shown']).toEqual({ results: 200 - shown, left_out: 0 });
  const deep = explain(pages(100, 'a'), pages(100, 'k'), 1);
  const named = (deep.told['left_out'] as unknown[]).length;
  expect(deep.told['not_shown']).toEqual({ results: 0, left_out: 198 - named });
  expect(deep.text.length).toBeLessThanOrEqual(8192);
});

test('addresses beyond ASCII are escaped, and come back whole', () => {
  const url = 'https://a.example/naïve-\u{1F30D}';
  const { text, told } = explain([...pages(1, 'a'), { url, snippets: [], raw: '{}' }], [], 1);
  expect(text).toMatch(/^[\x20-\x7e]*$/);
  expect(told['left_out']).toMatchObject([{ url }]);
});
