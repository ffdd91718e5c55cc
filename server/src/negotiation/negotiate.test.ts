// The negotiation, support by support: granted exactly, or named in exactly one warning.
import { describe, expect, test } from 'bun:test';
import { cutAtWord, negotiate } from './negotiate.ts';
import {
  capped,
  rewritten,
  choice,
  hint,
  limited,
  listed,
  native,
  near,
  postFiltered,
  when,
  worded,
} from '../providers/shared/rows.ts';
import type { Support } from './support.ts';

const now = new Date('2026-11-15T12:00:00Z');
const weigh = (param: string, support: Support | undefined, value: unknown, more = {}) =>
  negotiate(
    { query: native, ...(support ? { [param]: support } : {}) },
    { query: 'tides', [param]: value, ...more },
    now,
  );

describe('each support', () => {
  test('native grants the value, and a filter is verified without a warning', () => {
    expect(weigh('include_domains', native, ['a.example'])).toEqual({
      granted: { query: 'tides', include_domains: ['a.example'] },
      warnings: [],
      filters: [{ param: 'include_domains', value: ['a.example'] }],
    });
  });
  test('an empty list is not sent, even where lists are native', () => {
    const { granted, filters } = weigh('include_domains', native, []);
    expect(granted).toEqual({ query: 'tides' });
    expect(filters).toEqual([]);
  });
  test('a missing row ignores the value and says so', () => {
    const { granted, warnings } = weigh('mode', undefined, 'deep');
    expect(granted).toEqual({ query: 'tides' });
    expect(warnings).toMatchObject([{ code: 'param_ignored', param: 'mode' }]);
  });
  test('a choice translates, nearly translates, words the query, or ignores', () => {
    const table = choice({
      fast: 'quick',
      deep: near('slow', 'the deepest there is.'),
      news: worded('news'),
    });
    expect(weigh('mode', table, 'fast')).toMatchObject({
      granted: { mode: 'quick' },
      warnings: [],
    });
    expect(weigh('mode', table, 'deep')).toMatchObject({
      granted: { mode: 'slow' },
      warnings: [{ code: 'param_approximated', param: 'mode' }],
    });
    expect(weigh('mode', table, 'news')).toMatchObject({
      granted: { query: 'tides news' },
      warnings: [{ code: 'param_approximated' }],
    });
    expect(weigh('mode', table, 'instant')).toMatchObject({
      warnings: [{ code: 'param_ignored' }],
    });
  });
  test('a cap warns only above itself', () => {
    expect(weigh('max_results', capped(20), 20)).toMatchObject({
      granted: { max_results: 20 },
      warnings: [],
    });
    expect(weigh('max_results', capped(20), 21)).toMatchObject({
      granted: { max_results: 20 },
      warnings: [{ code: 'param_approximated', param: 'max_results' }],
    });
  });
  test('a list is sent as far as the provider takes it', () => {
    expect(weigh('include_domains', listed(2), ['a', 'b', 'c'])).toMatchObject({
      granted: { include_domains: ['a', 'b'] },
      warnings: [{ code: 'param_approximated' }],
    });
  });
  test('a filter that is switched off is named: the provider may filter all the same', () => {
    expect(weigh('safe_search', undefined, 'off').warnings).toMatchObject([
      { code: 'param_ignored' },
    ]);
  });
  test('a hint is sent and said; a filter is checked too', () => {
    expect(weigh('locale.country', hint('a hint.'), 'gb')).toMatchObject({
      granted: { 'locale.country': 'gb' },
      warnings: [{ code: 'param_approximated', message: 'A hint.' }],
      filters: [],
    });
    expect(weigh('published_after', hint('a hint.'), '2026-01-01').filters).toHaveLength(1);
  });
  test('rewriting folds the value into the query', () => {
    expect(
      weigh('include_domains', rewritten('site'), ['a.example', 'www.b.example/x']),
    ).toMatchObject({
      granted: { query: 'tides (site:a.example OR site:www.b.example)' },
      warnings: [{ code: 'param_approximated', param: 'include_domains' }],
      filters: [{ param: 'include_domains', warning: 0 }],
    });
    expect(
      weigh('exclude_domains', rewritten('not_site'), ['a.example', 'b.example']).granted['query'],
    ).toBe('tides -site:a.example -site:b.example');
    expect(weigh('published_after', rewritten('after'), '2026-03-01').granted['query']).toBe(
      'tides after:2026-02-28',
    );
    expect(weigh('published_before', rewritten('before'), '2026-03-01').granted['query']).toBe(
      'tides before:2026-03-02',
    );
    expect(weigh('freshness', rewritten('since'), 'week').granted['query']).toBe(
      'tides after:2026-11-07',
    );
  });
  test('a post-filter is announced, and not sent', () => {
    expect(weigh('exclude_domains', postFiltered, ['a'])).toMatchObject({
      granted: { query: 'tides' },
      warnings: [{ code: 'results_post_filtered', param: 'exclude_domains' }],
      filters: [{ param: 'exclude_domains', value: ['a'], warning: 0 }],
    });
  });
  test('a condition reads the other asks', () => {
    const alone = {
      reads: 'no domains are included',
      holds: (asks: object) => !('include_domains' in asks),
    };
    const support = when(alone, native, postFiltered);
    expect(weigh('exclude_domains', support, ['a']).warnings).toEqual([]);
    expect(
      weigh('exclude_domains', support, ['a'], { include_domains: ['b'] }).filters,
    ).toHaveLength(1);
  });
});

describe('values that ask for nothing', () => {
  const nothing: [string, unknown][] = [
    ['content.full_text', false],
    ['content.summary', false],
    ['offset', 0],
    ['category', 'general'],
    ['include_domains', []],
    ['content.format', 'markdown'],
  ];
  for (const [param, value] of nothing) {
    test(`${param} ${JSON.stringify(value)} never warns`, () => {
      expect(weigh(param, undefined, value)).toMatchObject({
        granted: { query: 'tides' },
        warnings: [],
      });
      expect(weigh(param, postFiltered, value).warnings).toEqual([]);
    });
  }
  test('they are still handed to a provider that knows them', () => {
    expect(weigh('safe_search', choice({ off: '0' }), 'off').granted['safe_search']).toBe('0');
    expect(weigh('content.full_text', native, false).granted['content.full_text']).toBe(false);
  });
});

describe('a query longer than the provider takes', () => {
  test('is cut at a word boundary and said so', () => {
    const { granted, warnings } = negotiate(
      { query: limited(12) },
      { query: 'tidal turbine pilot' },
      now,
    );
    expect(granted['query']).toBe('tidal');
    expect(warnings).toMatchObject([{ code: 'param_approximated', param: 'query' }]);
  });
  test('loses its own words, never the operators behind it', () => {
    const table = { query: limited(30), include_domains: rewritten('site') };
    const asks = { query: 'tidal turbine pilot plant', include_domains: ['a.example'] };
    expect(negotiate(table, asks, now).granted['query']).toBe('tidal turbine site:a.example');
  });
  test('another text is cut at once', () => {
    expect(weigh('instructions', limited(12), 'tidal turbine pilot')).toMatchObject({
      granted: { instructions: 'tidal' },
      warnings: [{ code: 'param_approximated', param: 'instructions' }],
    });
  });
  test('one long word is cut where it must be', () => expect(cutAtWord('abcdefgh', 3)).toBe('abc'));
});
