// Properties of fusion's order, for any lists: what helps a page never lowers it, and the same
// answers give the same bytes.
import { test } from 'bun:test';
import type { SearchEngineId } from '@trivium/contract';
import fc from 'fast-check';
import { expect, proves } from '../../../../e2e/proves.ts';
import { fuse, type Fused, type Listed } from './merge.ts';
import { reasonForPlace } from './explain.ts';

const panel: SearchEngineId[] = ['engine_k', 'engine_a', 'engine_j', 'engine_b', 'engine_c'];
const pagesInPlay = 12;

/** For each member the pages it lists, in its order and without repeats. */
const anyLists = fc.array(
  fc.shuffledSubarray(Array.from({ length: pagesInPlay }, (_, page) => page)),
  { minLength: panel.length, maxLength: panel.length },
);

function order(lists: readonly (readonly number[])[], engines = panel): Fused[] {
  const answers = engines.map((engine, at): [SearchEngineId, Listed[]] => [
    engine,
    (lists[at] ?? []).map((page) => ({
      url: `https://p${page}.example/`,
      snippets: [],
      raw: 'null',
    })),
  ]);
  return fuse(engines, new Map(answers), { top_k: 100 }).results;
}

const placeOf = (results: readonly Fused[], page: number) =>
  results.findIndex(({ url }) => url === `https://p${page}.example/`);

test('a page that one member moves up by one place never falls', () => {
  const property = fc.property(
    anyLists,
    fc.nat({ max: panel.length - 1 }),
    fc.nat({ max: pagesInPlay }),
    (lists, member, at) => {
      const list = lists[member] ?? [];
      const rank = at % Math.max(1, list.length);
      const page = list[rank];
      const above = list[rank - 1];
      fc.pre(page !== undefined && above !== undefined);
      const swapped = list.with(rank - 1, page).with(rank, above);
      const before = placeOf(order(lists), page);
      expect(placeOf(order(lists.with(member, swapped)), page)).toBeLessThanOrEqual(before);
    },
  );
  proves('merge.order.monotonic', () => {
    fc.assert(property, { numRuns: 1000 });
  });
});

test('a page that one more engine returns never falls, at whatever rank', () => {
  const property = fc.property(
    anyLists,
    fc.nat({ max: pagesInPlay - 1 }),
    fc.nat({ max: 30 }),
    (lists, page, rank) => {
      const four = lists.slice(0, 4);
      const before = placeOf(order(four), page);
      fc.pre(before >= 0);
      // What the new engine lists before the page is known to no other member.
      const strangers = Array.from({ length: rank }, (_, at) => 100 + at);
      const known = order([...four, [...strangers, page]]).filter(
        ({ url }) => !/p1\d\d\./.test(url),
      );
      expect(placeOf(known, page)).toBeLessThanOrEqual(before);
    },
  );
  proves('merge.order.monotonic', () => {
    fc.assert(property, { numRuns: 1000 });
  });
});

test('more engines at the same ranks, or better ranks of as many, stand above', () => {
  const property = fc.property(anyLists, (lists) => {
    const results = order(lists);
    results.forEach((lower, at) => {
      for (const upper of results.slice(0, at)) {
        expect(isBetter(ranksOf(lower), ranksOf(upper))).toBe(false);
      }
    });
  });
  proves('merge.order.monotonic', () => {
    fc.assert(property, { numRuns: 300 });
  });
});

/** Whether every rank of the other has one at least as good here, and something more. */
function isBetter(own: readonly number[], others: readonly number[]): boolean {
  const covers = others.every((rank, at) => (own[at] ?? Infinity) <= rank);
  return covers && (own.length > others.length || own.some((rank, at) => rank !== others[at]));
}

const ranksOf = ({ sightings }: Fused) =>
  sightings.map(({ rank }) => rank).toSorted((one, other) => one - other);

test('the order of the panel decides nothing but ties', () => {
  const property = fc.property(
    anyLists,
    fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
    (lists, turns) => {
      const results = order(lists);
      const turned = order(
        turns.map((at) => lists[at] ?? []),
        turns.map((at) => panel[at] ?? 'engine_k'),
      );
      expect(turned.map(({ evidence, score }) => [evidence, score])).toEqual(
        results.map(({ evidence, score }) => [evidence, score]),
      );
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('every place has a reason of one sentence, and the reason is true', () => {
  const property = fc.property(anyLists, (lists) => {
    const results = order(lists);
    results.forEach((page, at) => {
      const next = results[at + 1];
      const reason = reasonForPlace(page, next);
      expect(reason).toMatch(/^[A-Z][^\n]{10,150}\.$/);
      expect(reason).not.toContain('undefined');
      expect(reason.startsWith('Last')).toBe(next === undefined);
      if (next) expect(reason.includes('the same')).toBe(page.evidence === next.evidence);
    });
  });
  fc.assert(property, { numRuns: 300 });
});
