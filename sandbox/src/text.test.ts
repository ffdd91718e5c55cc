// The functions for text, sites and operators that several vendors share.
import { describe, expect, test } from 'bun:test';
import { fingerprint, fingerprintUuid, share } from './fingerprint.ts';
import { readOperators } from './operators.ts';
import { isOnSite } from './sites.ts';
import { termsOf } from './terms.ts';
import { cutAt, summarise, toPlainText } from './text.ts';

describe('terms', () => {
  test('fold case, accents and plurals, and drop stop words', () => {
    expect(termsOf('The Batteries of Zoë are cafés')).toEqual(['battery', 'zoe', 'cafe']);
  });

  test('split scripts without spaces into pairs', () => {
    expect(termsOf('蓄電池')).toEqual(['蓄電', '電池']);
  });
});

describe('text', () => {
  test('loses its markdown syntax and keeps its words', () => {
    const markdown =
      '## Head\n\nA **bold** [link](https://a.example/).\n\n| a | b |\n|---|---|\n| 1 | 2 |';
    expect(toPlainText(markdown)).toBe('Head\n\nA bold link.\n\na  b\n1  2');
  });

  test('is summarized by the first sentences of the matching paragraphs', () => {
    const markdown = 'Cats sleep a lot. Really.\n\nDogs bark at 3.5 metres. Often.\n\nFish swim.';
    expect(summarise(markdown, ['dog'])).toBe('Dogs bark at 3.5 metres. Cats sleep a lot.');
  });

  test('is never truncated inside a character', () => {
    expect(cutAt('ab🌍', 3)).toBe('ab');
    expect(cutAt('ab🌍', 4)).toBe('ab🌍');
  });
});

describe('sites', () => {
  test('include their subdomains and the paths below them', () => {
    const page = 'https://blog.devpress.example/apis/idempotency-keys';
    for (const site of [
      'devpress.example',
      '*.devpress.example',
      '.example',
      'blog.devpress.example/apis',
    ]) {
      expect([site, isOnSite(page, site)]).toEqual([site, true]);
    }
    for (const site of ['press.example', 'devpress.example/api', 'other.example', '']) {
      expect([site, isOnSite(page, site)]).toEqual([site, false]);
    }
  });
});

describe('operators', () => {
  test('are removed from the query and sorted by kind', () => {
    expect(
      readOperators(
        'tidal "pilot season" (site:a.example OR site:b.example) -site:c.example after:2026-01-01',
      ),
    ).toEqual({
      words: 'tidal pilot season',
      sites: ['a.example', 'b.example'],
      excluded_sites: ['c.example'],
      phrases: ['pilot season'],
      after: '2026-01-01',
    });
  });
});

describe('fingerprints', () => {
  test('depend only on their parts', () => {
    expect(fingerprint(32, 'a', 'b')).toBe(fingerprint(32, 'a', 'b'));
    expect(fingerprint(32, 'a', 'b')).not.toBe(fingerprint(32, 'ab', ''));
    expect(fingerprintUuid('a')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/,
    );
    expect(share('a') >= 0 && share('a') < 1).toBe(true);
  });
});
