// When two addresses are the same page: a table of pairs, properties and a second opinion.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import normalizeUrl from 'normalize-url';
import { proves } from '../../../e2e/verifies.ts';
import { pageKey } from './page-key.ts';

const bing = (target: string) =>
  `https://www.bing.com/ck/a?!&p=1&u=a1${Buffer.from(target).toString('base64url')}&ntb=1`;
const google = (target: string) =>
  `https://www.google.com/url?sa=t&q=${encodeURIComponent(target)}&usg=x`;

const same: [string, string][] = [
  ['https://a.example/x', 'http://a.example/x'],
  ['https://a.example/x', ' https://a.example/x\n'],
  ['https://a.example/x', 'HTTPS://A.EXAMPLE/x'],
  ['https://a.example/x', 'https://www.a.example/x'],
  ['https://a.example/x', 'https://www2.a.example/x'],
  ['https://a.example/x', 'https://www12.a.example/x'],
  ['https://a.example/x', 'https://www.www.a.example/x'],
  ['https://a.example/x', 'https://a.example./x'],
  ['https://a.example/x', 'https://a.example:443/x'],
  ['https://a.example/x', 'http://a.example:80/x'],
  ['https://a.example/x', 'https://user:word@a.example/x'],
  ['https://a.example/x', 'https://a.example/x/'],
  ['https://a.example/x', 'https://a.example/x//'],
  ['https://a.example', 'https://a.example/'],
  ['https://a.example', 'https://a.example/?'],
  ['https://a.example', 'https://a.example/#'],
  ['https://a.example/x', 'https://a.example/y/../x'],
  ['https://a.example/x', 'https://a.example/./x'],
  ['https://a.example/x', 'https://a.example/%78'],
  ['https://a.example/~me', 'https://a.example/%7Eme'],
  ['https://a.example/%C3%A9', 'https://a.example/%c3%a9'],
  ['https://a.example/é', 'https://a.example/%C3%A9'],
  ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
  ['https://a.example/x', 'https://a.example/x/amp'],
  ['https://a.example/x', 'https://a.example/x/amp/'],
  ['https://a.example/x', 'https://a.example/x?amp'],
  ['https://a.example/x', 'https://a.example/x?amp=1'],
  ['https://a.example/x', 'https://a.example/x?outputType=amp'],
  ['https://a.example/x', 'https://a.example/x?utm_source=n&utm_medium=m'],
  ['https://a.example/x', 'https://a.example/x?UTM_Source=n'],
  ['https://a.example/x', 'https://a.example/x?utm%5Fsource=n'],
  ['https://a.example/x', 'https://a.example/x?utm=1&mtm_group=2&hsa_acc=3&ga_place=4'],
  ['https://a.example/x', 'https://a.example/x?itm_campaign=1&itm_medium=2&itm_source=3'],
  ['https://a.example/x', 'https://a.example/x?gclid=1&gclsrc=2&gbraid=3&wbraid=4&dclid=5'],
  ['https://a.example/x', 'https://a.example/x?gad_source=1&gad_campaignid=2&srsltid=3'],
  ['https://a.example/x', 'https://a.example/x?fbclid=1&msclkid=2&yclid=3&twclid=4&ttclid=5'],
  ['https://a.example/x', 'https://a.example/x?li_fat_id=1&igshid=2&igsh=3&mc_cid=4&mc_eid=5'],
  ['https://a.example/x', 'https://a.example/x?mkt_tok=1&_hsenc=2&_hsmi=3&hsCtaTracking=4'],
  ['https://a.example/x', 'https://a.example/x?__hsfp=1&__hssc=2&__hstc=3&vero_conv=4&vero_id=5'],
  ['https://a.example/x', 'https://a.example/x?_ga=1&_gl=2&_openstat=3&wickedid=4&rb_clickid=5'],
  ['https://a.example/x', 'https://a.example/x?oly_anon_id=1&oly_enc_id=2&s_cid=3&cmpid=4'],
  ['https://a.example/x', 'https://a.example/x?ref_src=1&ref_url=2&spm=3&__twitter_impression=1'],
  ['https://a.example/x?a=1&b=2', 'https://a.example/x?b=2&a=1'],
  ['https://a.example/x?a=1&b=2', 'https://a.example/x?b=2&fbclid=z&a=1'],
  ['https://a.example/x?a', 'https://a.example/x?a='],
  ['https://a.example/x?a=%41', 'https://a.example/x?a=A'],
  ['https://a.example/x?a=1', 'https://a.example/x?a=1&&'],
  ['https://a.example/x', 'https://a.example/x?='],
  ['https://a.example/x', 'https://a.example/x#chapter-2'],
  ['https://a.example/x', 'https://a.example/x#:~:text=word'],
  ['https://a.example/#/mail', 'http://www.a.example/#/mail'],
  ['https://en.wikipedia.org/wiki/Tide', 'https://en.m.wikipedia.org/wiki/Tide'],
  ['https://www.youtube.com/watch?v=1', 'https://m.youtube.com/watch?v=1'],
  ['https://twitter.com/a', 'https://mobile.twitter.com/a'],
  ['https://www.facebook.com/a', 'https://m.facebook.com/a'],
  ['https://www.reddit.com/r/a', 'https://old.reddit.com/r/a/'],
  ['https://www.reddit.com/r/a', 'https://new.reddit.com/r/a'],
  ['https://a.example/x?id=1', bing('https://a.example/x?id=1')],
  ['https://a.example/é', bing('https://a.example/é')],
  ['https://a.example/x?id=1', google('https://a.example/x?id=1&utm_source=n')],
  ['https://a.example/x', 'https://www.google.co.uk/url?url=https%3A%2F%2Fa.example%2Fx'],
  ['https://a.example/x', google(bing('https://www.a.example/x/'))],
  ['https://a.example/x', 'https://a-example.cdn.ampproject.org/c/s/a.example/x/amp'],
  ['https://a.example/x', 'https://a-example.cdn.ampproject.org/c/a.example/x'],
  ['https://a.example/x?id=1', 'https://www.google.com/amp/s/a.example/x?id=1'],
];

