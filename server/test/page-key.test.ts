// When two URLs are the same page: a table of pairs, properties, and a comparison with a library.
import { describe, test } from 'bun:test';
import fc from 'fast-check';
import normalizeUrl from 'normalize-url';
import { expect, proves } from '../../e2e/proves.ts';
import { pageKey } from '@trivium/shared/page-key';

const bing = (target: string) =>
  `https://www.bing.com/ck/a?!&p=1&u=a1${Buffer.from(target).toString('base64url')}&ntb=1`;
const google = (target: string) =>
  `https://www.google.com/url?sa=t&q=${encodeURIComponent(target)}&usg=x`;

/** The address with each other one. */
const pairsWith = (one: string, ...others: string[]) =>
  others.flatMap((line) => line.split(' ')).map((other): [string, string] => [one, other]);

/** Pairs of addresses of the same page, by the rule that joins them. */
const same = {
  twins: [
    ...pairsWith(
      'https://a.example/x',
      'http://a.example/x HTTPS://A.EXAMPLE/x https://www.a.example/x https://www2.a.example/x',
      'https://www12.a.example/x https://www.www.a.example/x https://a.example./x',
      'https://a.example:443/x http://a.example:80/x https://user:word@a.example/x',
      'https://a.example/x/ https://a.example/x// https://a.example/y/../x',
      'https://a.example/./x https://a.example/x/amp https://a.example/x/amp/',
      'https://a.example/x?amp https://a.example/x?amp=1 https://a.example/x?outputType=amp',
      'https://a.example/x?utm_source=n&utm_medium=m https://a.example/x?UTM_Source=n',
      'https://a.example/x?utm%5Fsource=n',
      'https://a.example/x?utm=1&mtm_group=2&hsa_acc=3&ga_place=4',
      'https://a.example/x?itm_campaign=1&itm_medium=2&itm_source=3',
      'https://a.example/x?gclid=1&gclsrc=2&gbraid=3&wbraid=4&dclid=5',
      'https://a.example/x?gad_source=1&gad_campaignid=2&srsltid=3',
      'https://a.example/x?fbclid=1&msclkid=2&yclid=3&twclid=4&ttclid=5',
      'https://a.example/x?li_fat_id=1&igshid=2&igsh=3&mc_cid=4&mc_eid=5',
      'https://a.example/x?mkt_tok=1&_hsenc=2&_hsmi=3&hsCtaTracking=4',
      'https://a.example/x?__hsfp=1&__hssc=2&__hstc=3&vero_conv=4&vero_id=5',
      'https://a.example/x?_ga=1&_gl=2&_openstat=3&wickedid=4&rb_clickid=5',
      'https://a.example/x?oly_anon_id=1&oly_enc_id=2&s_cid=3&cmpid=4',
      'https://a.example/x?ref_src=1&ref_url=2&spm=3&__twitter_impression=1',
      'https://a.example/x?=',
    ),
    ['https://a.example/x', ' https://a.example/x\n'],
    ['https://a.example', 'https://a.example/'],
    ['https://a.example', 'https://a.example/?'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://a.example/x?a', 'https://a.example/x?a='],
    ['https://a.example/x?a=1', 'https://a.example/x?a=1&&'],
  ],
  escapes: [
    ['https://a.example/x', 'https://a.example/%78'],
    ['https://a.example/~me', 'https://a.example/%7Eme'],
    ['https://a.example/%C3%A9', 'https://a.example/%c3%a9'],
    ['https://a.example/é', 'https://a.example/%C3%A9'],
    ['https://a.example/x?a=%41', 'https://a.example/x?a=A'],
  ],
  queryOrder: [
    ['https://a.example/x?a=1&b=2', 'https://a.example/x?b=2&a=1'],
    ['https://a.example/x?a=1&b=2', 'https://a.example/x?b=2&fbclid=z&a=1'],
  ],
  fragment: [
    ['https://a.example', 'https://a.example/#'],
    ['https://a.example/x', 'https://a.example/x#chapter-2'],
    ['https://a.example/x', 'https://a.example/x#:~:text=word'],
    ['https://a.example/#/mail', 'http://www.a.example/#/mail'],
  ],
  mobile: [
    ['https://en.wikipedia.org/wiki/Tide', 'https://en.m.wikipedia.org/wiki/Tide'],
    ['https://www.youtube.com/watch?v=1', 'https://m.youtube.com/watch?v=1'],
    ['https://twitter.com/a', 'https://mobile.twitter.com/a'],
    ['https://www.facebook.com/a', 'https://m.facebook.com/a'],
    ['https://www.reddit.com/r/a', 'https://old.reddit.com/r/a/'],
    ['https://www.reddit.com/r/a', 'https://new.reddit.com/r/a'],
  ],
  unwrapped: [
    ['https://a.example/x?id=1', bing('https://a.example/x?id=1')],
    ['https://a.example/é', bing('https://a.example/é')],
    ['https://a.example/x?id=1', google('https://a.example/x?id=1&utm_source=n')],
    ['https://a.example/x', 'https://www.google.co.uk/url?url=https%3A%2F%2Fa.example%2Fx'],
    ['https://a.example/x', 'https://news.google.com/url?q=words&url=//a.example/x'],
    ['https://a.example/x', 'https://www.google.com/amp/a.example/x'],
    ['https://a.example/x', bing('https://a.example/x').replace('www.', 'cn.')],
    ['https://a.example/x', google(bing('https://www.a.example/x/'))],
    ['https://a.example/x', 'https://a-example.cdn.ampproject.org/c/s/a.example/x/amp'],
    ['https://a.example/x', 'https://a-example.cdn.ampproject.org/c/a.example/x'],
    ['https://a.example/x?id=1', 'https://www.google.com/amp/s/a.example/x?id=1'],
  ],
} satisfies Record<string, [string, string][]>;

/** Pairs of addresses of different pages, by the rule that separates them. */
const different = {
  pathCase: [['https://a.example/x', 'https://a.example/X']],
  shortHost: [['https://www.com/', 'https://com/']],
  identityParameters: [
    ['https://a.example/x?id=1', 'https://a.example/x?id=2'],
    ['https://a.example/?p=1', 'https://a.example/?p=2'],
    ['https://youtube.com/watch?v=a', 'https://youtube.com/watch?v=b'],
  ],
  fragment: [
    ['https://a.example/#/mail', 'https://a.example/#/sent'],
    ['https://a.example/#!mail', 'https://a.example/'],
  ],
  unparsable: [
    ['ftp://a.example/x', 'https://a.example/x'],
    ['a.example/x', 'https://a.example/x'],
    ['mailto:a@a.example', 'mailto:b@a.example'],
  ],
  other: [
    ...pairsWith(
      'https://a.example/x',
      'https://a.example/y https://b.example/x https://blog.a.example/x https://m.a.example/x',
      'https://amp.a.example/x https://www123.a.example/x https://wwwa.example/x',
      'https://a.example:8443/x https://a.example/x/index.html https://a.example/x.html',
      'https://a.example/amp/x https://a.example/xamp https://a.example/x%20',
      'https://a.example/x?t=1 https://a.example/x?s=1 https://a.example/x?ref=1',
      'https://a.example/x?source=1 https://a.example/x?page=2',
      'https://a.example/x?outputType=pdf https://a.example/x?utmost=1',
      'https://a.example/x?my_utm_source=1',
    ),
    ['https://a.example/a/b', 'https://a.example/a//b'],
    ['https://a.example/a/b', 'https://a.example/a%2Fb'],
    ['https://a.example/x?a=1&a=2', 'https://a.example/x?a=2&a=1'],
    ['https://a.example/x?a=1', 'https://a.example/x?A=1'],
    ['https://a.example/x?a=b%26c', 'https://a.example/x?a=b&c'],
    ['https://www.google.com/url?q=words', 'https://www.google.com/url?q=other'],
    ['https://www.google.com/search?q=a', 'https://www.google.com/search?q=b'],
    ['https://notgoogle.com/url?q=https://a.example/', 'https://a.example/'],
    ['https://www.bing.com/ck/a?u=a1%%%', 'https://www.bing.com/ck/a?u=a1***'],
  ],
} satisfies Record<string, [string, string][]>;

const splitPairs = (pairs: [string, string][]) =>
  pairs.filter(([one, other]) => pageKey(one) !== pageKey(other));
const joinedPairs = (pairs: [string, string][]) =>
  pairs.filter(([one, other]) => pageKey(one) === pageKey(other));

test('addresses of the same page have one key', () => {
  proves('merge.key.twins', () => expect(splitPairs(same.twins)).toEqual([]));
  proves('merge.key.escapes', () => expect(splitPairs(same.escapes)).toEqual([]));
  proves('merge.key.query-order', () => expect(splitPairs(same.queryOrder)).toEqual([]));
  proves('merge.key.fragment', () => expect(splitPairs(same.fragment)).toEqual([]));
  proves('merge.key.mobile', () => expect(splitPairs(same.mobile)).toEqual([]));
  proves('merge.key.unwrapped', () => expect(splitPairs(same.unwrapped)).toEqual([]));
});

test('addresses of different pages have different keys', () => {
  const { identityParameters, unparsable } = different;
  proves('merge.key.path-case', () => expect(joinedPairs(different.pathCase)).toEqual([]));
  proves('merge.key.short-host', () => expect(joinedPairs(different.shortHost)).toEqual([]));
  proves('merge.key.identity-parameters', () =>
    expect(joinedPairs(identityParameters)).toEqual([]),
  );
  proves('merge.key.fragment', () => expect(joinedPairs(different.fragment)).toEqual([]));
  proves('merge.key.unparsable', () => expect(joinedPairs(unparsable)).toEqual([]));
  expect(joinedPairs(different.other)).toEqual([]);
});

test('keys read like short addresses', () => {
  expect(pageKey('https://www.A.example:8443/b/?z=1&utm_id=2&a#top')).toBe(
    'a.example:8443/b?a&z=1',
  );
  expect(pageKey('https://www.com/')).toBe('www.com/');
  expect(pageKey(' nothing ')).toBe('raw:nothing');
});

test('an address with endless wrapping is not changed', () => {
  let wrapped = 'https://a.example/';
  for (let depth = 0; depth < 12; depth += 1) {
    wrapped = `https://www.google.com/amp/s/${wrapped.slice('https://'.length)}`;
  }
  expect(pageKey(wrapped)).toBe(`raw:${wrapped}`);
});

const words = (...lines: string[]) => fc.constantFrom(...lines.join(' ').split(' '));
const hosts = words(
  'a.example www.a.example www.www.com www9.com. .. m.youtube.com en.m.m.wikipedia.org bing.com',
  'www2.google.com news.google.com cn.bing.com',
  'google.co.uk x.cdn.ampproject.org old.reddit.com [::1] 127.1',
);
const pieces = words(
  '/ // /amp /url /amp/ /ck/a /c/s/ /amp/s/ /%61mp /%2e%2e /. /x /X %7e %2F %c3 é www.a.example',
);
const pairs = words(
  'a a= =b = & utm_source=1 q=https%3A%2F%2Fa.example%2Famp q=x u=a1aHR0cHM6Ly9hLmV4YW1wbGUv',
  'url=//www.a.example/ q=/url?q=x b=2 b=1 a=%41 A=+ outputType=amp é=1 %3D=%26',
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

test('an address that needs no parsing has the key of the same address that does', () => {
  const hosts = words(
    'a.com www.a.com www.com www2.a.com m.a.com news.google.com a-b.cdn.ampproject.org en.m.wikipedia.org',
  );
  const segments = words('/ /a /amp /ampx /c /s /url /ck /A~b-c_d.html /. /.. /a. // /index.html');
  const plain = fc.tuple(hosts, fc.array(segments, { maxLength: 4 }));
  const property = fc.property(plain, ([host, path]) => {
    const url = `https://${host}/${path.join('').slice(1)}`;
    // A fragment is no part of the key, and makes the platform parse the address.
    return pageKey(url) === pageKey(`${url}#x`);
  });
  fc.assert(property, { numRuns: 1000 });
});

test('the key of a key is the same key', () => {
  const property = fc.property(fc.oneof(addresses, fc.webUrl({ withFragments: true })), (url) => {
    const key = pageKey(url);
    fc.pre(!key.startsWith('raw:'));
    expect(pageKey(`https://${key}`)).toBe(key);
  });
  proves('merge.key.idempotent', () => void fc.assert(property, { numRuns: 1000 }));
});

describe('an independent library', () => {
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

  test('merges exactly the same pairs by the rules that both have', () => {
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
