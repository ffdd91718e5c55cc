// Classes: evidence is taken from the narrowest class that has enough, the same for every engine.
import { expect, test } from 'bun:test';
import { classOfSearch, narrowestEvidence, type EvidenceRow } from './choose.ts';

const any = { tool: 'search', language: '', category: '', freshness: '' };

function row(
  engine: string,
  changes: Partial<EvidenceRow['class']>,
  mean: number,
  n: number,
  day = 5,
): EvidenceRow {
  return {
    engine,
    class: { ...any, ...changes },
    day,
    tally: { n, sum: n * mean, squares: n * mean * mean },
  };
}

test('a search is in the class of what it asked for', () => {
  expect(classOfSearch({})).toEqual(any);
  const asked = { locale: { language: 'DE' }, category: 'news', freshness: 'day' } as const;
  expect(classOfSearch(asked)).toEqual({
    tool: 'search',
    language: 'de',
    category: 'news',
    freshness: 'day',
  });
});

test('a class with enough evidence is used, and a thin one gives way to a wider one', () => {
  const rows = [
    ...['a', 'b'].map((engine) => row(engine, {}, 0.5, 100)),
    row('a', { category: 'news' }, 0.9, 40),
    row('b', { category: 'news' }, 0.2, 40),
    row('a', { category: 'news', language: 'de' }, 0.1, 40),
  ];
  const news = narrowestEvidence(rows, { ...any, category: 'news' }, 5);
  expect(news.get('a')).toMatchObject({ n: 40 });
  // German news have evidence of one engine only; so all news are compared.
  const german = narrowestEvidence(rows, { ...any, category: 'news', language: 'de' }, 5);
  expect(german.get('a')?.n).toBeCloseTo(80, 9);
  expect(german.get('b')?.n).toBeCloseTo(40, 9);
  const people = narrowestEvidence(rows, { ...any, category: 'people' }, 5);
  expect(people.get('b')?.n).toBeCloseTo(140, 9);
});

test('a class binds others only by weeks in which several accounts have voted', () => {
  const german = { ...any, language: 'de' };
  const [monday, week] = [4, 7];
  const voted = (language: string, day: number, means: [number, number], votes: number) =>
    means.map((mean, at) => ({
      ...row(['a', 'b'][at] ?? '', { language }, mean, 40, day),
      votes,
    }));
  const others = voted('', monday, [0.5, 0.4], 3);
  const one = [0, 1, 2].flatMap((weeks) => voted('de', monday + weeks * week, [0.1, 0.9], 1));
  const today = monday + 2 * week;
  const meanOf = (rows: EvidenceRow[]) => {
    const { n = 0, sum = 0 } = narrowestEvidence(rows, german, today).get('a') ?? {};
    return n > 0 ? Number((sum / n).toFixed(3)) : undefined;
  };
  // One account has its vote among all searches of a week, and none in a week or class of its own.
  expect(meanOf([...others, ...one.slice(2)])).toBe(0.5);
  expect(meanOf([...others, ...one])).toBe(0.3);
  expect(meanOf(one)).toBeUndefined();
  expect(meanOf([...others, ...voted('de', monday, [0.2, 0.9], 3)])).toBe(0.2);
  // Two accounts whose votes were rounded up are not three.
  expect(meanOf([...others, ...voted('de', monday + week, [0.2, 0.9], 2.000_000_004)])).toBe(0.5);
});

test('nothing is known of another tool, and nothing at all of nothing', () => {
  expect(narrowestEvidence([row('a', {}, 0.5, 100)], { ...any, tool: 'extract' }, 5).size).toBe(0);
  expect(narrowestEvidence([], any, 5).size).toBe(0);
});
