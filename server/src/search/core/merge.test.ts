// The merge: who survives, in which order, with which fields, and that only the lists decide.
import { describe, test } from 'bun:test';
import { searchEngineIds, type SearchEngineId } from '@trivium/contract';
import fc from 'fast-check';
import { expect, proves } from '../../../../e2e/proves.ts';
import { evidenceOf, fuse, type FusionRules, type Listed } from './merge.ts';

const panel: SearchEngineId[] = ['engine_k', 'engine_a', 'engine_j', 'engine_b'];

/** A list from the names of pages. */
function list(names: string, engine = 'any'): Listed[] {
  return names
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => page(`https://${name}.example/`, { raw: `{"${engine}":"${name}"}` }));
}

function page(url: string, more: Partial<Listed> = {}): Listed {
  return { url, snippets: [], raw: 'null', ...more };
}

function fused(
  lists: Partial<Record<SearchEngineId, Listed[]>>,
  rules: FusionRules = { top_k: 3 },
) {
  return fuse(panel, new Map(Object.entries(lists) as [SearchEngineId, Listed[]][]), rules);
}

const names = (results: { url: string }[]) =>
  results.map(({ url }) => url.replace(/^https?:\/\/(?:www\.)?([^.]+).*$/, '$1')).join(' ');

describe('survival', () => {
  test('the first top_k of every member stay, deeper pages only with a second engine', () => {
    const { results, left_out } = fused(
      { engine_a: list('a b c d e'), engine_k: list('x y z v e') },
      { top_k: 2 },
    );
    proves(['fusion.top-k.always-kept', 'fusion.top-k.deeper-needs-two'], () => {
      expect(names(results)).toBe('x a e y b');
      expect(
        left_out.map(({ engine, rank, url }) => `${engine} ${rank} ${names([{ url }])}`),
      ).toEqual(['engine_k 3 z', 'engine_k 4 v', 'engine_a 3 c', 'engine_a 4 d']);
    });
  });

  test('a top_k as long as the lists keeps the whole union', () => {
    const { results, left_out } = fused(
      { engine_a: list('a b c d e f g h i j'), engine_k: list('k l m n o p q r s t') },
      { top_k: 10 },
    );
    proves(['fusion.top-k.full-union', 'merge.not-truncated'], () => {
      expect(results).toHaveLength(20);
      expect(left_out).toEqual([]);
    });
  });

  test('a page that one member lists twice counts once, and the ranks behind it close up', () => {
    const twice = [...list('a'), page('http://www.a.example'), ...list('b')];
    const { results, left_out } = fused({ engine_a: twice }, { top_k: 2 });
    proves('merge.member-repeats', () => {
      expect(results.map(({ score, sightings }) => [score, sightings])).toEqual([
        [1, [{ engine: 'engine_a', rank: 1 }]],
        [1, [{ engine: 'engine_a', rank: 2 }]],
      ]);
      expect(left_out).toEqual([
        { engine: 'engine_a', rank: 2, url: 'http://www.a.example', reason: 'repeated' },
      ]);
    });
  });

  test('nothing found by anyone is an empty list', () => {
    expect(fused({ engine_a: [], engine_k: [] })).toEqual({ results: [], left_out: [] });
  });
});

describe('order', () => {
  test('the evidence of the ranks decides, so that one first place outweighs two late ones', () => {
    const { results } = fused({
      engine_k: list('top a b c d e f both'),
      engine_a: list('first g h i j k l both'),
    });
    // 1/3 each for the first places, 1/4 for the second ones, and 1/10 twice for "both".
    proves('merge.order.evidence', () => {
      expect(names(results)).toBe('top first a g both b h');
      expect(results.map(({ score }) => score)).toEqual([1, 1, 1, 1, 2, 1, 1]);
      const agreed = fused({ engine_k: list('top both'), engine_a: list('first x both') });
      expect(names(agreed.results)).toBe('both top first x');
    });
  });

  test('evidence is the sum of floor(10^12 / (2 + rank)), a whole number for every panel', () => {
    const { results } = fused({
      engine_k: list('page'),
      engine_a: list('x page'),
      engine_j: list('x y page'),
    });
    const evidence = results.find(({ url }) => url.includes('page'))?.evidence;
    expect(evidence).toBe(333_333_333_333 + 250_000_000_000 + 200_000_000_000);
    expect(Number.isSafeInteger(searchEngineIds.length * evidenceOf(1))).toBe(true);
  });

  test('of equal evidence the page of more engines comes first', () => {
    // Three seventh places are exactly one first place.
    const { results } = fused({
      engine_k: list('k1 k2 k3 k4 k5 k6 three'),
      engine_a: list('a1 a2 a3 a4 a5 a6 three'),
      engine_j: list('j1 j2 j3 j4 j5 j6 three'),
    });
    proves('merge.order.score', () => expect(names(results.slice(0, 4))).toBe('three k1 a1 j1'));
  });

  test('then best rank, then the panel, then the page key decide', () => {
    // 1/3 + 1/12 is 1/4 + 1/6. Neither the panel nor the key would put the first place first.
    proves('merge.order.ties', () => {
      const ranks = fused({
        engine_b: list('zest b c able'),
        engine_k: list('d able e f g h i j k zest'),
      });
      const tied = ranks.results.filter(({ score }) => score === 2);
      expect(names(tied)).toBe('zest able');
      expect(tied[0]?.evidence).toBe(tied[1]?.evidence);
      // No engine has two pages at one rank, so the panel decides at the latest.
      const two = fused({ engine_k: list('p q'), engine_a: list('q p') });
      expect(names(two.results)).toBe('p q');
      const alone = fused({ engine_b: list('b'), engine_j: list('j'), engine_a: list('z') });
      expect(names(alone.results)).toBe('z j b');
      const pairs = fused({ engine_b: list('b c'), engine_j: list('j i') });
      expect(names(pairs.results)).toBe('j b i c');
    });
  });
});

