// Policies: two of them together are the stricter one, and no spelling of a page escapes.
import { describe, expect, test } from 'bun:test';
import { noPolicy, normalizePolicyDomain, type Policy } from '@trivium/contract';
import fc from 'fast-check';
import { compileDomainRules } from './domain-rules.ts';
import { changePolicy, combinePolicies } from './policy.ts';

const policy = (fields: Partial<Policy>): Policy => ({ ...noPolicy, ...fields });
const blocking = (...domains: string[]) =>
  compileDomainRules(policy({ blocked_domains: domains.map(normalized) })) ?? (() => true);
const allowing = (...domains: string[]) =>
  compileDomainRules(policy({ allowed_domains: domains.map(normalized) })) ?? (() => true);

function normalized(domain: string): string {
  const entry = normalizePolicyDomain(domain);
  if (entry === undefined) throw new Error(`${domain} is not a domain`);
  return entry;
}

const packed = Buffer.from('https://example.com/page').toString('base64url');

describe('a blocked domain', () => {
  test.each([
    'https://example.com/',
    'http://example.com/a?b#c',
    'https://EXAMPLE.com/',
    'https://www.example.com/',
    'https://www2.example.com/',
    'https://deep.sub.example.com/',
    'https://example.com./',
    'https://example.com../',
    'https://example.com:8443/',
    'https://example.com:443/',
    'https://user:password@example.com/',
    'https://other.org@example.com/',
    'https://ex%61mple.com/',
    'https://ｅｘａｍｐｌｅ.com/',
    '  https://example.com/ ',
    'https:\\\\example.com\\path',
    'ftp://example.com/file',
    'https://www.google.com/url?q=https://example.com/page',
    'https://www.google.de/amp/s/example.com/page',
    'https://example-com.cdn.ampproject.org/c/s/example.com/page',
    'https://google.com/url?q=https%3A%2F%2Fgoogle.com%2Furl%3Fq%3Dhttps%3A%2F%2Fexample.com',
    'https://www.google.com/url?q=https://other.org/&url=https://example.com/',
    'https://www.google.com/url?url=https://other.org/&q=https://example.com/',
    'https://www.google.com/url?q=https://other.org/&q=https://example.com/',
    'https://www.google.com/url?sa=t&q=words&url=https://example.com/',
    'https://www.google.com/url?Q=https://example.com/',
    'https://www.google.com/url?q=https://other.org/&URL=https://example.com/',
    'https://www.google.com/url?q=//example.com/page',
    'https://www.google.com/url?q=%5C%5Cexample.com/page',
    'https://www.google.com/url?q=%09/%5Cexample.com/page',
    'https://www.google.com/url?q=/url?q=https://example.com/',
    'https://www.google.com/url/?url=//www.example.com',
    'https://www.google.com/amp/example.com/page',
    'https://www.google.com.br/amp/s/www.example.com/page',
    'https://news.google.com/url?q=https://example.com/',
    'https://maps.google.co.uk/url?url=https://example.com/',
    'https://images.www.google.de/amp/s/example.com/',
    ...['u=a1BASE&p=1', 'p=1&u=a1BASE', 'u=x&u=a1BASE', 'u=a1Oi&u=a1BASE', 'U=a1BASE'].flatMap(
      (query) =>
        ['www.bing.com', 'cn.bing.com'].map(
          (host) => `https://${host}/ck/a?!&&${query.replace('BASE', packed)}`,
        ),
    ),
  ])('covers %s', (url) => expect(blocking('example.com')(url)).toBe(false));

  test.each([
    'https://example.org/',
    'https://notexample.com/',
    'https://example.com.evil.org/',
    'https://evil.org/example.com',
    'https://example.com@evil.org/',
    'https://www.google.com/search?q=example.com',
    'https://notgoogle.com/url?q=https://example.com/',
    'https://google.com.evil.org/url?q=https://example.com/',
    'https://www.google.com/url?q=words',
    `https://notbing.com/ck/a?u=a1${packed}`,
  ])('does not cover %s', (url) => expect(blocking('example.com')(url)).toBe(true));

  test.each([
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['xn--bcher-kva.example', 'https://BÜCHER.example/'],
    ['192.0.2.1', 'http://0xc0.0.2.1/'],
    ['192.0.2.1', 'http://3221225985/'],
    ['3221225985', 'http://192.0.2.1/'],
    ['192.0.2.1', 'http://[::ffff:192.0.2.1]/'],
    ['192.0.2.1', 'http://[64:ff9b::192.0.2.1]/'],
    ['192.0.2.1', 'http://[::192.0.2.1]/'],
    ['[2002:c000:201::1]', 'http://192.0.2.1/'],
    ['[::ffff:192.0.2.1]', 'http://192.0.2.1/'],
    ['[2001:db8::1]', 'http://[2001:DB8:0:0:0:0:0:1]:8080/'],
    ['www.example.com', 'https://example.com/'],
    ['old.reddit.com', 'https://www.reddit.com/r/a'],
    ['m.youtube.com', 'https://youtube.com/watch?v=1'],
    ['.gov', 'https://data.example.gov/'],
    ['*.example.com', 'https://a.example.com/'],
    ['google.com', 'https://www.google.com/url?q=https://example.org/'],
  ])('%s covers %s', (domain, url) => expect(blocking(domain)(url)).toBe(false));

  test('an entry for subdomains leaves the host itself', () => {
    expect(blocking('*.example.com')('https://example.com/')).toBe(true);
  });
});