const different: [string, string][] = [
  ['https://a.example/x', 'https://a.example/y'],
  ['https://a.example/x', 'https://a.example/X'],
  ['https://a.example/x', 'https://b.example/x'],
  ['https://a.example/x', 'https://blog.a.example/x'],
  ['https://a.example/x', 'https://m.a.example/x'],
  ['https://a.example/x', 'https://amp.a.example/x'],
  ['https://a.example/x', 'https://www123.a.example/x'],
  ['https://a.example/x', 'https://wwwa.example/x'],
  ['https://a.example/x', 'https://a.example:8443/x'],
  ['https://www.com/', 'https://com/'],
  ['https://a.example/x', 'https://a.example/x/index.html'],
  ['https://a.example/x', 'https://a.example/x.html'],
  ['https://a.example/x', 'https://a.example/amp/x'],
  ['https://a.example/x', 'https://a.example/xamp'],
  ['https://a.example/a/b', 'https://a.example/a//b'],
  ['https://a.example/a/b', 'https://a.example/a%2Fb'],
  ['https://a.example/x', 'https://a.example/x%20'],
  ['https://a.example/x?id=1', 'https://a.example/x?id=2'],
  ['https://a.example/?p=1', 'https://a.example/?p=2'],
  ['https://youtube.com/watch?v=a', 'https://youtube.com/watch?v=b'],
  ['https://a.example/x?t=1', 'https://a.example/x'],
  ['https://a.example/x?s=1', 'https://a.example/x'],
  ['https://a.example/x?ref=1', 'https://a.example/x'],
  ['https://a.example/x?source=1', 'https://a.example/x'],
  ['https://a.example/x?page=2', 'https://a.example/x'],
  ['https://a.example/x?outputType=pdf', 'https://a.example/x'],
  ['https://a.example/x?utmost=1', 'https://a.example/x'],
  ['https://a.example/x?my_utm_source=1', 'https://a.example/x'],
  ['https://a.example/x?a=1&a=2', 'https://a.example/x?a=2&a=1'],
  ['https://a.example/x?a=1', 'https://a.example/x?A=1'],
  ['https://a.example/x?a=b%26c', 'https://a.example/x?a=b&c'],
  ['https://a.example/#/mail', 'https://a.example/#/sent'],
  ['https://a.example/#!mail', 'https://a.example/'],
  ['https://www.google.com/url?q=words', 'https://www.google.com/url?q=other'],
  ['https://www.google.com/search?q=a', 'https://www.google.com/search?q=b'],
  ['https://notgoogle.com/url?q=https://a.example/', 'https://a.example/'],
  ['https://www.bing.com/ck/a?u=a1%%%', 'https://www.bing.com/ck/a?u=a1***'],
  ['ftp://a.example/x', 'https://a.example/x'],
  ['a.example/x', 'https://a.example/x'],
  ['mailto:a@a.example', 'mailto:b@a.example'],
];