describe('fields', () => {
  test('each comes from the best-ranked engine that has it', () => {
    const { results } = fused({
      engine_k: [
        ...list('other'),
        page('https://www.a.example/', { title: 'K', author: 'Kim', full_text: 'from k' }),
      ],
      engine_j: [page('https://a.example/', { title: '', published_date: '2026-01-02' })],
      engine_a: [
        ...list('more than'),
        page('https://a.example/?utm_source=x', { title: 'A', author: 'Ann', summary: 'from a' }),
      ],
    });
    proves(['merge.fields.first-non-empty', 'merge.fields.url-untouched'], () =>
      expect(results[0]).toMatchObject({
        url: 'https://a.example/',
        title: 'K',
        author: 'Kim',
        published_date: '2026-01-02',
        full_text: 'from k',
        summary: 'from a',
        score: 3,
      }),
    );
  });

  test('of equal ranks the engine that stands first in the panel speaks', () => {
    const { results } = fused({
      engine_b: [page('https://a.example/', { title: 'B' })],
      engine_j: [page('https://a.example/', { title: 'J' })],
    });
    expect(results[0]?.title).toBe('J');
  });

  test('an https address is shown before an http one, and never one that no engine gave', () => {
    const { results } = fused({
      engine_k: [page('http://a.example/')],
      engine_a: [...list('x'), page('https://www.a.example')],
      engine_j: [page('http://only.example/')],
    });
    proves('merge.fields.https-first', () => {
      expect(results.map(({ url }) => url)).toContain('https://www.a.example');
      expect(results.map(({ url }) => url)).toContain('http://only.example/');
      expect(results).toHaveLength(3);
    });
  });

  test('snippets are joined without repeats before they are capped', () => {
    const lists = {
      engine_k: [page('https://a.example/', { snippets: ['one', 'one', 'three long words'] })],
      engine_a: [...list('x'), page('https://a.example/', { snippets: ['one', 'two', 'three'] })],
    };
    const whole = fused(lists).results[0]?.snippets;
    proves('merge.fields.snippets', () => {
      expect(whole).toEqual(['one', 'three long words', 'two', 'three']);
      const capped = fused(lists, { top_k: 3, max_per_result: 4, max_chars_per_snippet: 5 });
      expect(capped.results[0]?.snippets).toEqual(['one', 'three', 'two', 'three']);
      const few = fused(lists, { top_k: 3, max_per_result: 2 });
      expect(few.results[0]?.snippets).toEqual(['one', 'three long words']);
    });
  });

  test('raw holds every engine in the order of the panel, each object to the letter', () => {
    const { results } = fused({
      engine_b: [page('https://a.example/', { raw: '{ "z": 1.0, "a": "\\u00e9" }' })],
      engine_k: [...list('x'), page('https://a.example/', { raw: '{"k":12345678901234567890}' })],
    });
    const [k, b] = ['{"k":12345678901234567890}', '{ "z": 1.0, "a": "\\u00e9" }'];
    proves('merge.fields.raw-order', () =>
      expect(results[0]?.raw).toBe(`{"providers":{"engine_k":${k},"engine_b":${b}}}`),
    );
  });
});

function arbitraryList(maxLength: number): fc.Arbitrary<Listed[]> {
  const one = fc.record({
    url: fc
      .tuple(fc.constantFrom('http', 'https'), fc.constantFrom('', 'www.'), fc.nat({ max: 30 }))
      .map(([scheme, www, pageNumber]) => `${scheme}://${www}p${pageNumber}.example/`),
    title: fc.option(fc.constantFrom('', 'one', 'two'), { nil: undefined }),
    snippets: fc.array(fc.constantFrom('s', 't', 'uvw'), { maxLength: 3 }),
    raw: fc.nat().map(String),
  });
  return fc.array(one, { maxLength });
}

test('the order in which members answered changes not one byte', () => {
  const lists = fc.array(arbitraryList(12), { minLength: 4, maxLength: 4 });
  const property = fc.property(
    lists,
    fc.nat({ max: 23 }),
    fc.nat({ max: 12 }),
    (all, turn, top) => {
      const answers = panel.map((engine, at): [SearchEngineId, Listed[]] => [
        engine,
        all[at] ?? [],
      ]);
      const rules = { top_k: top + 1, max_per_result: 2 };
      const first = JSON.stringify(fuse(panel, new Map(answers), rules));
      expect(JSON.stringify(fuse(panel, new Map(shuffled(answers, turn)), rules))).toBe(first);
    },
  );
  proves('merge.deterministic', () => {
    fc.assert(property, { numRuns: 500 });
  });
});

/** One of the orders of a few elements, chosen by its number. */
function shuffled<T>(items: readonly T[], number: number): T[] {
  const left = [...items];
  const taken: T[] = [];
  let rest = number;
  while (left.length > 0) {
    taken.push(...left.splice(rest % left.length, 1));
    rest = Math.floor(rest / (left.length + 1));
  }
  return taken;
}
