// Serper publishes no client, so its documented list of fields is the reference.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { z } from 'zod';
import { searchAsks } from '../../src/negotiation/asks.ts';
import { negotiate } from '../../src/negotiation/negotiate.ts';
import { serper } from '../../src/providers/serper/adapter.ts';
import { searchRequests } from '../generated-requests.ts';
import { playExtract, playSearch } from '../play.ts';
import { sentBodies } from './sent-bodies.ts';

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

const plain = { q: 'tides', page: 1 };
const searchRows: [string, Record<string, unknown>, string, Record<string, unknown>[]][] = [
  ['the query as typed', {}, '/search', [plain]],
  ['results by pages', { max_results: 21 }, '/search', pages(1, 3)],
  ['an offset by pages', { offset: 35, max_results: 10 }, '/search', pages(4, 5)],
  [
    'one included domain',
    { include_domains: ['a.example'] },
    '/search',
    [{ ...plain, q: 'tides site:a.example' }],
  ],
  [
    'several included domains',
    { include_domains: ['a.example', 'b.example'] },
    '/search',
    [{ ...plain, q: 'tides (site:a.example OR site:b.example)' }],
  ],
  [
    'excluded domains',
    { exclude_domains: ['c.example', 'd.example'] },
    '/search',
    [{ ...plain, q: 'tides -site:c.example -site:d.example' }],
  ],
  [
    'a range of days',
    { published_after: '2026-03-09', published_before: '2026-04-01' },
    '/search',
    [{ ...plain, tbs: 'cdr:1,cd_min:03/09/2026,cd_max:04/01/2026' }],
  ],
  [
    'a first day alone',
    { published_after: '2026-03-09' },
    '/search',
    [{ ...plain, tbs: 'cdr:1,cd_min:03/09/2026' }],
  ],
  [
    'a last day alone',
    { published_before: '2026-04-01' },
    '/search',
    [{ ...plain, tbs: 'cdr:1,cd_max:04/01/2026' }],
  ],
  ['the last day', { freshness: 'day' }, '/search', [{ ...plain, tbs: 'qdr:d' }]],
  ['the last week', { freshness: 'week' }, '/search', [{ ...plain, tbs: 'qdr:w' }]],
  ['the last month', { freshness: 'month' }, '/search', [{ ...plain, tbs: 'qdr:m' }]],
  ['the last year', { freshness: 'year' }, '/search', [{ ...plain, tbs: 'qdr:y' }]],
  ['a country', { locale: { country: 'GB' } }, '/search', [{ ...plain, gl: 'gb' }]],
  ['a language', { locale: { language: 'PT' } }, '/search', [{ ...plain, hl: 'pt' }]],
  ['Chinese', { locale: { language: 'zh' } }, '/search', [{ ...plain, hl: 'zh-cn' }]],
  ['news', { category: 'news' }, '/news', [plain]],
  ['research', { category: 'research' }, '/scholar', [plain]],
  ['companies', { category: 'company' }, '/search', [{ ...plain, q: 'tides company' }]],
  ['people', { category: 'people' }, '/search', [{ ...plain, q: 'tides profile' }]],
  ['no safe search', { safe_search: 'off' }, '/search', [{ ...plain, safe: 'off' }]],
  ['the default safe search', { safe_search: 'moderate' }, '/search', [plain]],
  ['strict safe search', { safe_search: 'strict' }, '/search', [{ ...plain, safe: 'active' }]],
  [
    'native options',
    { provider_options: { engine_e: { autocorrect: false } } },
    '/search',
    [{ ...plain, autocorrect: false }],
  ],
  ['what it cannot do', { mode: 'deep', content: { full_text: true } }, '/search', [plain]],
];

describe('each row of the search table', () => {
  for (const [name, asked, path, bodies] of searchRows) {
    test(name, async () => {
      const { sent } = await playSearch('engine_e', {
        asked: { query: 'tides', max_results: 10, ...asked },
        now: now.toISOString(),
        sent: [],
        received: bodies.map(() => ({ status: 200, body: { searchParameters: {}, credits: 1 } })),
        answered: {},
        warned: [],
      });
      expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(bodies.map(() => path));
      expect(sent.map(({ body }) => body)).toEqual(bodies);
    });
  }
});

const url = 'https://a.example/';
const extractRows: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ['markdown by default', {}, { url, includeMarkdown: true }],
  ['markdown', { content: { format: 'markdown' } }, { url, includeMarkdown: true }],
  ['text', { content: { format: 'text' } }, { url }],
  ['a cap of ours', { content: { max_chars: 100 } }, { url, includeMarkdown: true }],
  [
    'what it cannot do',
    { query: 'tides', content: { excerpts: {}, summary: true }, include_links: true },
    { url, includeMarkdown: true },
  ],
];

describe('each row of the extract table', () => {
  for (const [name, asked, body] of extractRows) {
    test(name, async () => {
      const { sent } = await playExtract('engine_e', {
        asked: { urls: [url], ...asked },
        now: now.toISOString(),
        sent: [],
        received: [{ status: 200, body: { text: 'A page.', markdown: 'A page.', credits: 2 } }],
        answered: {},
        warned: [],
      });
      expect(sent).toEqual([{ method: 'POST', url: 'https://scrape.serper.dev/', body }]);
    });
  }
});

test('the key is sent in the header of the vendor, never in an address', () => {
  expect(serper.auth('test-key')).toEqual({ 'x-api-key': 'test-key' });
});

function pages(first: number, last: number): Record<string, unknown>[] {
  return range(first, last).map((page) => ({ ...plain, page }));
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