describe('the table', () => {
  proves(
    'merge.key.unparsable',
    'merge.key.unwrapped',
    'merge.key.twins',
    'merge.key.mobile',
    'merge.key.path-case',
    'merge.key.escapes',
    'merge.key.query-order',
    'merge.key.identity-parameters',
    'merge.key.fragment',
    'merge.key.short-host',
  );
  for (const [one, other] of same) {
    test(`${one.trim()} is the same page as ${JSON.stringify(other)}`, () => {
      expect(pageKey(other)).toBe(pageKey(one));
    });
  }
  for (const [one, other] of different) {
    test(`${one} is another page than ${other}`, () => {
      expect(pageKey(other)).not.toBe(pageKey(one));
    });
  }
});

test('keys read like short addresses', () => {
  expect(pageKey('https://www.A.example:8443/b/?z=1&utm_id=2&a#top')).toBe(
    'a.example:8443/b?a&z=1',
  );
  expect(pageKey('https://www.com/')).toBe('www.com/');
  expect(pageKey(' nothing ')).toBe('raw:nothing');
});

test('an address wrapped without end is left as it is', () => {
  let wrapped = 'https://a.example/';
  for (let depth = 0; depth < 12; depth += 1) {
    wrapped = `https://www.google.com/amp/s/${wrapped.slice('https://'.length)}`;
  }
  expect(pageKey(wrapped)).toBe(`raw:${wrapped}`);
});

const words = (...lines: string[]) => fc.constantFrom(...lines.join(' ').split(' '));
const hosts = words(
  'a.example www.a.example www.www.com www9.com. .. m.youtube.com en.m.m.wikipedia.org bing.com',
  'www2.google.com google.co.uk x.cdn.ampproject.org old.reddit.com [::1] 127.1',
);
const pieces = words(
  '/ // /amp /url /ck/a /c/s/ /amp/s/ /%61mp /%2e%2e /. /x /X %7e %2F %c3 é www.a.example',
);
const pairs = words(
  'a a= =b = & utm_source=1 q=https%3A%2F%2Fa.example%2Famp q=x u=a1aHR0cHM6Ly9hLmV4YW1wbGUv',
  'b=2 b=1 a=%41 A=+ outputType=amp é=1 %3D=%26',
);
const addresses = fc
  .record({
    scheme: fc.constantFrom('http://', 'https://', 'https://u:p@'),
    host: hosts,
    port: fc.constantFrom('', ':80', ':443', ':8080'),
    path: fc.array(pieces, { maxLength: 6 }).map((list) => list.join('')),
    query: fc.array(pairs, { maxLength: 4 }).map((list) => list.join('&')),
    fragment: fc.constantFrom('', '#', '#x', '#/', '#!', '#/a b', '#!é'),
  })
  .map(({ scheme, host, port, path, query, fragment }) => {
    const rest = path === '' || path.startsWith('/') ? path : `/${path}`;
    return `${scheme}${host}${port}${rest}${query === '' ? '' : `?${query}`}${fragment}`;
  });

test('the key of a key is the key', () => {
  proves('merge.key.idempotent');
  const property = fc.property(fc.oneof(addresses, fc.webUrl({ withFragments: true })), (url) => {
    const key = pageKey(url);
    fc.pre(!key.startsWith('raw:'));
    expect(pageKey(`https://${key}`)).toBe(key);
  });
  fc.assert(property, { numRuns: 3000 });
});

describe('a second opinion', () => {
  const common = fc
    .record({
      scheme: fc.constantFrom('http', 'https'),
      host: fc.constantFrom('a.example', 'www.a.example', 'b.example'),
      port: fc.constantFrom('', ':8080'),
      path: fc.constantFrom('', '/', '/x', '/x/', '/X', '/y/../x', '/%78', '/x/y', '/x%2Fy'),
      query: fc.subarray(['id=1', 'id=2', 'b=3', 'utm_source=n', 'utm_id=4', 'fbclid=5']),
      hash: fc.constantFrom('', '#top'),
    })
    .map(({ scheme, host, port, path, query, hash }) => {
      const search = query.length === 0 ? '' : `?${query.join('&')}`;
      return `${scheme}://${host}${port}${path}${search}${hash}`;
    });
  const opinion = (url: string) =>
    normalizeUrl(url, {
      stripProtocol: true,
      stripHash: true,
      removeQueryParameters: [/^utm_/, 'fbclid'],
    });

  test('another library merges exactly the same pairs by the rules both have', () => {
    let merged = 0;
    const property = fc.property(common, common, (one, other) => {
      const agreed = opinion(one) === opinion(other);
      merged += agreed ? 1 : 0;
      expect(pageKey(one) === pageKey(other)).toBe(agreed);
    });
    fc.assert(property, { numRuns: 3000, seed: 7 });
    expect(merged).toBeGreaterThan(20);
  });
});