describe('an allowed domain', () => {
  test.each([
    ['example.com', 'https://www.example.com/a'],
    ['example.com', 'https://sub.example.com/a'],
    ['www.example.com', 'https://example.com/a'],
    ['*.example.com', 'https://www.example.com/a'],
    ['old.reddit.com', 'https://www.reddit.com/r/a'],
    ['example.com', 'https://www.google.com/url?q=https://example.com/'],
  ])('%s allows %s', (domain, url) => expect(allowing(domain)(url)).toBe(true));

  test.each([
    ['example.com', 'https://example.org/'],
    ['example.com', 'https://example.com.evil.org/'],
    ['www.example.com', 'https://other.example.com/'],
    ['google.com', 'https://www.google.com/url?q=https://evil.org/'],
    ['example.com', 'https://www.google.com/url?q=https://example.com/&url=https://evil.org/'],
    ['example.com', 'https://www.google.com/url?url=https://evil.org/&q=https://example.com/'],
    ['example.com', `https://www.bing.com/ck/a?u=a1${packed}&u=a1aHR0cHM6Ly9ldmlsLm9yZy8`],
    ['example.com', 'not a url'],
    ['example.com', 'data:text/html,hello'],
    ['example.com', ''],
  ])('%s does not allow %s', (domain, url) => expect(allowing(domain)(url)).toBe(false));

  test('redirects inside redirects without end are not allowed', () => {
    let url = 'https://example.com/';
    for (let depth = 0; depth < 12; depth += 1) {
      url = `https://www.google.com/url?q=${encodeURIComponent(url)}`;
    }
    expect(allowing('example.com', 'google.com')(url)).toBe(false);
    expect(blocking('example.com')(url)).toBe(false);
  });
});

test('a blocked domain is blocked in every spelling of its host', () => {
  const dressed = fc.record({
    scheme: fc.constantFrom('http', 'https', 'HTTPS'),
    user: fc.constantFrom('', 'user@', 'a:b@', 'example.org@'),
    prefix: fc.constantFrom('', 'www.', 'a.', 'WWW.', 'www3.a.'),
    upper: fc.array(fc.boolean(), { minLength: 11, maxLength: 11 }),
    dots: fc.constantFrom('', '.'),
    port: fc.constantFrom('', ':80', ':443', ':8080'),
    path: fc.constantFrom('', '/', '/amp', '/a/b?c=d#e'),
  });
  const isAllowed = blocking('example.com');
  fc.assert(
    fc.property(dressed, ({ scheme, user, prefix, upper, dots, port, path }) => {
      const host = [...'example.com']
        .map((letter, at) => (upper[at] ? letter.toUpperCase() : letter))
        .join('');
      expect(isAllowed(`${scheme}://${user}${prefix}${host}${dots}${port}${path}`)).toBe(false);
    }),
  );
});

describe('two policies', () => {
  test('the smaller limits count, and the overdraft limits of both are known', () => {
    const account = { ...noPolicy, max_audio_minutes: 60, max_stored_mb: 5, overdraft_usd: 20 };
    const key = { ...noPolicy, max_audio_minutes: 90, max_stored_mb: 7, overdraft_usd: 0 };
    expect(combinePolicies(account, key)).toEqual({
      max_audio_minutes: 60,
      max_stored_mb: 5,
      overdraft_usd: 20,
      key_overdraft_usd: 0,
    });
  });

  test('are undefined when neither sets a limit', () => {
    expect(combinePolicies(undefined, undefined)).toBeUndefined();
    expect(combinePolicies(noPolicy, noPolicy)).toBeUndefined();
  });

  test('allow what both allow', () => {
    const both = combinePolicies(
      policy({
        tools: ['search', 'extract'],
        providers: ['engine_a', 'engine_b'],
        max_cost_usd: 2,
        keep_query_hours: 24,
        requests_per_minute: 100,
        allowed_domains: ['example.com'],
      }),
      policy({
        tools: ['extract', 'transcription'],
        providers: ['engine_b', 'engine_c'],
        max_cost_usd: 1,
        keep_query_hours: 0,
        requests_at_once: 3,
        blocked_domains: ['bad.example.com'],
      }),
    );
    expect(both).toMatchObject({
      tools: ['extract'],
      providers: ['engine_b'],
      max_cost_usd: 1,
      keep_query_hours: 0,
      limits: { account: { per_minute: 100 }, key: { at_once: 3 } },
    });
    expect(both?.allowsPage?.('https://example.com/')).toBe(true);
    expect(both?.allowsPage?.('https://bad.example.com/')).toBe(false);
    expect(both?.allowsPage?.('https://example.org/')).toBe(false);
  });

  test('that have nothing in common allow nothing', () => {
    const both = combinePolicies(
      policy({ providers: ['engine_a'] }),
      policy({ providers: ['engine_b'] }),
    );
    expect(both?.providers).toEqual([]);
  });
});

test('a change keeps what is absent, removes what is null, and takes nothing else over', () => {
  const before = policy({ tools: ['search'], max_cost_usd: 1 });
  const change = { max_cost_usd: null, requests_at_once: 5, ['__proto__']: 1, other: 2 };
  expect(changePolicy(before, change)).toEqual(policy({ tools: ['search'], requests_at_once: 5 }));
});
