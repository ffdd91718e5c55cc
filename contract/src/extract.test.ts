// Checks the extract request: its defaults, its limits, and which URLs are accepted.
import { describe, test } from 'bun:test';
import { expect, proves } from '../../e2e/proves.ts';
import { ExtractRequest, ExtractResponse } from './extract.ts';
import { issuesOf } from './issues.ts';

const page = 'https://example.org/a';

function faultsOf(fields: object): string[] {
  const parsed = ExtractRequest.safeParse({ urls: [page], ...fields });
  return parsed.success ? [] : issuesOf(parsed.error).map((issue) => `${issue.path} ${issue.code}`);
}

test('one URL is enough, and the defaults are filled in', () => {
  expect(ExtractRequest.parse({ urls: [page] })).toEqual({
    urls: [page],
    provider: 'auto',
    content: { full_text: true, format: 'markdown' },
    strict: false,
  });
});

test('given content options are kept, and the others get their defaults', () => {
  const content = { summary: true, format: 'text' } as const;
  const parsed = ExtractRequest.parse({ urls: [page], content });
  expect(parsed.content).toEqual({ full_text: true, ...content });
});

const extracting = 'acbefghij'.split('').map((letter) => `engine_${letter}`);
const excerpts = (caps: object) => ({ content: { excerpts: caps } });

const accepted: object[] = [
  { urls: Array<string>(20).fill(page) },
  ...[...extracting, 'auto'].map((provider) => ({ provider })),
  ...[...extracting, 'engine_d'].map((id) => ({ provider_options: { [id]: { any: null } } })),
  { query: 'x' },
  { content: { full_text: false } },
  { content: { max_chars: 100 } },
  { content: { max_chars: 100_000 } },
  excerpts({}),
  excerpts({ max_per_url: 1, max_chars_per_excerpt: 1 }),
  excerpts({ max_per_url: 20 }),
  { content: { format: 'markdown' } },
  { content: { format: 'text' } },
  { include_links: true, include_images: false },
  { max_age_hours: 0 },
  { max_age_hours: 720 },
  { timeout_ms: 1000 },
  { timeout_ms: 90_000 },
  { strict: true },
];

const refused: [fields: object, fault: string][] = [
  [{ urls: [] }, 'urls too_small'],
  [{ urls: Array<string>(21).fill(page) }, 'urls too_big'],
  [{ urls: undefined }, 'urls invalid_type'],
  [{ urls: page }, 'urls invalid_type'],
  [{ urls: [page, 5] }, 'urls.1 invalid_type'],
  [{ provider: 'engine_d' }, 'provider invalid_value'],
  [{ provider: 'engine_k' }, 'provider invalid_value'],
  [{ provider: 'fusion' }, 'provider invalid_value'],
  [{ query: '' }, 'query too_small'],
  [{ query: '\t\u3000' }, 'query blank'],
  [{ content: { max_chars: 99 } }, 'content.max_chars too_small'],
  [{ content: { max_chars: 100_001 } }, 'content.max_chars too_big'],
  [{ content: { max_chars: 100.5 } }, 'content.max_chars invalid_type'],
  [excerpts({ max_per_url: 0 }), 'content.excerpts.max_per_url too_small'],
  [excerpts({ max_per_url: 21 }), 'content.excerpts.max_per_url too_big'],
  [excerpts({ max_chars_per_excerpt: 0 }), 'content.excerpts.max_chars_per_excerpt too_small'],
  [excerpts({ max_per_url: 1.5 }), 'content.excerpts.max_per_url invalid_type'],
  [excerpts({ max_chars_per_excerpt: 1.5 }), 'content.excerpts.max_chars_per_excerpt invalid_type'],
  [excerpts({ max: 1 }), 'content.excerpts.max unrecognized_keys'],
  [{ content: { excerpts: true } }, 'content.excerpts invalid_type'],
  [{ content: { format: 'html' } }, 'content.format invalid_value'],
  [{ content: { full_text: null } }, 'content.full_text invalid_type'],
  [{ content: { summary: 'short' } }, 'content.summary invalid_type'],
  [{ content: { snippets: {} } }, 'content.snippets unrecognized_keys'],
  [{ content: null }, 'content invalid_type'],
  [{ include_links: 1 }, 'include_links invalid_type'],
  [{ include_images: 'no' }, 'include_images invalid_type'],
  [{ max_age_hours: -1 }, 'max_age_hours too_small'],
  [{ max_age_hours: 721 }, 'max_age_hours too_big'],
  [{ max_age_hours: 1.5 }, 'max_age_hours invalid_type'],
  [{ timeout_ms: 1000.5 }, 'timeout_ms invalid_type'],
  [{ timeout_ms: 999 }, 'timeout_ms too_small'],
  [{ timeout_ms: 90_001 }, 'timeout_ms too_big'],
  [{ strict: 0 }, 'strict invalid_type'],
  [{ url: page }, 'url unrecognized_keys'],
  [{ provider_options: { engine_k: {} } }, 'provider_options.engine_k unrecognized_keys'],
  [{ provider_options: { fusion: {} } }, 'provider_options.fusion unrecognized_keys'],
  [{ provider_options: { engine_d: [] } }, 'provider_options.engine_d invalid_type'],
  [
    { provider_options: { engine_b: { prototype: 1 } } },
    'provider_options.engine_b.prototype forbidden_key',
  ],
];

