// How much two members have in common, from what the merge found.
import { expect, test } from 'bun:test';
import type { SearchEngineId } from '@trivium/contract';
import fc from 'fast-check';
import { fuse } from './core/merge.ts';
import { compareMembers } from './overlap.ts';

const panel: SearchEngineId[] = ['engine_k', 'engine_a', 'engine_j'];

function compared(lists: readonly (readonly number[])[], topK = 3) {
  const answers = lists.map(
    (list, at): [SearchEngineId, { url: string; snippets: []; raw: '' }[]] => [
      panel[at] ?? 'engine_k',
      list.map((page) => ({ url: `https://p${page}.example/`, snippets: [], raw: '' })),
    ],
  );
  return compareMembers(fuse(panel, new Map(answers), { top_k: topK }));
}

test('the pages of two members are compared up to the shorter list and up to ten', () => {
  expect(compared([[1, 2, 3, 4, 5], [5, 1], [9]])).toEqual([
    { pair: ['engine_a', 'engine_j'], compared: 1, shared: 0 },
    { pair: ['engine_a', 'engine_k'], compared: 2, shared: 2 },
    { pair: ['engine_j', 'engine_k'], compared: 1, shared: 0 },
  ]);
  const eleven = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  // The eleventh page of the one is the first of the other: it is not among the first ten of both.
  expect(compared([eleven, [11, 1, ...eleven.slice(1, 10)]])).toEqual([
    { pair: ['engine_a', 'engine_k'], compared: 10, shared: 9 },
  ]);
});

test('a member without pages is not compared, and a repeated page counts once', () => {
  expect(compared([[1], [], [2]])).toEqual([
    { pair: ['engine_j', 'engine_k'], compared: 1, shared: 0 },
  ]);
  expect(compared([[1, 1, 1, 2], [2]])).toEqual([
    { pair: ['engine_a', 'engine_k'], compared: 1, shared: 1 },
  ]);
  expect(compared([])).toEqual([]);
});

test('for any lists the counts are those of the plain definition', () => {
  const list = fc.uniqueArray(fc.nat({ max: 25 }), { maxLength: 15 });
  const property = fc.property(list, list, fc.integer({ min: 1, max: 12 }), (one, other, topK) => {
    const [first = { compared: 0, shared: 0 }] = compared([one, other], topK);
    const [mine, theirs] = [one.slice(0, 10), other.slice(0, 10)];
    expect(first.compared).toBe(Math.min(mine.length, theirs.length));
    expect(first.shared).toBe(mine.filter((page) => theirs.includes(page)).length);
  });
  fc.assert(property, { numRuns: 500 });
});
