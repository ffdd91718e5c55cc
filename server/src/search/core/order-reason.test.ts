// The sentences that explain a fused order, one for each step that can decide it.
import { test } from 'bun:test';
import type { SearchEngineId } from '@trivium/contract';
import { expect, proves } from '../../../../e2e/proves.ts';
import { reasonForFewPages, reasonForPlace, relativeEvidence } from './explain.ts';
import { fuse, type Listed } from './merge.ts';

const panel: SearchEngineId[] = ['engine_k', 'engine_a', 'engine_j'];

function fused(lists: Partial<Record<SearchEngineId, string>>, topK = 3) {
  const answers = Object.entries(lists).map(([engine, names]): [SearchEngineId, Listed[]] => [
    engine as SearchEngineId,
    names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => ({ url: `https://${name}.example/`, snippets: [], raw: 'null' })),
  ]);
  return fuse(panel, new Map(answers), { top_k: topK });
}

function reasons(lists: Partial<Record<SearchEngineId, string>>): string[] {
  const { results } = fused(lists);
  return results.map((page, at) => reasonForPlace(page, results[at + 1]));
}

test('each step of the order has its own sentence', () => {
  proves('merge.explained', () => {
    expect(reasons({ engine_k: 'both k', engine_a: 'a both' })).toEqual([
      'Evidence 1.75 from 2 engines; the next page has 1 from 1.',
      'Evidence 1 from 1 engine; the next page has 0.75 from 1.',
      'Last: evidence 0.75 from 1 engine.',
    ]);
    const three = {
      engine_k: 'a b c d e f x',
      engine_a: 'g h i j k l x',
      engine_j: 'm n o p q r x',
    };
    expect(reasons(three).slice(0, 2)).toEqual([
      'Evidence 1, the same as the next page, but from more engines: 3 instead of 1.',
      'Evidence 1, the same as the next page; engine_k comes before engine_a in the panel.',
    ]);
    expect(reasons({ engine_k: 'first second', engine_a: 'a b c second d e f g h first' })[0]).toBe(
      'Evidence 1.25, the same as the next page, but with a better best rank: 1 instead of 2.',
    );
    // Two fourth places are a first place but for the last digit.
    expect(reasons({ engine_k: 'a b c two', engine_a: 'd e f two' })[1]).toBe(
      'Evidence 1 from 1 engine, slightly more than the next page.',
    );
  });
});

test('evidence is shown in first places', () => {
  const { results } = fused({ engine_k: 'a b c', engine_a: 'a b c', engine_j: 'a b c' });
  expect(results.map(relativeEvidence)).toEqual([3, 2.25, 1.8]);
});

test('few pages are explained by who returned no list and who gave a short one', () => {
  const asked = { panel, answered: ['engine_k', 'engine_a'], maxResults: 10, topK: 3 } as const;
  const ten = 'a b c d e f g h i j';
  const full = { engine_k: ten, engine_a: 'k l m n o p q r s t' };
  const rule = 'A page that one member alone returned is kept only within its first 3 (top_k).';
  proves('merge.few-pages-explained', () => {
    expect(reasonForFewPages(fused(full), asked)).toBe(
      `6 pages kept, fewer than max_results (10): engine_j returned no list. ${rule}`,
    );
    expect(reasonForFewPages(fused(full), { ...asked, panel: asked.answered })).toBe(
      `6 pages kept, fewer than max_results (10): only 2 lists were merged. ${rule}`,
    );
    const short = fused({ engine_k: 'a', engine_a: '', engine_j: ten });
    expect(reasonForFewPages(short, { ...asked, answered: panel })).toBe(
      '3 pages kept, fewer than max_results (10): engine_k returned 1 page; ' +
        `engine_a returned 0 pages. ${rule}`,
    );
    expect(reasonForFewPages(fused(full), { ...asked, maxResults: 6 })).toBeUndefined();
  });
});