describe('one field at a time', () => {
  test.each(accepted)('%j is accepted', (fields) => {
    proves(
      [
        'limits.extract.urls',
        'conventions.extract-providers',
        'limits.extract.max-chars',
        'limits.extract.excerpts-per-url',
        'limits.extract.chars-per-excerpt',
        'limits.extract.max-age-hours',
        'limits.extract.timeout',
        'extract.content.format.values',
        'extract.provider-options.keys',
      ],
      () => expect(faultsOf(fields)).toEqual([]),
    );
  });
  test.each(refused)('%j is refused with %s', (fields, fault) => {
    proves(
      [
        'extract.urls.required',
        'limits.extract.urls',
        'conventions.extract-providers',
        'limits.extract.max-chars',
        'limits.extract.excerpts-per-url',
        'limits.extract.chars-per-excerpt',
        'limits.extract.max-age-hours',
        'limits.extract.timeout',
        'extract.max-age-hours.integer',
        'extract.timeout.integer',
        'extract.content.max-chars.integer',
        'extract.content.excerpts.integers',
        'extract.query.not-empty',
        'requests.blank',
        'extract.include-links.boolean',
        'extract.include-images.boolean',
        'extract.strict.boolean',
        'extract.content.full-text.boolean',
        'extract.content.summary.boolean',
        'extract.content.format.values',
        'extract.accepts-only-known-keys',
        'extract.content.accepts-only-known-keys',
        'extract.provider-options.keys',
      ],
      () => expect(faultsOf(fields)).toEqual([fault]),
    );
  });
});

describe('URLs', () => {
  test.each([
    'http://example.org',
    'HTTPS://EXAMPLE.ORG/',
    'https://example.org:8443/a?b=c@d#e',
    'https://example.org/@name',
    'https://bücher.example/ä',
    'http://127.0.0.1/',
  ])('%s is taken', (url) => {
    expect(faultsOf({ urls: [url] })).toEqual([]);
  });

  test.each([
    '',
    'example.org',
    '/a',
    '//example.org/a',
    'http:example.org',
    'https://',
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,a',
    ' https://example.org/',
    'https://example.org/a b',
    'https://exa\nmple.org/',
    'https://example.org/\u0000',
    'https://example.org\\@127.0.0.1/',
    'https://example.org\\b',
    'https://user@example.org/',
    'https://user:word@example.org/',
    'https://@example.org/',
    'https:///user:word@example.org/',
    'https:///example.org/',
    'https:////example.org/',
    'https://example.org:99999/',
  ])('%j is refused', (url) => {
    proves(
      [
        'extract.urls.absolute',
        'requests.urls.http-only',
        'requests.urls.no-credentials',
        'requests.urls.as-checked',
      ],
      () => expect(faultsOf({ urls: [url] })).toEqual(['urls.0 invalid_url']),
    );
  });

  test('each invalid URL is reported with its own path', () => {
    const urls = [page, 'nowhere', page, 'https://u:p@example.org/'];
    expect(faultsOf({ urls })).toEqual(['urls.1 invalid_url', 'urls.3 invalid_url']);
  });
});

test('every fault is reported at once', () => {
  const faults = faultsOf({
    urls: ['x'],
    timeout_ms: 1,
    content: { max_chars: 1, format: 'pdf', more: 1 },
    depth: 2,
  });
  expect(faults.toSorted()).toEqual([
    'content.format invalid_value',
    'content.max_chars too_small',
    'content.more unrecognized_keys',
    'depth unrecognized_keys',
    'timeout_ms too_small',
    'urls.0 invalid_url',
  ]);
});

test('a failed page needs its URL and an error', () => {
  const response = {
    id: 'ext_019a84c25b7e7c319d426f0e8a1b2c3d',
    provider: 'engine_a',
    results: [{ url: page, raw: {} }],
    failed: [{ url: page, error: 'gone' }],
    warnings: [],
    usage: { cost_usd: 0, credits: 0 },
    latency_ms: 3,
  };
  expect(ExtractResponse.safeParse(response).success).toBe(true);
  expect(ExtractResponse.safeParse({ ...response, failed: [{ url: page }] }).success).toBe(false);
  expect(ExtractResponse.safeParse({ ...response, provider: 'engine_d' }).success).toBe(false);
});
