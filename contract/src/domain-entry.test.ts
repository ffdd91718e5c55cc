// Checks that entries of a domain list are normalized, and that invalid hosts are refused.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Domains, normalizeDomain } from './domain-entry.ts';

const examples: [written: string, spelling: string][] = [
  ['example.com', 'example.com'],
  ['Example.COM', 'example.com'],
  ['https://example.com/', 'example.com'],
  ['HTTP://www.example.com', 'www.example.com'],
  ['www.example.com', 'www.example.com'],
  ['*.Example.com', '*.example.com'],
  ['.gov', '.gov'],
  ['gov', 'gov'],
  ['example.com.', 'example.com'],
  ['example.com:8080', 'example.com:8080'],
  ['example.com:443/a', 'example.com/a'],
  ['example.com/Blog/', 'example.com/Blog'],
  ['example.com/a/../b//', 'example.com/b'],
  ['example.com/straße', 'example.com/stra%C3%9Fe'],
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['*.MÜNCHEN.example/Weg', '*.xn--mnchen-3ya.example/Weg'],
  ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ['例え。jp', 'xn--r8jz45g.jp'],
  ['0x7f.1', '127.0.0.1'],
  ['_dmarc.example.com', '_dmarc.example.com'],
];

describe('normalization', () => {
  test.each(examples)('%s becomes %s', (written, expected) => {
    expect(normalizeDomain(written)).toBe(expected);
  });

  test('is idempotent', () => {
    const written = fc.oneof(
      fc.domain(),
      fc.webUrl({ withQueryParameters: false, withFragments: false }),
      fc.string({ maxLength: 20 }).map((name) => `${name}.example/${name}`),
      fc.constantFrom(...examples.map(([entry]) => entry)),
    );
    fc.assert(
      fc.property(written, (entry) => {
        const once = normalizeDomain(entry);
        if (once !== undefined) expect(normalizeDomain(once)).toBe(once);
      }),
    );
  }, 60_000);
});

test.each([
  '',
  ' ',
  'a b.com',
  ' example.com',
  'example.com ',
  'a\tb',
  'a\u0000.com',
  'a.com?x',
  'a.com#x',
  'a.com\\b',
  'user@a.com',
  '.',
  '*',
  '*.',
  '..gov',
  '*.*.com',
  'exa*mple.com',
  'a..b',
  '[::1]',
  'a%62.com',
  '//a.com',
  'ftp://a.com',
  'a.com:',
  'a.com:x',
  'a.com:70000',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(127)}com`,
])('%j can be no host', (written) => {
  expect(normalizeDomain(written)).toBeUndefined();
});

test('every entry of a list is normalized, and the length of a list is limited', () => {
  expect(Domains.parse(['München.example', '*.A.example'])).toEqual([
    'xn--mnchen-3ya.example',
    '*.a.example',
  ]);
  const { error } = Domains.safeParse(Array<number>(300_000).fill(0));
  // The items are not checked: the fault of the list is enough.
  expect(error?.issues.length).toBe(1);
});
