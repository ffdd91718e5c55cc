// The orders that the study compares, on panels small enough to follow by eye.
import { expect, test } from 'bun:test';
import { searchEngineIds } from '@trivium/contract';
import fc from 'fast-check';
import { fuse } from '../../server/src/search/core/merge.ts';
import { gatherStandings, orderBy, rules, twoPlusRank } from './rules.ts';

const orderOf = (name: string, lists: number[][]) => {
  const rule = rules.find((candidate) => candidate.name === name);
  if (!rule) throw new Error(`There is no rule ${name}.`);
  return orderBy(rule, gatherStandings(lists)).join(' ');
};

test('each rule weighs a first place against two late ones differently', () => {
  // Page 1 is first with one member, page 6 is fifth with two.
  const lists = [
    [1, 11, 12, 13, 6],
    [21, 22, 23, 24, 6],
  ];
  expect(orderOf('counting first', lists)).toBe('6 1 21 11 22 12 23');
  expect(orderOf('60 + rank', lists)).toBe('6 1 21 11 22 12 23');
  expect(orderOf('1/rank', lists)).toBe('1 21 11 22 6 12 23');
  expect(orderOf('2 + rank (fusion)', lists)).toBe('1 21 6 11 22 12 23');
  expect(orderOf('round robin', lists)).toBe('1 21 11 22 12 23 6');
  // Six points from each member are more than the ten of a first place.
  expect(orderOf('Borda', lists)).toBe('6 1 21 11 22 12 23');
});

test('one first place weighs as much as two fourth, three seventh or four tenth places', () => {
  const rule = rules.find(({ name }) => name === '2 + rank (fusion)');
  const evidence = (...ranks: number[]) =>
    rule?.evidence({ page: 0, ranks, bestRank: 0, bestPosition: 0 }) ?? 0;
  expect(Math.abs(evidence(1) - evidence(4, 4))).toBeLessThan(10);
  expect(Math.abs(evidence(1) - evidence(7, 7, 7))).toBeLessThan(10);
  expect(Math.abs(evidence(1) - evidence(10, 10, 10, 10))).toBeLessThan(10);
});

test('the order that the study calls fusion is the order of the gateway', () => {
  const list = fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 10 });
  const property = fc.property(fc.array(list, { minLength: 4, maxLength: 4 }), (lists) => {
    const panel = searchEngineIds.slice(0, lists.length);
    const answers = panel.map(
      (engine, at) =>
        [
          engine,
          (lists[at] ?? []).map((page) => ({
            url: `https://p${page}.example/`,
            snippets: [],
            raw: '',
          })),
        ] as const,
    );
    const fused = fuse(panel, new Map(answers), { top_k: 3 }).results;
    const pages = fused.map(({ url }) => Number(/\d+/.exec(url)?.[0]));
    expect(orderBy(twoPlusRank, gatherStandings(lists))).toEqual(pages);
  });
  fc.assert(property, { numRuns: 500 });
});

test('a page that one member has below its third place is left out', () => {
  expect(orderOf('1/rank', [[1, 2, 3, 4], [5]])).toBe('1 5 2 3');
  expect(orderOf('1/rank', [[1, 2, 3, 4], [4]])).toBe('4 1 2 3');
});
