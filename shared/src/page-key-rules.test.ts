// What the page key assumes about URLs agrees with the platform's parser.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isWrittenOut } from './page-key.ts';

const words = (line: string) => fc.constantFrom(...line.split(' '));

test('an address that is not parsed equals the result of the parser', () => {
  const hosts = words('a b1 - -- . . xn-- xn--a www 0x1 1 com example. example com. :80 u@ A é');
  const paths = words('/ / a B . .. - _ ~ 7 %41 ? # ; \\ é');
  const address = fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'https:/', 'HTTP://', 'ftp://'),
      fc.array(hosts, { maxLength: 6 }),
      fc.array(paths, { maxLength: 8 }),
    )
    .map(([scheme, host, path]) => `${scheme}${host.join('')}/${path.join('')}`);
  let simple = 0;
  const property = fc.property(fc.oneof(address, fc.webUrl()), (url) => {
    if (!isWrittenOut(url)) return;
    simple += 1;
    expect(URL.parse(url)?.href).toBe(url);
  });
  fc.assert(property, { numRuns: 5000 });
  expect(simple).toBeGreaterThan(50);
});
