// Parameter by parameter: which engines warn, with which code, and that strict refuses the same.
import { test } from 'bun:test';
import { askSearch, strictIssues, warningCodes } from '../asking.ts';
import { searchEngines, searchEnginesBut } from '../engines.ts';
import type { SearchEngine } from '../engines.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox({ TRIVIUM_BOOTSTRAP_BALANCE_USD: '100' });
const query = 'solar energy storage';

type Code = 'param_ignored' | 'param_approximated' | 'results_post_filtered';

/** The code with which an engine warns; an engine that is not listed honours the parameter. */
type Warned = Partial<Record<SearchEngine, Code>>;

const all = (engines: SearchEngine[], code: Code): Warned =>
  Object.fromEntries(engines.map((engine) => [engine, code]));

const withoutLocale = searchEnginesBut('engine_c', 'engine_d', 'engine_e');
const keywordOnly = all(searchEnginesBut('engine_d', 'engine_e'), 'param_ignored');
const rewriting = all(['engine_d', 'engine_e'], 'param_approximated');

/** One line for every engine whose warnings or strict refusals differ from what is expected. */
async function differences(param: string, changes: object, warned: Warned): Promise<string[]> {
  const lines: string[] = [];
  for (const provider of searchEngines) {
    const request = { query, provider, ...changes };
    const code = warned[provider];
    const expected = JSON.stringify(code === undefined ? [] : [`${param}: ${code}`]);
    const warnings = JSON.stringify(warningCodes(await askSearch(pair().gateway, request)));
    const issues = JSON.stringify(await strictIssues(pair().gateway, '/v1/search', request));
    if (warnings !== expected) lines.push(`${provider} warned ${warnings}, not ${expected}`);
    if (issues !== expected) lines.push(`${provider} objected ${issues}, not ${expected}`);
  }
  return lines;
}

/** The requests that some engines cannot honour, and how these engines warn. */
const rows: readonly (readonly [param: string, changes: object, warned: Warned])[] = [
  [
    'max_results',
    { max_results: 21 },
    all(
      ['engine_b', 'engine_c', 'engine_d', 'engine_h', 'engine_i', 'engine_k'],
      'param_approximated',
    ),
  ],
  ['max_results', { max_results: 20 }, {}],
  ...['instant', 'deep'].map(
    (mode) =>
      [
        'mode',
        { mode },
        all(searchEnginesBut('engine_a', 'engine_b', 'engine_c'), 'param_ignored'),
      ] as const,
  ),
  [
    'content.full_text',
    { content: { full_text: true } },
    all(searchEnginesBut('engine_a', 'engine_c'), 'param_ignored'),
  ],
  [
    'content.summary',
    { content: { summary: true } },
    all(searchEnginesBut('engine_a'), 'param_ignored'),
  ],
  [
    'locale.country',
    { locale: { country: 'DE' } },
    { ...all(withoutLocale, 'param_approximated'), engine_g: 'param_ignored' },
  ],
  [
    'locale.language',
    { locale: { language: 'de' } },
    {
      ...all(withoutLocale, 'param_ignored'),
      ...all(['engine_i', 'engine_j', 'engine_k'], 'param_approximated'),
    },
  ],
  // Google knows off and strict only.
  ['safe_search', { safe_search: 'off' }, keywordOnly],
  ['safe_search', { safe_search: 'moderate' }, { ...keywordOnly, engine_e: 'param_approximated' }],
  ['safe_search', { safe_search: 'strict' }, keywordOnly],
  ['offset', { offset: 3 }, keywordOnly],
  ...['company', 'people', 'research'].map(
    (category) =>
      ['category', { category }, all(searchEnginesBut('engine_a'), 'param_approximated')] as const,
  ),
  [
    'category',
    { category: 'news' },
    all(['engine_b', 'engine_g', 'engine_j', 'engine_k'], 'param_approximated'),
  ],
  [
    'freshness',
    { freshness: 'day' },
    all(['engine_b', 'engine_h', 'engine_i'], 'param_approximated'),
  ],
  ['include_domains', { include_domains: ['gridlines.example'] }, rewriting],
  [
    'exclude_domains',
    { exclude_domains: ['gridlines.example'] },
    { ...rewriting, engine_i: 'param_approximated' },
  ],
];

// What the vendors are sent and return instead is in their fixtures.
test.each(rows)(
  '%s, %j: exactly these engines warn, and refuse under strict',
  (param, changes, warned) =>
    proves(
      [
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
      async () => expect(await differences(param, changes, warned)).toEqual([]),
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
  const { gateway } = pair();
  let postFiltered = 0;
  for (const changes of combinations) {
    for (const provider of searchEngines) {
      const request = { query, provider, ...changes };
      const warnings = warningCodes(await askSearch(gateway, request));
      const issues = await strictIssues(gateway, '/v1/search', request);
      proves('requests.strict.same-as-warnings', () =>
        expect([provider, changes, issues]).toEqual([provider, changes, warnings]),
      );
      postFiltered += issues.filter((issue) => issue.endsWith('results_post_filtered')).length;
    }
  }
  proves('requests.strict.post-filter', () => expect(postFiltered).toBeGreaterThan(0));
});
