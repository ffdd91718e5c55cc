// Brave's own MCP server as reference: every query string we send must pass its request schemas.
import { expect, test } from 'bun:test';
import { params as news } from '@brave/brave-search-mcp-server/dist/tools/news/params.js';
import { params as web } from '@brave/brave-search-mcp-server/dist/tools/web/params.js';
import fc from 'fast-check';
import { searchAsks } from '../../src/negotiation/asks.ts';
import { negotiate } from '../../src/negotiation/negotiate.ts';
import { brave, searchLanguage } from '../../src/providers/brave/adapter.ts';
import { commonCountries } from '../../src/providers/shared/rows.ts';
import { searchRequests } from '../generated-requests.ts';
import { typedQuery } from './brave-query.ts';
import { sentBodies } from './sent-bodies.ts';

const now = new Date('2026-11-15T12:00:00Z');
const supports = brave.search?.supports ?? {};

/** If a caller's own option is out of bounds, the reference must refuse it too. */
const outOfBounds = ['brave.search.parameter-refused.json'];

for (const { file, url } of sentBodies('brave', 'search')) {
  const schema = url.pathname.endsWith('/news/search') ? news : web;
  test(`${file} sends what the schema accepts`, () => {
    const { success, error } = schema.strict().safeParse(typedQuery(url.searchParams));
    const faults = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    if (!outOfBounds.includes(file)) expect(faults ?? []).toEqual([]);
    else expect(success).toBe(false);
  });
}

test('any request is sent in a form that the schema accepts', () => {
  fc.assert(
    fc.property(searchRequests, (request) => {
      const { granted } = negotiate(supports, searchAsks(request), now);
      for (const { path, query } of brave.search?.toRequests({ ask: granted as never, now }) ??
        []) {
        const schema = path === '/news/search' ? news : web;
        const sent = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
        const texts = sent.map(([name, value]): [string, string] => [name, String(value)]);
        expect(() => schema.strict().parse(typedQuery(new URLSearchParams(texts)))).not.toThrow();
      }
    }),
  );
});

test('a fixture goes to each of the two indexes', () => {
  const paths = new Set(sentBodies('brave', 'search').map(({ url }) => url.pathname));
  expect([...paths].toSorted()).toEqual(['/res/v1/news/search', '/res/v1/web/search']);
});

test('the reference refuses what it should: unknown names, long queries, a page too far', () => {
  const faulty = [{ q: 'a', nonsense: '1' }, { q: 'a'.repeat(401) }, { q: 'a', offset: '10' }];
  for (const query of faulty) {
    expect(web.strict().safeParse(typedQuery(new URLSearchParams(query))).success).toBe(false);
  }
});

test('our countries are those of the schema, except its word for all countries', () => {
  const known = valuesOf('country').filter((country) => country !== 'ALL');
  expect([...commonCountries].toSorted()).toEqual(known.toSorted());
});

test('every language of the schema can be requested, and no other is sent', () => {
  const known = valuesOf('search_lang');
  const asked = twoLetterCodes().flatMap((code) =>
    [undefined, 'BR', 'TW'].flatMap((country) => searchLanguage(code, country) ?? []),
  );
  // A code of two letters cannot distinguish British English from English.
  const reachable = known.filter((language) => language !== 'en-gb');
  expect([...new Set(asked)].toSorted()).toEqual(reachable.toSorted());
});

test('languages with another spelling at the vendor are translated', () => {
  const codes = ['ja', 'zh', 'pt', 'no', 'nn', 'nb', 'DE', 'sw'];
  expect(codes.map((code) => searchLanguage(code))).toEqual([
    'jp',
    'zh-hans',
    'pt-pt',
    'nb',
    'nb',
    'nb',
    'de',
    undefined,
  ]);
});

test('the key goes into the header of the vendor', () => {
  expect(brave.auth('test-key')).toEqual({ 'x-subscription-token': 'test-key' });
});

function valuesOf(field: string): string[] {
  const { properties } = web.toJSONSchema({ io: 'input' }) as unknown as {
    properties: Record<string, { enum: string[] }>;
  };
  return properties[field]?.enum ?? [];
}

function twoLetterCodes(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}
