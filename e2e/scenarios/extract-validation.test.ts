// The bounds of an extract request: what lies outside is refused, what lies inside is not.
import { expect } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { findRefused, findUnrefused } from '../refusals.ts';
import type { Spoilt } from '../refusals.ts';
import { scenario } from '../verifies.ts';

const gateway = sharedGateway();

const url = 'https://example.org/page';
const valid = { urls: [url], provider: 'engine_a' };
const unrefused = (spoilt: Spoilt) => findUnrefused(gateway(), '/v1/extract', valid, spoilt);
const refused = (variants: object[]) => findRefused(gateway(), '/v1/extract', valid, variants);

scenario(
  'urls are one to twenty absolute web addresses without credentials',
  [
    'extract.urls.required',
    'extract.urls.absolute',
    'limits.extract.urls',
    'requests.urls.http-only',
    'requests.urls.no-credentials',
  ],
  async () => {
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
    expect(await unrefused(spoilt)).toEqual([]);
    const inside = [{ urls: pages.slice(0, 20) }, { urls: ['http://example.org'] }];
    expect(await refused(inside)).toEqual([]);
  },
);

scenario(
  'a provider is an engine with an extraction product',
  ['conventions.extract-providers'],
  async () => {
    const strangers = ['engine_d', 'engine_k', 'fusion', 'firecrawl', 'stt_a', ''];
    expect(
      await unrefused(strangers.map((provider) => ['provider', { provider }] as const)),
    ).toEqual([]);
    const known = [...[...'abcefghij'].map((letter) => `engine_${letter}`), 'auto'];
    expect(await refused(known.map((provider) => ({ provider })))).toEqual([]);
  },
);

scenario(
  'no option of an engine names other pages than the request does',
  ['requests.options.targets-refused'],
  async () => {
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
    expect(await unrefused(spoilt)).toEqual([]);
    const inside = [{ provider_options: { engine_b: { urls: [] }, engine_a: { userAgent: url } } }];
    expect(await refused(inside)).toEqual([]);
  },
);

scenario(
  'numbers are whole and within their bounds',
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
  async () => {
    const content = (fields: object) => ({ content: fields });
    const per_url = (value: unknown) => content({ excerpts: { max_per_url: value } });
    const per_excerpt = (value: unknown) => content({ excerpts: { max_chars_per_excerpt: value } });
    const spoilt: Spoilt = [
      ...[-1, 721, 1.5].map((value) => ['max_age_hours', { max_age_hours: value }] as const),
      ...[999, 90001, 1000.5].map((value) => ['timeout_ms', { timeout_ms: value }] as const),
      ...[99, 100001, 100.5].map((n) => ['content.max_chars', content({ max_chars: n })] as const),
      ...[0, 21, 1.5].map((n) => ['content.excerpts.max_per_url', per_url(n)] as const),
      ...[0, 1.5].map((n) => ['content.excerpts.max_chars_per_excerpt', per_excerpt(n)] as const),
    ];
    expect(await unrefused(spoilt)).toEqual([]);
    const inside = [
      { max_age_hours: 0, timeout_ms: 1000 },
      { max_age_hours: 720, timeout_ms: 90000 },
      content({ max_chars: 100, excerpts: { max_per_url: 1, max_chars_per_excerpt: 1 } }),
      content({ max_chars: 100000, excerpts: { max_per_url: 20 } }),
    ];
    expect(await refused(inside)).toEqual([]);
  },
);

scenario(
  'words are chosen from their lists, switches are booleans, and a query is not empty',
  [
    'extract.query.not-empty',
    'extract.include-links.boolean',
    'extract.include-images.boolean',
    'extract.strict.boolean',
    'extract.content.full-text.boolean',
    'extract.content.summary.boolean',
    'extract.content.format.values',
  ],
  async () => {
    const spoilt: Spoilt = [
      ['query', { query: '' }],
      ['include_links', { include_links: 'yes' }],
      ['include_images', { include_images: 1 }],
      ['strict', { strict: 'true' }],
      ['content.summary', { content: { summary: 'short' } }],
      ['content.full_text', { content: { full_text: 0 } }],
      ['content.format', { content: { format: 'html' } }],
    ];
    expect(await unrefused(spoilt)).toEqual([]);
    const formats = ['markdown', 'text'].map((format) => ({ content: { format } }));
    expect(await refused(formats)).toEqual([]);
  },
);

scenario(
  'keys that nobody knows are refused at every level',
  [
    'extract.accepts-only-known-keys',
    'extract.content.accepts-only-known-keys',
    'extract.provider-options.keys',
  ],
  async () => {
    const options = (provider_options: object) => ({ provider_options });
    const spoilt: Spoilt = [
      ['url', { url }],
      ['content.markdown', { content: { markdown: true } }],
      ['content.excerpts.max', { content: { excerpts: { max: 1 } } }],
      ['provider_options.engine_k', options({ engine_k: {} })],
      ['provider_options.fusion', options({ fusion: {} })],
      ['provider_options.engine_a', options({ engine_a: 'text' })],
    ];
    expect(await unrefused(spoilt)).toEqual([]);
    const engines = [...'abcdefghij'].map((letter) => [`engine_${letter}`, {}]);
    expect(await refused([options(Object.fromEntries(engines))])).toEqual([]);
  },
);
