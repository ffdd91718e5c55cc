// The explanation header: complete when it fits, ASCII always, and honest about what it leaves out.
import { test } from 'bun:test';
import { expect, proves } from '../../../../e2e/proves.ts';
import { fuse, type Listed } from './merge.ts';
import { explainFusion } from './explain.ts';

const pages = (count: number, host: string): Listed[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://${host}.example/${at}`,
    snippets: [],
    raw: '{}',
  }));

function explain(a: Listed[], k: Listed[], topK: number) {
  const lists = new Map([
    ['engine_a' as const, a],
    ['engine_k' as const, k],
  ]);
  const text = explainFusion(
    fuse(['engine_a', 'engine_k'], lists, { top_k: topK }),
    ({ key }) => key,
  );
  return { text, explained: JSON.parse(text) as Record<string, unknown> };
}

test('every result has its ranks, its evidence and why it stands there', () => {
  const a = [...pages(2, 'a'), ...pages(1, 'both')];
  const k = [...pages(1, 'both'), ...pages(1, 'both'), ...pages(2, 'k')];
  proves('merge.explained', () =>
    expect(explain(a, k, 1).explained).toEqual({
      results: [
        {
          id: 'both.example/0',
          ranks: { engine_a: 3, engine_k: 1 },
          evidence: 1.6,
          why: 'Evidence 1.6 from 2 engines; the next page has 1 from 1.',
        },
        {
          id: 'a.example/0',
          ranks: { engine_a: 1 },
          evidence: 1,
          why: 'Last: evidence 1 from 1 engine.',
        },
      ],
      left_out: [
        { engine: 'engine_a', rank: 2, url: 'https://a.example/1', reason: 'below_top_k' },
        { engine: 'engine_k', rank: 2, url: 'https://both.example/0', reason: 'repeated' },
        { engine: 'engine_k', rank: 2, url: 'https://k.example/0', reason: 'below_top_k' },
        { engine: 'engine_k', rank: 3, url: 'https://k.example/1', reason: 'below_top_k' },
      ],
    }),
  );
});

test('a long explanation is cut to what a header holds, and says by how much', () => {
  const { text, explained } = explain(pages(100, 'a'), pages(100, 'k'), 100);
  expect(text.length).toBeLessThanOrEqual(8192);
  const shown = (explained['results'] as unknown[]).length;
  expect(shown).toBeGreaterThan(50);
  expect(explained['not_shown']).toEqual({ results: 200 - shown, left_out: 0 });
  const deep = explain(pages(100, 'a'), pages(100, 'k'), 1);
  const named = (deep.explained['left_out'] as unknown[]).length;
  expect(deep.explained['not_shown']).toEqual({ results: 0, left_out: 198 - named });
  expect(deep.text.length).toBeLessThanOrEqual(8192);
});

test('few pages are explained even where the rest does not fit', () => {
  const few = '"6 pages": naïve';
  const fusion = fuse(['engine_a'], new Map([['engine_a', pages(100, 'a')]]), { top_k: 100 });
  const text = explainFusion(fusion, ({ key }) => key, few);
  expect(text).toMatch(/^[\x20-\x7e]*$/);
  expect(text.length).toBeLessThanOrEqual(8192);
  expect(JSON.parse(text)).toMatchObject({ few_pages: few, not_shown: { left_out: 0 } });
});

test('addresses beyond ASCII are escaped, and come back whole', () => {
  const url = 'https://a.example/naïve-\u{1F30D}';
  const { text, explained } = explain([...pages(1, 'a'), { url, snippets: [], raw: '{}' }], [], 1);
  expect(text).toMatch(/^[\x20-\x7e]*$/);
  expect(explained['left_out']).toMatchObject([{ url }]);
});
