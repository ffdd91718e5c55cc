// A page is under a list of domains by whole labels of its host and whole segments of its path.
import { describe, test } from 'bun:test';
import fc from 'fast-check';
import { normalizeDomain } from '@trivium/contract';
import { expect, proves } from '../../../e2e/proves.ts';
import { compileDomains, readPlace, readEntry } from './domains.ts';

const isUnder = (url: string, ...written: string[]) => {
  const place = readPlace(url);
  return (
    place !== undefined &&
    compileDomains(written.map((entry) => String(normalizeDomain(entry))))(place)
  );
};

test('an entry is taken apart', () => {
  expect(readEntry('example.com')).toEqual({ mark: '', host: 'example.com', port: '', path: '' });
  expect(readEntry('*.a.example:8080/b/c:d')).toEqual({
    mark: '*.',
    host: 'a.example',
    port: ':8080',
    path: '/b/c:d',
  });
  expect(readEntry('.gov')).toEqual({ mark: '.', host: 'gov', port: '', path: '' });
});

describe('a page is under an entry', () => {
  const cases: [string, string, boolean][] = [
    ['https://example.com/a', 'example.com', true],
    ['https://www.example.com/a', 'example.com', true],
    ['https://blog.example.com/a', 'example.com', true],
    ['https://notexample.com/a', 'example.com', false],
    ['https://example.com.evil.example/a', 'example.com', false],
    ['https://example.com/a', 'blog.example.com', false],
    ['https://example.com/a', 'www.example.com', false],
    ['https://www.example.com/a', 'www.example.com', true],
    ['https://example.com/a', '*.example.com', false],
    ['https://www.example.com/a', '*.example.com', true],
    ['https://a.b.example.com/a', '*.example.com', true],
    ['https://nasa.gov/a', '.gov', true],
    ['https://nasa.gov/a', 'gov', true],
    ['https://nasa.gov.example/a', '.gov', false],
    ['https://example.co.uk/a', 'co.uk', true],
    ['https://example.com./a', 'example.com', true],
    ['https://example.com/blog/post', 'example.com/blog', true],
    ['https://example.com/blog', 'example.com/blog/', true],
    ['https://example.com/blogger', 'example.com/blog', false],
    ['https://example.com/Blog', 'example.com/blog', false],
    ['https://sub.example.com/blog', '*.example.com/blog', true],
    ['https://example.com/blog', '*.example.com/blog', false],
    ['https://example.com:8080/', 'example.com:8080', true],
    ['https://example.com/', 'example.com:8080', false],
    ['https://example.com:8080/', 'example.com', true],
    ['https://example.com/', 'example.com:443', true],
    ['https://münchen.example/a', 'xn--mnchen-3ya.example', true],
    ['https://xn--mnchen-3ya.example/a', 'München.example', true],
    ['https://a.xn--mnchen-3ya.example/a', '*.münchen.example', true],
    ['https://example.com/stra%C3%9Fe/1', 'example.com/straße', true],
    ['not an address', 'example.com', false],
    ['mailto:a@example.com', 'example.com', false],
  ];
  for (const [url, entry, under] of cases) {
    test(`${url} is ${under ? '' : 'not '}under ${entry}`, () => {
      proves(['requests.domains.as-written', 'requests.domains.international'], () =>
        expect(isUnder(url, entry)).toBe(under),
      );
    });
  }
});

test('a list holds what any of its entries holds, whatever else is in it', () => {
  const part = fc.constantFrom('a', 'b', 'ab', 'a-b', 'c');
  const path = fc
    .array(part, { maxLength: 3 })
    .map((parts) => parts.map((one) => `/${one}`).join(''));
  const host = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const entry = fc
    .tuple(fc.constantFrom('', '*.', '.'), host, path)
    .map(([mark, name, rest]) => `${mark}${name}${rest}`);
  const page = fc.tuple(host, path).map(([name, rest]) => `https://${name}${rest}`);
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), page, (entries, url) => {
      const any = entries.some((one) => isUnder(url, one));
      expect(isUnder(url, ...entries)).toBe(any);
    }),
  );
});
