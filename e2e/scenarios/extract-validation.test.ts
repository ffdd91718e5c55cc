// The bounds of an extract request: outside is a 400, inside is accepted.
import { test } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { findRefused, findUnrefused } from '../refusals.ts';
import type { Spoilt } from '../refusals.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();

const url = 'https://example.org/page';
const valid = { urls: [url], provider: 'engine_a' };
const unrefused = (spoilt: Spoilt) => findUnrefused(gateway(), '/v1/extract', valid, spoilt);
const refused = (variants: object[]) => findRefused(gateway(), '/v1/extract', valid, variants);

test('urls are one to twenty absolute web addresses without credentials', async () => {
  const pages = Array.from({ length: 21 }, (_, index) => `${url}/${index}`);
  const spoilt: Spoilt = [
    ['urls', { urls: undefined }],
    ['urls', { urls: url }],
    ['urls', { urls: [] }],
    ['urls', { urls: pages }],
    ['urls.0', { urls: ['/page'] }],
    ['urls.0', { urls: ['example.org/page'] }],
    ['urls.1', { urls: [url, 'ftp://example.org/page'] }],
    ['urls.0', { urls: ['file:///etc/passwd'] }],
    ['urls.0', { urls: ['https://name:word@example.org/'] }],
    ['urls.0', { urls: ['https://name@example.org/'] }],
  ];
  await proves(
    [
      'extract.urls.required',
      'extract.urls.absolute',
      'limits.extract.urls',
      'requests.urls.http-only',
      'requests.urls.no-credentials',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const inside = [{ urls: pages.slice(0, 20) }, { urls: ['http://example.org'] }];
  await proves('limits.extract.urls', async () => expect(await refused(inside)).toEqual([]));
});

test('a provider is an engine with an extraction product', async () => {
  const unknown = ['engine_d', 'engine_k', 'fusion', 'firecrawl', 'stt_a', ''];
  await proves('conventions.extract-providers', async () =>
    expect(await unrefused(unknown.map((provider) => ['provider', { provider }] as const))).toEqual(
      [],
    ),
  );
  const known = [...[...'abcefghij'].map((letter) => `engine_${letter}`), 'auto'];
  await proves('conventions.extract-providers', async () =>
    expect(await refused(known.map((provider) => ({ provider })))).toEqual([]),
  );
});

test('no option of an engine may name other pages than the request does', async () => {
  const engines = [...'abcefghij'].map((letter) => `engine_${letter}`);
  const names = ['urls', 'url', 'ids', 'URLs'];
  const spoilt: Spoilt = [
    ...engines.flatMap((engine) => names.map((name) => [engine, name])),
    ['engine_i', 'html'],
    ['engine_i', 'pdf'],
  ].map(([engine = '', name = '']) => [
    `provider_options.${engine}.${name}`,
    { provider: engine, provider_options: { [engine]: { [name]: [`${url}/other`] } } },
  ]);
  await proves('requests.options.targets-refused', async () =>
    expect(await unrefused(spoilt)).toEqual([]),
  );
  const inside = [{ provider_options: { engine_b: { urls: [] }, engine_a: { userAgent: url } } }];
  expect(await refused(inside)).toEqual([]);
});

test('numbers are whole and within their bounds', async () => {
  const content = (fields: object) => ({ content: fields });
  const perUrl = (value: unknown) => content({ excerpts: { max_per_url: value } });
  const perExcerpt = (value: unknown) => content({ excerpts: { max_chars_per_excerpt: value } });
  const spoilt: Spoilt = [
    ...[-1, 721, 1.5].map((value) => ['max_age_hours', { max_age_hours: value }] as const),
    ...[999, 90001, 1000.5].map((value) => ['timeout_ms', { timeout_ms: value }] as const),
    ...[99, 100001, 100.5].map((n) => ['content.max_chars', content({ max_chars: n })] as const),
    ...[0, 21, 1.5].map((n) => ['content.excerpts.max_per_url', perUrl(n)] as const),
    ...[0, 1.5].map((n) => ['content.excerpts.max_chars_per_excerpt', perExcerpt(n)] as const),
  ];
  await proves(
    [
      'limits.extract.max-chars',
      'limits.extract.excerpts-per-url',
      'limits.extract.chars-per-excerpt',
      'limits.extract.max-age-hours',
      'limits.extract.timeout',
      'extract.max-age-hours.integer',
      'extract.timeout.integer',
      'extract.content.max-chars.integer',
      'extract.content.excerpts.integers',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const inside = [
    { max_age_hours: 0, timeout_ms: 1000 },
    { max_age_hours: 720, timeout_ms: 90000 },
    content({ max_chars: 100, excerpts: { max_per_url: 1, max_chars_per_excerpt: 1 } }),
    content({ max_chars: 100000, excerpts: { max_per_url: 20 } }),
  ];
  await proves(
    [
      'limits.extract.max-chars',
      'limits.extract.excerpts-per-url',
      'limits.extract.chars-per-excerpt',
      'limits.extract.max-age-hours',
      'limits.extract.timeout',
    ],
    async () => expect(await refused(inside)).toEqual([]),
  );
});

test('enumerations, booleans and the query are validated', async () => {
  const spoilt: Spoilt = [
    ['query', { query: '' }],
    ['include_links', { include_links: 'yes' }],
    ['include_images', { include_images: 1 }],
    ['strict', { strict: 'true' }],
    ['content.summary', { content: { summary: 'short' } }],
    ['content.full_text', { content: { full_text: 0 } }],
    ['content.format', { content: { format: 'html' } }],
  ];
  await proves(
    [
      'extract.query.not-empty',
      'extract.include-links.boolean',
      'extract.include-images.boolean',
      'extract.strict.boolean',
      'extract.content.full-text.boolean',
      'extract.content.summary.boolean',
      'extract.content.format.values',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const formats = ['markdown', 'text'].map((format) => ({ content: { format } }));
  await proves('extract.content.format.values', async () =>
    expect(await refused(formats)).toEqual([]),
  );
});

test('unknown keys are refused at every level', async () => {
  const options = (providerOptions: object) => ({ provider_options: providerOptions });
  const spoilt: Spoilt = [
    ['url', { url }],
    ['content.markdown', { content: { markdown: true } }],
    ['content.excerpts.max', { content: { excerpts: { max: 1 } } }],
    ['provider_options.engine_k', options({ engine_k: {} })],
    ['provider_options.fusion', options({ fusion: {} })],
    ['provider_options.engine_a', options({ engine_a: 'text' })],
  ];
  await proves(
    [
      'extract.accepts-only-known-keys',
      'extract.content.accepts-only-known-keys',
      'extract.provider-options.keys',
    ],
    async () => expect(await unrefused(spoilt)).toEqual([]),
  );
  const engines = [...'abcdefghij'].map((letter) => [`engine_${letter}`, {}]);
  await proves('extract.provider-options.keys', async () =>
    expect(await refused([options(Object.fromEntries(engines))])).toEqual([]),
  );
});
