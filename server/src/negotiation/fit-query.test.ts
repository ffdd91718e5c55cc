// A query and its operators stay within the provider's limits; warnings name the rest.
import { describe, expect, test } from 'bun:test';
import { cutToWords, wordsIn } from './fit-query.ts';
import { negotiate } from './negotiate.ts';
import { rewritten, choice, limited, native, worded } from '../providers/shared/rows.ts';

const now = new Date('2026-11-15T12:00:00Z');
const hosts = (count: number) => Array.from({ length: count }, (_, at) => `host-${at}.example`);

describe('a limit in words', () => {
  const table = { query: limited(100, 4), include_domains: rewritten('flat_site') };

  test('keeps a query of as many words', () => {
    expect(negotiate(table, { query: 'one two three four' }, now)).toMatchObject({
      granted: { query: 'one two three four' },
      warnings: [],
    });
  });

  test('cuts a longer one and names both limits', () => {
    const { granted, warnings } = negotiate(table, { query: 'one two  three four five' }, now);
    expect(granted['query']).toBe('one two  three four');
    expect(warnings).toMatchObject([{ code: 'param_approximated', param: 'query' }]);
    expect(warnings[0]?.message).toContain('100 characters and 4 words');
  });

  test('counts the operators too', () => {
    const asks = { query: 'one two three four', include_domains: ['a.example'] };
    expect(negotiate(table, asks, now).granted['query']).toBe('one two three site:a.example');
  });

  test('counts blanks at the ends as strict vendors do', () => {
    expect(wordsIn(' a b ')).toBe(4);
    expect(cutToWords('a b c', 2)).toBe('a b');
    expect(cutToWords('a b c', 0)).toBe('a');
  });
});

describe('a list that is folded into the query', () => {
  const table = {
    query: limited(100),
    include_domains: rewritten('flat_site'),
    exclude_domains: rewritten('not_site'),
    category: choice({ people: worded('profile') }),
  };

  test('is written whole when it fits, behind the words that were added', () => {
    const asks = { query: 'tides', include_domains: hosts(2), category: 'people' };
    const { granted, warnings } = negotiate(table, asks, now);
    expect(granted['query']).toBe('tides profile site:host-0.example OR site:host-1.example');
    expect(warnings.map(({ code }) => code)).toEqual(['param_approximated', 'param_approximated']);
  });

  test('is written in part when it does not, and the filter has all of it', () => {
    const asks = { query: 'tides', include_domains: hosts(9) };
    const { granted, warnings, filters } = negotiate(table, asks, now);
    expect(String(granted['query']).length).toBeLessThanOrEqual(100);
    expect(String(granted['query']).split(' OR ')).toHaveLength(4);
    expect(warnings).toMatchObject([{ code: 'param_approximated', param: 'include_domains' }]);
    expect(warnings[0]?.message).toContain('4 of 9 entries');
    expect(filters).toEqual([{ param: 'include_domains', value: hosts(9), warning: 0 }]);
  });

  test('shortens a long query, but no more than half of it', () => {
    const asks = { query: 'tide '.repeat(40).trim(), include_domains: hosts(9) };
    const { granted, warnings } = negotiate(table, asks, now);
    const [words = '', ...operators] = String(granted['query']).split(' site:');
    expect(String(granted['query']).length).toBeLessThanOrEqual(100);
    expect(operators).toHaveLength(2);
    expect(words.length).toBeGreaterThan(40);
    expect(warnings.map(({ param }) => param)).toEqual(['include_domains', 'query']);
  });

  test('of excluded hosts that do not fit is post-filtered, in one warning', () => {
    const asks = { query: 'tides', exclude_domains: hosts(9) };
    const { warnings, filters } = negotiate(table, asks, now);
    expect(warnings).toMatchObject([{ code: 'results_post_filtered', param: 'exclude_domains' }]);
    expect(filters).toEqual([{ param: 'exclude_domains', value: hosts(9), warning: 0 }]);
  });

  test('leaves an excluded path to the filter: an operator would shut out the whole host', () => {
    const asks = { query: 'tides', exclude_domains: ['a.example', 'b.example/old'] };
    const { granted, warnings, filters } = negotiate(table, asks, now);
    expect(granted['query']).toBe('tides -site:a.example');
    expect(warnings).toMatchObject([{ code: 'results_post_filtered', param: 'exclude_domains' }]);
    expect(filters).toMatchObject([{ value: ['a.example', 'b.example/old'] }]);
  });

  test('has no end where the provider sets none', () => {
    const open = { query: native, include_domains: rewritten('site') };
    const { granted } = negotiate(open, { query: 'tides', include_domains: hosts(200) }, now);
    expect(String(granted['query']).split(' OR ')).toHaveLength(200);
  });
});
