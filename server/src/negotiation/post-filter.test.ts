// The gateway's filters remove what does not fit, keep undated pages, and report the counts.
import { expect, test } from 'bun:test';
import { filterResults } from './post-filter.ts';

const now = new Date('2026-11-15T12:00:00Z');
const page = (url: string, publishedDate?: string) => ({ url, published_date: publishedDate });
const pages = [
  page('https://a.example/1', '2026-11-14'),
  page('https://sub.a.example/2', '2025-01-01'),
  page('https://b.example/3'),
];
const run = (
  param: string,
  value: unknown,
  code: 'results_post_filtered' | 'param_approximated' = 'results_post_filtered',
) =>
  filterResults(
    pages,
    [{ param, value, warning: 0 }],
    [{ code, param, message: 'Filtered.' }],
    now,
  );

test('included domains keep the host and what is below it', () => {
  const { kept, warnings } = run('include_domains', ['a.example']);
  expect(kept.map(({ url }) => url)).toEqual(['https://a.example/1', 'https://sub.a.example/2']);
  expect(warnings[0]?.message).toBe('Filtered. 1 of 3 results removed.');
});

test('excluded domains remove them', () => {
  expect(run('exclude_domains', ['sub.a.example']).kept).toHaveLength(2);
});

test('a date filter keeps undated pages and says how many', () => {
  const { kept, warnings } = run('published_after', '2026-01-01');
  expect(kept.map(({ url }) => url)).toEqual(['https://a.example/1', 'https://b.example/3']);
  expect(warnings[0]?.message).toBe(
    'Filtered. 1 of 3 results removed; 1 had no date and were kept.',
  );
  expect(run('published_before', '2026-01-01').kept).toHaveLength(2);
  expect(run('freshness', 'week').kept).toHaveLength(2);
});

test('a bare year is outside a bound, inside it, or not certain', () => {
  const of = (publishedYear: number) => ({
    url: 'https://a.example/',
    published_year: publishedYear,
  });
  const filters = [{ param: 'published_after', value: '2026-03-01', warning: 0 }];
  const given = { code: 'results_post_filtered', param: 'published_after', message: 'F.' } as const;
  const { kept, warnings } = filterResults([of(2025), of(2026), of(2027)], filters, [given], now);
  expect(kept.map(({ published_year }) => published_year)).toEqual([2026, 2027]);
  expect(warnings[0]?.message).toBe('F. 1 of 3 results removed; 1 had no date and were kept.');
});

test('the bounds themselves are inside', () => {
  expect(run('published_after', '2026-11-14').kept).toHaveLength(2);
  expect(run('published_before', '2025-01-01').kept).toHaveLength(2);
});

test('a check that removes nothing adds nothing to an approximation', () => {
  const { warnings } = run('include_domains', ['a.example', 'b.example'], 'param_approximated');
  expect(warnings[0]?.message).toBe('Filtered.');
});

test('what a check removes from an approximation has a warning of its own', () => {
  const { warnings } = run('published_after', '2026-01-01', 'param_approximated');
  expect(warnings).toEqual([
    { code: 'param_approximated', param: 'published_after', message: 'Filtered.' },
    {
      code: 'results_post_filtered',
      param: 'published_after',
      message: expect.stringContaining('1 of 3 results removed; 1 had no date and were kept.'),
    },
  ]);
});

test('a check of a filter the provider has warns only when something had to go', () => {
  const check = (value: string[]) =>
    filterResults(pages, [{ param: 'include_domains', value }], [], now);
  expect(check(['a.example', 'b.example']).warnings).toEqual([]);
  expect(check(['a.example'])).toMatchObject({
    kept: [{ url: 'https://a.example/1' }, { url: 'https://sub.a.example/2' }],
    warnings: [
      {
        code: 'results_post_filtered',
        param: 'include_domains',
        message: expect.stringContaining('1 of 3 results removed.'),
      },
    ],
  });
});
