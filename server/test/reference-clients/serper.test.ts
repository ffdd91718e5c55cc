// Serper publishes no client, so its documented list of fields is the reference. Countries and
// languages of other vendors are those of their clients.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { z } from 'zod';
import { searchAsks } from '../../src/negotiation/asks.ts';
import { negotiate } from '../../src/negotiation/negotiate.ts';
import { serper } from '../../src/providers/serper/adapter.ts';
import { searchRequests } from '../generated-requests.ts';
import { sentBodies } from './sent-bodies.ts';
import { Country, Language } from '@youdotcom-oss/sdk/models';
import { languageOf as languageOfJina } from '../../src/providers/jina/adapter.ts';
import { commonCountries } from '../../src/providers/shared/rows.ts';
import { countryNames } from '../../src/providers/tavily/countries.ts';
import { languageOf as languageOfYou } from '../../src/providers/you/adapter.ts';

const now = new Date('2026-11-15T12:00:00Z');
const day = String.raw`\d{2}\/\d{2}\/\d{4}`;

const SearchFields = z.strictObject({
  q: z.string().min(1),
  gl: z
    .string()
    .regex(/^[a-z]{2}$/)
    .nullish(),
  hl: z
    .string()
    .regex(/^(?!zh$)[a-z]{2}(-[a-z]{2})?$/)
    .nullish(),
  location: z.string().optional(),
  num: z.int().min(1).max(100).optional(),
  page: z.int().min(1),
  autocorrect: z.boolean().optional(),
  tbs: z
    .string()
    .regex(new RegExp(`^(qdr:[hdwmy]|cdr:1(,cd_min:${day})?(,cd_max:${day})?)$`))
    .optional(),
  safe: z.enum(['off', 'active']).optional(),
});
const ScrapeFields = z.strictObject({
  url: z.url(),
  includeMarkdown: z.boolean().optional(),
  includeLinks: z.boolean().optional(),
  includeImages: z.boolean().optional(),
  includeVideos: z.boolean().optional(),
});

describe('fixtures send only known fields and values', () => {
  for (const { file, body, url } of sentBodies('serper', 'search')) {
    test(`${file}: ${url.pathname}`, () => {
      expect(['/search', '/news', '/scholar']).toContain(url.pathname);
      expect(url.origin).toBe('https://google.serper.dev');
      expect(() => SearchFields.parse(body)).not.toThrow();
    });
  }
  for (const { file, body, url } of sentBodies('serper', 'extract')) {
    test(file, () => {
      expect(url.href).toBe('https://scrape.serper.dev/');
      expect(() => ScrapeFields.parse(body)).not.toThrow();
    });
  }
});

test('any request sends only known fields and values, one page after another', () => {
  fc.assert(
    fc.property(searchRequests, (request) => {
      const asks = searchAsks(request);
      const { granted } = negotiate(serper.search?.supports ?? {}, asks, now);
      const sent = serper.search?.toRequests({ ask: granted as never, now }) ?? [];
      const bodies = sent.map(({ body }) => SearchFields.parse(JSON.parse(JSON.stringify(body))));
      const { offset = 0, max_results } = request;
      const first = Math.floor(offset / 10) + 1;
      const last = Math.floor((offset + max_results - 1) / 10) + 1;
      expect(bodies.map(({ page }) => page)).toEqual(range(first, last));
    }),
  );
});

test('the key is sent in the header of the vendor, never in an address', () => {
  expect(serper.auth('test-key')).toEqual({ 'x-api-key': 'test-key' });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

test('the countries and languages of You.com are those of its client', () => {
  expect([...commonCountries].toSorted()).toEqual(Object.values<string>(Country).toSorted());
  // Clients since 2.4.0 write `JA` for Japanese and refuse the `JP` of this one.
  const codes = Object.values<string>(Language).map((code) => (code === 'JP' ? 'JA' : code));
  for (const code of codes) expect(languageOfYou(code)).toBe(code);
});

test('languages with another spelling are translated, unknown ones are not sent', () => {
  const ofYou = ['ja', 'zh', 'pt', 'no', 'nb', 'de', 'uk', 'sw'].map(languageOfYou);
  expect(ofYou).toEqual(['JA', 'ZH-HANS', 'PT-BR', 'NB', 'NB', 'DE', 'UK', undefined]);
  const ofJina = ['he', 'jv', 'zh', 'nb', 'no', 'EN', 'tl', 'pt', 'xx'].map(languageOfJina);
  expect(ofJina).toEqual(['iw', 'jw', 'zh-cn', 'no', 'no', 'en', 'tl', 'pt', undefined]);
});

test('Tavily has the English names of countries, except for a few', () => {
  const english = new Intl.DisplayNames(['en'], { type: 'region' });
  const plain = (name: string) => name.toLowerCase().replace('&', 'and');
  const other = Object.entries(countryNames).filter(
    ([code, name]) => plain(english.of(code) ?? '') !== name,
  );
  const own = { CG: 'congo', CZ: 'czech republic', MM: 'myanmar', TR: 'turkey' };
  expect(Object.fromEntries(other)).toEqual(own);
  expect(Object.keys(countryNames)).toHaveLength(166);
});
