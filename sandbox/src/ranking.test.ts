// Ranking must look realistic, differ between engines, and be deterministic.
import { describe, expect, test } from 'bun:test';
import type { Engine, Filters } from './ranking.ts';
import { rank } from './ranking.ts';

const now = new Date('2026-11-15T12:00:00.000Z');

const keyword: Engine = {
  name: 'keyword-engine',
  boost: { title: 3, topics: 1, body: 1 },
  fuzzy: 0,
  prefix: false,
  coverage: 0.85,
  least_match: 0.5,
  neural: false,
};
const neural: Engine = {
  ...keyword,
  name: 'neural-engine',
  boost: { title: 1, topics: 3, body: 1 },
  fuzzy: 0.2,
  least_match: 0.3,
  neural: true,
};
const whole: Engine = { ...keyword, name: 'whole-web', coverage: 1 };

function urlsFor(query: string, engine: Engine, filters: Filters = {}, limit = 10): string[] {
  return rank({ engine, query, limit, filters }, now).hits.map(({ page }) => page.url);
}

describe('ranking', () => {
  test('finds ten pages on solar energy storage with every engine, relevant ones first', () => {
    for (const engine of [keyword, neural, whole]) {
      const { hits } = rank({ engine, query: 'solar energy storage', limit: 10 }, now);
      expect(hits).toHaveLength(10);
      for (const { page } of hits.slice(0, 5)) expect(page.topics).toContain('storage');
    }
  });

  test('puts the page that answers the question first', () => {
    const answers = {
      'low-cost desalination membranes': '/desalination/small-plants',
      'readings of the Orkney tide turbine': '/tidal/orkney-season-one',
      'idempotency keys payments retry': '/apis/idempotency-keys',
      'coral nursery survival': '/reefs/coral-nursery-results',
      蓄電池: '/energy/jutaku-chikudenchi',
    };
    for (const [query, ending] of Object.entries(answers)) {
      expect(urlsFor(query, whole)[0]).toEndWith(ending);
    }
  });

  test('returns some common and some different pages per engine', () => {
    const one = urlsFor('solar energy storage', keyword);
    const other = urlsFor('solar energy storage', neural);
    const common = one.filter((url) => other.includes(url));
    expect(common.length).toBeGreaterThanOrEqual(3);
    expect(common.length).toBeLessThan(10);
    expect(one).not.toEqual(other);
  });

  test('gives the same hits with the same scores every time', () => {
    const question = { engine: neural, query: 'quiet ships and whales', limit: 10 };
    expect(JSON.stringify(rank(question, now))).toBe(JSON.stringify(rank(question, now)));
  });

  test('scores between 0 and 1, falling with the rank', () => {
    const scores = rank(
      { engine: neural, query: 'water leaks in cities', limit: 20 },
      now,
    ).hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    for (const score of scores) expect(score > 0 && score < 1).toBe(true);
  });

  test('continues a list at an offset and reports its length', () => {
    const query = 'energy';
    const all = urlsFor(query, whole, {}, 10);
    const rest = rank({ engine: whole, query, limit: 5, offset: 5 }, now);
    expect(rest.hits.map(({ page }) => page.url)).toEqual(all.slice(5));
    expect(rest.total).toBeGreaterThan(10);
  });

  test('without a matching word, only neural engines find pages, on related subjects', () => {
    const query = 'xylophonist photovoltaique';
    expect(urlsFor(query, keyword)).toEqual([]);
    const near = rank({ engine: neural, query, limit: 10 }, now).hits;
    expect(near.length).toBeGreaterThan(0);
    expect(near[0]?.page.topics).toContain('energy');
  });
});

describe('filters', () => {
  const query = 'energy storage water';

  test('keep only the included sites, with subdomains and paths', () => {
    const urls = urlsFor(query, whole, { include_sites: ['gridlines.example/storage'] });
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls) expect(url).toStartWith('https://gridlines.example/storage/');
    expect(urlsFor('database log', whole, { include_sites: ['devpress.example'] })).toContain(
      'https://blog.devpress.example/databases/write-ahead-log',
    );
  });

  test('remove the excluded sites', () => {
    const urls = urlsFor(query, whole, { exclude_sites: ['gridlines.example'] }, 50);
    expect(urls.some((url) => url.includes('gridlines.example'))).toBe(false);
  });

  test('keep only pages of a period, and drop or keep undated pages as configured', () => {
    const after = new Date(now.getTime() - 7 * 86_400_000);
    const { hits } = rank({ engine: whole, query, limit: 50, filters: { after } }, now);
    expect(hits.length).toBeGreaterThan(0);
    for (const { page } of hits) expect(page.published && page.published >= after).toBe(true);
    const undated = 'https://data.watergov.example/guides/household-rainwater';
    const rain = (filters: Filters): string[] => urlsFor('collecting rainwater', whole, filters);
    expect(rain({})).toContain(undated);
    expect(rain({ after })).not.toContain(undated);
    expect(rain({ after, undated: 'keep' })).toContain(undated);
  });

  test('keep only pages of a language, a country, kinds, and safe pages', () => {
    const pagesFor = (words: string, filters: Filters) =>
      rank({ engine: whole, query: words, limit: 50, filters }, now).hits.map(({ page }) => page);
    expect(
      pagesFor('energie speicher', { language: 'de' }).map(({ language }) => language),
    ).toEqual(expect.arrayContaining(['de']));
    for (const page of pagesFor(query, { country: 'gb' })) expect(page.country).toBe('GB');
    for (const page of pagesFor(query, { kinds: ['paper'] })) expect(page.kind).toBe('paper');
    expect(pagesFor('whisky tasting', {}).some(({ unsafe }) => unsafe)).toBe(true);
    expect(pagesFor('whisky tasting', { safe_only: true }).some(({ unsafe }) => unsafe)).toBe(
      false,
    );
  });

  test('prefer without removing anything', () => {
    const question = { engine: whole, query: 'solar battery', limit: 1000 };
    const plain = rank(question, now);
    const liked = rank({ ...question, prefer: { sites: ['pennywise.example'] } }, now);
    const urlsOf = ({ hits }: typeof plain) => hits.map(({ page }) => page.url).sort();
    expect(liked.hits[0]?.page.url).toContain('pennywise.example');
    expect(plain.hits[0]?.page.url).not.toContain('pennywise.example');
    expect(urlsOf(liked)).toEqual(urlsOf(plain));
    expect(liked.hits.length).toBeGreaterThan(10);
  });
});

describe('passages', () => {
  test('are whole paragraphs that contain the query terms, best first', () => {
    const { hits } = rank({ engine: whole, query: 'islanding switch power cut', limit: 1 }, now);
    const [hit] = hits;
    expect(hit?.passages).toHaveLength(3);
    expect(hit?.passages[0]?.text).toContain('islanding');
    for (const { text } of hit?.passages ?? []) expect(hit?.page.body).toContain(text);
    const scores = hit?.passages.map(({ score }) => score) ?? [];
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
  });
});
