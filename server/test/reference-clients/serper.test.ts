// Serper publishes no client, so its documented list of fields is the reference.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { z } from 'zod';
import { searchAsks } from '../../src/negotiation/asks.ts';
import { negotiate } from '../../src/negotiation/negotiate.ts';
import { serper } from '../../src/providers/serper/adapter.ts';
import { searchRequests } from '../generated-requests.ts';
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

test('the key is sent in the header of the vendor, never in an address', () => {
  expect(serper.auth('test-key')).toEqual({ 'x-api-key': 'test-key' });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
