// For every provider's table and any request: no parameter is dropped without a warning, and an
// adapter receives only what the table grants.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { providerIds, SearchRequest } from '@trivium/contract';
import {
  extractAsk,
  extractAsks,
  isNeutral,
  searchAsk,
  searchAsks,
  transcribeAsk,
} from '../src/negotiation/asks.ts';
import { negotiate, resolve, type Supports } from '../src/negotiation/negotiate.ts';
import type { Asks, Plain } from '../src/negotiation/support.ts';
import { providers } from '../src/providers/registry.ts';
import { extractRequests, searchRequests, transcriptionAsks } from './generated-requests.ts';

const now = new Date('2026-11-15T12:00:00Z');

/** More included hosts than engine_d accepts in its query. This once gave two warnings. */
const longLists = [
  SearchRequest.parse({
    query: 'tidal tidal tidal tidal tidal',
    include_domains: [
      ...Array.from({ length: 5 }, () => 'a.example'),
      'xn--mnchen-3ya.example',
      'a.example',
      'www.b.example/blog',
      'www.b.example/blog',
      'xn--mnchen-3ya.example',
    ],
    exclude_domains: [
      'xn--mnchen-3ya.example',
      'a.example',
      'www.e.example',
      'xn--mnchen-3ya.example',
      'www.e.example',
      'a.example',
      'a.example',
    ],
    category: 'research',
  }),
];

for (const id of providerIds) {
  const { search, extract, transcribe } = providers[id];
  if (search) {
    describe(`search on ${id}`, () => {
      holdsFor(
        search.supports,
        searchAsk,
        searchRequests.map(searchAsks),
        longLists.map(searchAsks),
      );
      test('an adapter builds requests from any parameters that were granted', () => {
        fc.assert(
          fc.property(searchRequests, (request) => {
            const { granted } = negotiate(search.supports, searchAsks(request), now);
            const sent = search.toRequests({ ask: searchAsk(granted), now });
            // Only an offset after the last result that a provider shows leaves no request to send.
            if (!granted['offset']) expect(sent.length).toBeGreaterThan(0);
            expect(() => JSON.stringify(sent)).not.toThrow();
          }),
        );
      });
      test('UK is the country GB', () => {
        const sent = (country: string) => {
          const request = SearchRequest.parse({ query: 'tides', locale: { country } });
          const { granted, warnings } = negotiate(search.supports, searchAsks(request), now);
          return [search.toRequests({ ask: searchAsk(granted), now }), warnings];
        };
        expect([sent('UK'), sent('uk')]).toEqual([sent('GB'), sent('GB')]);
      });
      test('a request that asks for nothing special is served without a warning', () => {
        const plain = SearchRequest.parse({ query: 'tides' });
        expect(negotiate(search.supports, searchAsks(plain), now).warnings).toEqual([]);
      });
    });
  }
  if (extract) {
    describe(`extract on ${id}`, () =>
      holdsFor(extract.supports, extractAsk, extractRequests.map(extractAsks)));
  }
  if (transcribe) {
    describe(`transcription on ${id}`, () =>
      holdsFor(transcribe.supports, transcribeAsk, transcriptionAsks));
  }
}

function holdsFor(
  supports: Supports,
  toAsk: (granted: Record<string, unknown>) => object,
  requests: fc.Arbitrary<Asks>,
  examples: readonly Asks[] = [],
): void {
  test('every parameter is granted exactly or named in exactly one warning', () => {
    fc.assert(
      fc.property(requests, (asks) => {
        const { granted, filters, warnings } = negotiate(supports, asks, now);
        toAsk(granted);
        for (const param in asks) {
          const named = warnings.filter((warning) => warning.param === param).length;
          expect(named).toBeLessThanOrEqual(1);
          if (named === 0 && !isNeutral(param, asks[param]))
            expect(granted).toHaveProperty([param]);
        }
        const unknown = warnings.filter(({ param }) => param === undefined || !(param in asks));
        expect(unknown).toEqual([]);
        // Only what the table grants is granted.
        for (const param of Object.keys(granted)) {
          const plain = resolve(supports[param] ?? { kind: 'trimmed' }, asks, asks[param]);
          expect(grants(plain)).toBe(true);
        }
        // A filter of the gateway belongs to the warning of its parameter.
        for (const { param, warning } of filters)
          if (warning !== undefined) expect(warnings[warning]?.param).toBe(param);
        expect(negotiate(supports, asks, now)).toEqual({ granted, filters, warnings });
      }),
      { examples: examples.map((asks): [Asks] => [asks]) },
    );
  });
}

function grants(plain: Plain): boolean {
  return !['post_filtered', 'ignored', 'rewritten'].includes(plain.kind);
}
