// Checks the search request: its defaults, its limits, and the rules across fields.
import { describe, test } from 'bun:test';
import { expect, proves } from '../../e2e/proves.ts';
import { issuesOf } from './issues.ts';
import { FusionOptions, SearchRequest } from './search.ts';

function faultsOf(fields: object): string[] {
  const parsed = SearchRequest.safeParse({ query: 'tea', ...fields });
  return parsed.success ? [] : issuesOf(parsed.error).map((issue) => `${issue.path} ${issue.code}`);
}

const fusion = (options: unknown) => ({
  provider: 'fusion',
  provider_options: { fusion: options },
});
const snippets = (caps: object) => ({ content: { snippets: caps } });

test('a query alone is enough, and the defaults are filled in', () => {
  expect(SearchRequest.parse({ query: 'tea' })).toEqual({
    query: 'tea',
    provider: 'auto',
    max_results: 10,
    strict: false,
  });
});

test('fusion options have defaults', () => {
  expect(FusionOptions.parse({})).toEqual({ timeout_ms: 10_000, top_k: 3 });
});

test('fusion options are not checked for any other provider', () => {
  for (const options of [{ providers: ['engine_a'] }, { top_k: 0 }, { panel: [] }, null, 'x']) {
    expect(faultsOf({ provider_options: { fusion: options } })).toEqual([]);
    expect(faultsOf({ ...fusion(options), provider: 'engine_a' })).toEqual([]);
    expect(faultsOf(fusion(options))).not.toEqual([]);
  }
});

const engines = 'abcdefghijk'.split('').map((letter) => `engine_${letter}`);

const accepted: object[] = [
  { query: 'x' },
  { query: ' tea ' },
  ...[...engines, 'auto', 'fusion'].map((provider) => ({ provider })),
  ...['instant', 'fast', 'balanced', 'deep'].map((mode) => ({ mode })),
  ...['day', 'week', 'month', 'year'].map((freshness) => ({ freshness })),
  ...['general', 'news', 'company', 'people', 'research'].map((category) => ({ category })),
  ...['off', 'moderate', 'strict'].map((safeSearch) => ({ safe_search: safeSearch })),
  ...engines.map((engine) => ({ provider_options: { [engine]: { any: null } } })),
  { max_results: 1 },
  { max_results: 100 },
  { include_domains: [], exclude_domains: [] },
  { include_domains: ['a'], exclude_domains: ['b.org'] },
  { include_domains: Array<string>(1200).fill('a.org') },
  { include_domains: [`a.org/${'x'.repeat(1994)}`] },
  { published_after: '2024-02-29' },
  { published_before: '2026-01-01' },
  { published_after: '2026-01-01', published_before: '2026-01-01' },
  { published_after: '2025-12-31', published_before: '2026-01-01' },
  { content: {} },
  snippets({}),
  snippets({ max_per_result: 1, max_chars_per_snippet: 1 }),
  { content: { full_text: false, summary: true } },
  { locale: {} },
  { locale: { country: 'de', language: 'EN' } },
  { offset: 0 },
  { strict: true },
  { strict: false, provider: 'fusion' },
  { provider_options: {} },
  fusion({ providers: ['engine_a', 'engine_k'] }),
  fusion({ providers: engines }),
  fusion({ timeout_ms: 500 }),
  fusion({ timeout_ms: 30_000 }),
  fusion({ top_k: 1 }),
  fusion({ top_k: 100 }),
];

