// Parameter by parameter: which engines warn, with which code, and that strict refuses the same.
import { test } from 'bun:test';
import { askSearch, differences, strictIssues, warningCodes } from '../asking.ts';
import type { Row } from '../asking.ts';
import { searchEngines, searchMounts } from '../engines.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '100' });
const query = 'solar energy storage';

/** The requests that some engines cannot honour, and how these engines warn. */
const rows: readonly Row[] = [
  ['max_results', { max_results: 21 }, { param_approximated: 'bcdhik' }],
  ['max_results', { max_results: 20 }, {}],
  ['mode', { mode: 'instant' }, { param_ignored: 'defghijk' }],
  ['mode', { mode: 'deep' }, { param_ignored: 'defghijk' }],
  ['content.full_text', { content: { full_text: true } }, { param_ignored: 'bdefghijk' }],
  ['content.summary', { content: { summary: true } }, { param_ignored: 'bcdefghijk' }],
  [
    'locale.country',
    { locale: { country: 'DE' } },
    { param_approximated: 'abfhijk', param_ignored: 'g' },
  ],
  [
    'locale.language',
    { locale: { language: 'de' } },
    { param_approximated: 'ijk', param_ignored: 'abfgh' },
  ],
  ['safe_search', { safe_search: 'off' }, { param_ignored: 'abcfghijk' }],
  // Google knows off and strict only.
  [
    'safe_search',
    { safe_search: 'moderate' },
    { param_ignored: 'abcfghijk', param_approximated: 'e' },
  ],
  ['safe_search', { safe_search: 'strict' }, { param_ignored: 'abcfghijk' }],
  ['offset', { offset: 3 }, { param_ignored: 'abcfghijk' }],
  ['category', { category: 'company' }, { param_approximated: 'bcdefghijk' }],
  ['category', { category: 'people' }, { param_approximated: 'bcdefghijk' }],
  ['category', { category: 'research' }, { param_approximated: 'bcdefghijk' }],
  ['category', { category: 'news' }, { param_approximated: 'bgjk' }],
  ['freshness', { freshness: 'day' }, { param_approximated: 'bhi' }],
  ['include_domains', { include_domains: ['gridlines.example'] }, { param_approximated: 'de' }],
  ['exclude_domains', { exclude_domains: ['gridlines.example'] }, { param_approximated: 'dei' }],
];

// What the vendors are sent and return instead is in their fixtures.
test.each(rows)(
  '%s, %j: exactly these engines warn, and refuse under strict',
  (param, changes, warned) =>
    proves(
      [
        'warnings.shape',
        'warnings.param-names-the-field',
        'warnings.param-ignored',
        'warnings.param-approximated',
        'search.strict.default-false',
        'search.strict.refuses',
        'requests.issues.strict',
        'search-engines.safe-search.ignored-by-a',
        'search-engines.offset.ignored-by-a',
        'search-engines.max-results.cap-engine-c',
        'search-engines.max-results.cap-engine-d',
        'search-engines.mode.single-tier',
        'search-engines.full-text.native-c',
        'search-engines.full-text.ignored-elsewhere',
        'search-engines.summary.ignored-elsewhere',
        'search-engines.locale.native',
        'search-engines.locale.elsewhere',
        'search-engines.safe-search.ignored-elsewhere',
        'search-engines.offset.ignored-elsewhere',
        'warnings.codes',
        'search-engines.category.approximated-elsewhere',
        'search-engines.category.news-index',
        'results.freshness-day',
        'search-engines.include-domains.native-elsewhere',
        'search-engines.exclude-domains.native-elsewhere',
      ],
      async () =>
        expect(
          await differences(pair().gateway, '/v1/search', { query }, [param, changes, warned]),
        ).toEqual([]),
    ),
);

test('strict refuses exactly what would warn, post-filters included', async () => {
  const combinations = [
    { mode: 'fast', offset: 2, safe_search: 'strict', category: 'company' },
    { max_results: 30, locale: { country: 'FR', language: 'fr' }, content: { summary: true } },
    { include_domains: ['gridlines.example'], exclude_domains: ['gridlines.example/storage'] },
    { published_before: '2026-06-30', category: 'research' },
    { freshness: 'day', category: 'news', content: { full_text: true } },
    { content: { snippets: { max_per_result: 1 } }, category: 'general' },
  ];
  const { gateway, sandbox } = pair();
  let postFiltered = 0;
  for (const changes of combinations) {
    for (const provider of searchEngines) {
      const request = { query, provider, ...changes };
      const warnings = warningCodes(await askSearch(gateway, request));
      await sandbox.clearCalls();
      const issues = await strictIssues(gateway, '/v1/search', request);
      const calls = await sandbox.calls(searchMounts[provider]);
      proves('requests.strict.never-calls', () =>
        expect([provider, calls.length === 0]).toEqual([provider, issues.length > 0]),
      );
      proves('requests.strict.same-as-warnings', () =>
        expect([provider, changes, issues]).toEqual([provider, changes, warnings]),
      );
      postFiltered += issues.filter((issue) => issue.endsWith('results_post_filtered')).length;
    }
  }
  proves('requests.strict.post-filter', () => expect(postFiltered).toBeGreaterThan(0));
});
