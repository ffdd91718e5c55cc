// The bounds of a search request: outside is a 400, inside is accepted.
import { test } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { findRefused, findUnrefused } from '../refusals.ts';
import type { Spoilt } from '../refusals.ts';
import { InvalidRequest } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();

const valid = { query: 'solar energy storage', provider: 'engine_a' };
const unrefused = (spoilt: Spoilt) => findUnrefused(gateway(), '/v1/search', valid, spoilt);
const refused = (variants: object[]) => findRefused(gateway(), '/v1/search', valid, variants);

test('a query is a string that is not empty', async () => {
  const spoilt: Spoilt = [
    ['query', { query: undefined }],
    ['query', { query: '' }],
    ['query', { query: 7 }],
    ['query', { query: null }],
  ];
  await proves(
    ['search.query.required', 'search.query.not-empty', 'search.query.string'],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  expect(await refused([{ query: 'x' }])).toEqual([]);
});

test('a provider is one of the neutral names', async () => {
  const unknown = ['exa', 'brave', 'Engine_A', 'engine_z', 'stt_a', '', 7];
  await proves(['conventions.search-providers', 'conventions.neutral-names'], async () =>
    expect(await unrefused(unknown.map((provider) => ['provider', { provider }] as const))).toEqual(
      [],
    ),
  );
  const engines = [...'abcdefghijk'].map((letter) => `engine_${letter}`);
  const known = [...engines, 'auto', 'fusion'];
  await proves('conventions.search-providers', async () =>
    expect(await refused(known.map((provider) => ({ provider })))).toEqual([]),
  );
});

test('numbers are whole and within their bounds', async () => {
  const snippets = (caps: object) => ({ content: { snippets: caps } });
  const spoilt: Spoilt = [
    ...[0, 101, 2.5, '10'].map((value) => ['max_results', { max_results: value }] as const),
    ...[-1, 0.5, '0'].map((value) => ['offset', { offset: value }] as const),
    ...[0, 1.5].flatMap((value) => [
      ['content.snippets.max_per_result', snippets({ max_per_result: value })] as const,
      [
        'content.snippets.max_chars_per_snippet',
        snippets({ max_chars_per_snippet: value }),
      ] as const,
    ]),
  ];
  await proves(
    [
      'limits.search.max-results',
      'limits.search.offset',
      'limits.search.snippets-per-result',
      'limits.search.chars-per-snippet',
      'search.max-results.integer',
      'search.offset.integer',
      'search.content.snippets.integers',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const inside = [
    { max_results: 1 },
    { max_results: 100 },
    { offset: 0 },
    snippets({ max_per_result: 1, max_chars_per_snippet: 1 }),
  ];
  await proves(
    [
      'limits.search.max-results',
      'limits.search.offset',
      'limits.search.snippets-per-result',
      'limits.search.chars-per-snippet',
    ],
    async () => expect(await refused(inside)).toEqual([]),
  );
});

test('enumerations and booleans are validated', async () => {
  const spoilt: Spoilt = [
    ['mode', { mode: 'auto' }],
    ['freshness', { freshness: 'hour' }],
    ['category', { category: 'images' }],
    ['safe_search', { safe_search: true }],
    ['content.full_text', { content: { full_text: 'yes' } }],
    ['content.summary', { content: { summary: 1 } }],
    ['strict', { strict: 'true' }],
  ];
  await proves(
    [
      'search.mode.values',
      'search.freshness.values',
      'search.category.values',
      'search.safe-search.values',
      'search.content.full-text.boolean',
      'search.content.summary.boolean',
      'search.strict.boolean',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const inside = [
    ...['instant', 'fast', 'balanced', 'deep'].map((mode) => ({ mode })),
    ...['day', 'week', 'month', 'year'].map((freshness) => ({ freshness })),
    ...['general', 'news', 'company', 'people', 'research'].map((category) => ({ category })),
    ...['off', 'moderate', 'strict'].map((safeSearch) => ({ safe_search: safeSearch })),
  ];
  await proves(
    [
      'search.mode.values',
      'search.freshness.values',
      'search.category.values',
      'search.safe-search.values',
    ],
    async () => expect(await refused(inside)).toEqual([]),
  );
});

test('domains are not empty, and country and language are two letters each', async () => {
  const spoilt: Spoilt = [
    ['include_domains.1', { include_domains: ['example.org', ''] }],
    ['exclude_domains.0', { exclude_domains: [''] }],
    ['locale.country', { locale: { country: 'DEU' } }],
    ['locale.country', { locale: { country: 'd1' } }],
    ['locale.language', { locale: { language: 'd' } }],
    ['locale.language', { locale: { language: 'en-GB' } }],
    ['locale.region', { locale: { region: 'by' } }],
  ];
  await proves(
    [
      'search.include-domains.items-not-empty',
      'search.exclude-domains.items-not-empty',
      'search.locale.country-pattern',
      'search.locale.language-pattern',
      'search.locale.accepts-only-known-keys',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const inside = [{ locale: { country: 'DE', language: 'de' } }, { locale: { country: 'de' } }];
  await proves(['search.locale.country-pattern', 'search.locale.language-pattern'], async () =>
    expect(await refused(inside)).toEqual([]),
  );
});

test('dates are real days in order, and are refused together with freshness', async () => {
  const wrong = ['2026-2-3', '2026-02-30', '2025-02-29', '2026-13-01', '2026-01-01T00:00', 'today'];
  const spoilt: Spoilt = wrong.flatMap((day) => [
    ['published_after', { published_after: day }] as const,
    ['published_before', { published_before: day }] as const,
  ]);
  await proves(
    [
      'search.published-after.pattern',
      'search.published-before.pattern',
      'requests.dates-impossible',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const together = [
    { published_after: '2026-02-02', published_before: '2026-02-01' },
    { freshness: 'week', published_after: '2026-02-01' },
    { freshness: 'week', published_before: '2026-02-01' },
  ];
  for (const changes of together) {
    const answer = await gateway().post('/v1/search', { ...valid, ...changes });
    proves(['requests.dates-crossed', 'requests.freshness-with-dates'], () =>
      expect([changes, answer.status]).toEqual([changes, 400]),
    );
    InvalidRequest.parse(answer.body);
  }
  const inside = [
    { published_after: '2024-02-29', published_before: '2024-02-29' },
    { published_after: '2026-01-31' },
  ];
  expect(await refused(inside)).toEqual([]);
});

test('unknown keys are refused at every level', async () => {
  const options = (providerOptions: object) => ({ provider_options: providerOptions });
  const spoilt: Spoilt = [
    ['limit', { limit: 5 }],
    ['content.markdown', { content: { markdown: true } }],
    ['content.snippets.max', { content: { snippets: { max: 1 } } }],
    ['provider_options.exa', options({ exa: {} })],
    ['provider_options.engine_z', options({ engine_z: {} })],
    ['provider_options.engine_a', options({ engine_a: [] })],
    ['provider_options.engine_a', options({ engine_a: 'text' })],
    [
      'provider_options.fusion.members',
      { provider: 'fusion', ...options({ fusion: { members: ['engine_a'] } }) },
    ],
  ];
  await proves(
    [
      'search.accepts-only-known-keys',
      'search.content.accepts-only-known-keys',
      'search.provider-options.keys',
      'search.provider-options.objects',
      'fusion.accepts-only-known-keys',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const engines = [...'abcdefghijk'].map((letter) => [`engine_${letter}`, {}]);
  const inside = [
    options({ ...Object.fromEntries(engines), fusion: {} }),
    options({ engine_b: { anything: null, nested: { deep: [null] } } }),
  ];
  await proves(['search.provider-options.keys', 'search.provider-options.objects'], async () =>
    expect(await refused(inside)).toEqual([]),
  );
});