const refused: [fields: object, fault: string][] = [
  [{ query: '' }, 'query too_small'],
  [{ query: ' ' }, 'query blank'],
  [{ query: '\t\n\u3000\u00a0' }, 'query blank'],
  [{ query: undefined }, 'query invalid_type'],
  [{ query: null }, 'query invalid_type'],
  [{ query: 5 }, 'query invalid_type'],
  [{ provider: 'engine_z' }, 'provider invalid_value'],
  [{ provider: 'ENGINE_A' }, 'provider invalid_value'],
  [{ provider: 'stt_a' }, 'provider invalid_value'],
  [{ provider: 'exa' }, 'provider invalid_value'],
  [{ max_results: 0 }, 'max_results too_small'],
  [{ max_results: 101 }, 'max_results too_big'],
  [{ max_results: 1.5 }, 'max_results invalid_type'],
  [{ max_results: '5' }, 'max_results invalid_type'],
  [{ max_results: null }, 'max_results invalid_type'],
  [{ mode: 'slow' }, 'mode invalid_value'],
  [{ include_domains: [''] }, 'include_domains.0 too_small'],
  [{ exclude_domains: ['a', ''] }, 'exclude_domains.1 too_small'],
  [{ include_domains: 'a.org' }, 'include_domains invalid_type'],
  [{ include_domains: ['a.org', ' '] }, 'include_domains.1 invalid_domain'],
  [{ exclude_domains: ['a b.org'] }, 'exclude_domains.0 invalid_domain'],
  [{ exclude_domains: ['a.org?x'] }, 'exclude_domains.0 invalid_domain'],
  [{ exclude_domains: ['a.org#x'] }, 'exclude_domains.0 invalid_domain'],
  [{ exclude_domains: [`a.org/${'x'.repeat(1995)}`] }, 'exclude_domains.0 too_big'],
  [{ include_domains: Array<string>(1201).fill('a.org') }, 'include_domains too_big'],
  // Entries far beyond the bound are not read.
  [{ include_domains: Array<string>(240_000).fill('?') }, 'include_domains too_big'],
  [{ published_after: '2026-1-1' }, 'published_after invalid_format'],
  [{ published_after: '2026-02-30' }, 'published_after invalid_date'],
  [{ published_before: '2026-13-01' }, 'published_before invalid_date'],
  [{ freshness: 'hour' }, 'freshness invalid_value'],
  [{ content: { snippets: true } }, 'content.snippets invalid_type'],
  [{ content: { fulltext: true } }, 'content.fulltext unrecognized_keys'],
  [{ content: { full_text: 'yes' } }, 'content.full_text invalid_type'],
  [{ content: { summary: 1 } }, 'content.summary invalid_type'],
  [snippets({ max_per_result: 0 }), 'content.snippets.max_per_result too_small'],
  [snippets({ max_chars_per_snippet: 0 }), 'content.snippets.max_chars_per_snippet too_small'],
  [snippets({ max_per_result: 1.5 }), 'content.snippets.max_per_result invalid_type'],
  [snippets({ max_chars_per_snippet: 1.5 }), 'content.snippets.max_chars_per_snippet invalid_type'],
  [snippets({ max: 1 }), 'content.snippets.max unrecognized_keys'],
  [{ locale: { country: 'd' } }, 'locale.country invalid_format'],
  [{ locale: { country: 'deu' } }, 'locale.country invalid_format'],
  [{ locale: { language: 'en-GB' } }, 'locale.language invalid_format'],
  [{ locale: { language: 'e1' } }, 'locale.language invalid_format'],
  [{ locale: { region: 'de' } }, 'locale.region unrecognized_keys'],
  [{ category: 'sport' }, 'category invalid_value'],
  [{ safe_search: 'on' }, 'safe_search invalid_value'],
  [{ offset: -1 }, 'offset too_small'],
  [{ include_domains: {} }, 'include_domains invalid_type'],
  [{ offset: 0.5 }, 'offset invalid_type'],
  [{ strict: 'true' }, 'strict invalid_type'],
  [{ limit: 5 }, 'limit unrecognized_keys'],
  [{ provider_options: { exa: {} } }, 'provider_options.exa unrecognized_keys'],
  [{ provider_options: { engine_z: {} } }, 'provider_options.engine_z unrecognized_keys'],
  [{ provider_options: { stt_a: {} } }, 'provider_options.stt_a unrecognized_keys'],
  [{ provider_options: { engine_a: null } }, 'provider_options.engine_a invalid_type'],
  [{ provider_options: { engine_a: [] } }, 'provider_options.engine_a invalid_type'],
  [fusion({ providers: ['engine_a'] }), 'provider_options.fusion.providers too_small'],
  [fusion({ providers: 'a' }), 'provider_options.fusion.providers invalid_type'],
  [fusion({ timeout_ms: 499 }), 'provider_options.fusion.timeout_ms too_small'],
  [fusion({ timeout_ms: 30_001 }), 'provider_options.fusion.timeout_ms too_big'],
  [fusion({ timeout_ms: 600.5 }), 'provider_options.fusion.timeout_ms invalid_type'],
  [fusion({ top_k: 1.5 }), 'provider_options.fusion.top_k invalid_type'],
  [fusion({ top_k: 0 }), 'provider_options.fusion.top_k too_small'],
  [fusion({ top_k: 101 }), 'provider_options.fusion.top_k too_big'],
  [fusion({ panel: [] }), 'provider_options.fusion.panel unrecognized_keys'],
  [
    fusion({ providers: ['engine_a', 'auto'] }),
    'provider_options.fusion.providers.1 invalid_value',
  ],
  [
    fusion({ providers: ['engine_a', 'engine_b', 'engine_a'] }),
    'provider_options.fusion.providers.2 duplicate',
  ],
];

