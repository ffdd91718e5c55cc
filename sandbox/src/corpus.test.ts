// The corpus must stay rich and clean enough to exercise the filters of every vendor.
import { describe, expect, test } from 'bun:test';
import { corpus, hiddenPages } from './corpus/index.ts';
import type { SourcePage } from './corpus/page.ts';
import { seePage } from './corpus/page.ts';
import { troubles } from './corpus/special.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const dayMs = 86_400_000;

function count(test: (page: SourcePage) => boolean): number {
  return corpus.filter(test).length;
}

function countYoungerThan(days: number): number {
  const since = new Date(now.getTime() - days * dayMs);
  return count((page) => (seePage(page, now).published ?? new Date(0)) >= since);
}

describe('the corpus', () => {
  test('has at least ninety pages on about twenty-five hosts, each URL once', () => {
    const urls = corpus.map(({ url }) => url);
    expect(urls.length).toBeGreaterThanOrEqual(90);
    expect(new Set(urls).size).toBe(urls.length);
    expect(new Set(urls.map((url) => new URL(url).hostname)).size).toBeGreaterThanOrEqual(25);
  });

  test('uses only .example, so that no real site is named', () => {
    const addresses = [...corpus, ...hiddenPages].flatMap((page) => [
      page.url,
      ...(page.links ?? []),
      ...(page.images ?? []),
    ]);
    const real = addresses.filter((url) => !/^https:\/\/[a-z0-9.-]+\.example\//.test(url));
    expect(real).toEqual([]);
  });

  test('gives every page a title, several paragraphs, headings and a sensible length', () => {
    for (const { url, title, body, language } of corpus) {
      const length = language === 'ja' ? body.length / 2 : body.split(/\s+/).length;
      expect([url, title.length > 0]).toEqual([url, true]);
      expect([url, body.split('\n\n').length >= 5]).toEqual([url, true]);
      expect([url, /^## /m.test(body)]).toEqual([url, true]);
      expect([url, length >= 150 && length <= 400]).toEqual([url, true]);
    }
  });

  test('has only real calendar days, from 2023 up to November 2026', () => {
    for (const { published } of corpus) {
      if (typeof published !== 'string') continue;
      expect(new Date(published).toISOString().slice(0, 10)).toBe(published);
      expect(published >= '2023-01-01' && published <= '2026-11-15').toBe(true);
    }
    const years = corpus.map(({ published }) => String(published).slice(0, 4));
    expect(years).toEqual(expect.arrayContaining(['2023', '2024', '2025', '2026']));
  });

  test('always has pages of today, of this week and of this month', () => {
    expect(countYoungerThan(1)).toBeGreaterThanOrEqual(3);
    expect(countYoungerThan(7)).toBeGreaterThanOrEqual(8);
    expect(countYoungerThan(30)).toBeGreaterThanOrEqual(15);
  });

  test('has pages without a date and pages without an author', () => {
    expect(count(({ published }) => published === undefined)).toBeGreaterThanOrEqual(3);
    expect(count(({ author }) => author === undefined)).toBeGreaterThanOrEqual(10);
  });

  test('has six languages, mostly English', () => {
    const languages = new Set(corpus.map(({ language }) => language));
    expect([...languages].sort()).toEqual(['de', 'en', 'es', 'fr', 'ja', 'pt']);
    expect(count(({ language }) => language === 'en')).toBeGreaterThan(corpus.length / 2);
  });

  test('has every kind and every topic several times, and a few unsafe pages', () => {
    for (const kind of ['article', 'news', 'company', 'person', 'paper', 'reference']) {
      expect([kind, count((page) => page.kind === kind) >= 5]).toEqual([kind, true]);
    }
    expect(new Set(corpus.flatMap(({ topics }) => topics)).size).toBe(12);
    expect(count(({ unsafe }) => unsafe === true)).toBeGreaterThanOrEqual(3);
  });

  test('joins wrapped lines, so that a paragraph is one line', () => {
    const page = corpus.find(({ url }) => url.endsWith('/solar-storage-guide'));
    expect(page?.body).toStartWith(
      'Solar panels make most of their electricity around noon. Homes',
    );
    expect(page?.body.split('\n\n')[0]).not.toContain('\n');
  });
});

describe('the hidden pages', () => {
  test('cover redirects, missing, slow, blocked, empty, huge and non-ASCII pages', () => {
    expect(troubles.some(({ redirect }) => redirect !== undefined)).toBe(true);
    const outcomes = troubles.flatMap((one) => (one.redirect === undefined ? [one.outcome] : []));
    expect(outcomes.sort()).toEqual(['blocked', 'missing', 'timeout']);
    const lengths = hiddenPages.map(({ body }) => body.length);
    expect(Math.min(...lengths)).toBe(0);
    expect(Math.max(...lengths)).toBeGreaterThan(300_000);
    expect(hiddenPages.some(({ body }) => /\p{Extended_Pictographic}/u.test(body))).toBe(true);
    expect(Math.max(...hiddenPages.map(({ links = [] }) => links.length))).toBeGreaterThan(100);
  });
});