describe('one field at a time', () => {
  test.each(accepted)('%j is accepted', (fields) => {
    proves(
      [
        'requests.domains.bounds',
        'conventions.search-providers',
        'conventions.neutral-names',
        'limits.search.max-results',
        'limits.search.offset',
        'limits.search.snippets-per-result',
        'limits.search.chars-per-snippet',
        'search.mode.values',
        'search.freshness.values',
        'search.category.values',
        'search.safe-search.values',
        'search.provider-options.keys',
        'search.provider-options.objects',
        'limits.fusion.providers',
        'limits.fusion.timeout',
        'limits.fusion.top-k',
      ],
      () => expect(faultsOf(fields)).toEqual([]),
    );
  });
  test.each(refused)('%j is refused with %s', (fields, fault) => {
    proves(
      [
        'requests.domains.no-host',
        'requests.domains.bounds',
        'search.query.required',
        'search.query.not-empty',
        'requests.blank',
        'search.query.string',
        'conventions.search-providers',
        'conventions.neutral-names',
        'limits.search.max-results',
        'limits.search.offset',
        'limits.search.snippets-per-result',
        'limits.search.chars-per-snippet',
        'search.max-results.integer',
        'search.offset.integer',
        'search.content.snippets.integers',
        'search.mode.values',
        'search.freshness.values',
        'search.category.values',
        'search.safe-search.values',
        'search.content.full-text.boolean',
        'search.content.summary.boolean',
        'search.strict.boolean',
        'search.include-domains.items-not-empty',
        'search.exclude-domains.items-not-empty',
        'search.locale.country-pattern',
        'search.locale.language-pattern',
        'search.locale.accepts-only-known-keys',
        'search.published-after.pattern',
        'search.published-before.pattern',
        'requests.dates-impossible',
        'search.accepts-only-known-keys',
        'search.content.accepts-only-known-keys',
        'search.provider-options.keys',
        'search.provider-options.objects',
        'fusion.accepts-only-known-keys',
        'limits.fusion.providers',
        'limits.fusion.timeout',
        'limits.fusion.top-k',
        'fusion.providers.known-engines',
        'fusion.timeout.integer',
        'fusion.top-k.integer',
      ],
      () => expect(faultsOf(fields)).toEqual([fault]),
    );
  });
});

describe('across fields', () => {
  test.each([
    { published_after: '2026-01-01' },
    { published_before: '2026-01-01' },
    { published_after: '2026-01-01', published_before: '2026-02-01' },
  ])('freshness cannot be combined with %j', (dates) => {
    proves('requests.freshness-with-dates', () =>
      expect(faultsOf({ freshness: 'week', ...dates })).toEqual(['freshness mutually_exclusive']),
    );
  });

  test('published_after cannot be later than published_before', () => {
    const dates = { published_after: '2026-01-02', published_before: '2026-01-01' };
    proves('requests.dates-crossed', () =>
      expect(faultsOf(dates)).toEqual(['published_after invalid_range']),
    );
  });

  test('strict cannot be combined with fusion', () => {
    const fields = { strict: true, provider: 'fusion' };
    proves('search.strict.not-with-fusion', () =>
      expect(faultsOf(fields)).toEqual(['strict mutually_exclusive']),
    );
  });

  test('every fault is reported at once, including those across fields', () => {
    const faults = faultsOf({
      query: '',
      provider: 'fusion',
      max_results: 0,
      published_after: '2026-02-30',
      freshness: 'week',
      content: { snippets: { max_per_result: 0 }, extra: 1 },
      strict: true,
      colour: 'red',
      size: 'big',
      provider_options: {
        engine_a: { constructor: 1 },
        fusion: { providers: ['engine_x', 'engine_a', 'engine_a'] },
      },
    });
    expect(faults.toSorted()).toEqual([
      'colour unrecognized_keys',
      'content.extra unrecognized_keys',
      'content.snippets.max_per_result too_small',
      'freshness mutually_exclusive',
      'max_results too_small',
      'provider_options.engine_a.constructor forbidden_key',
      'provider_options.fusion.providers.0 invalid_value',
      'provider_options.fusion.providers.2 duplicate',
      'published_after invalid_date',
      'query too_small',
      'size unrecognized_keys',
      'strict mutually_exclusive',
    ]);
  });
});

test.each([[null], [[]], ['tea'], [5]])('%j is not a request', (body) => {
  const parsed = SearchRequest.safeParse(body);
  expect(parsed.error && issuesOf(parsed.error)).toMatchObject([
    { path: '', code: 'invalid_type' },
  ]);
});

test('an own key __proto__ is refused at every level of the body', () => {
  const body = `{"query":"tea","__proto__":{},"content":{"__proto__":{}},
    "provider_options":{"__proto__":{},"engine_a":{"x":{"__proto__":{}}}}}`;
  const parsed = SearchRequest.safeParse(JSON.parse(body));
  const paths = parsed.error === undefined ? [] : issuesOf(parsed.error).map(({ path }) => path);
  proves('requests.options.prototype-keys', () =>
    expect(paths.toSorted()).toEqual([
      '__proto__',
      'content.__proto__',
      'provider_options.__proto__',
      'provider_options.engine_a.x.__proto__',
    ]),
  );
});
