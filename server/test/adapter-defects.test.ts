// An adapter reads any answer of its vendor, or declares it unreadable. Any other error is a defect
// of the adapter, and is reported as ours, not as a failure of the vendor.
import { expect, test } from 'bun:test';
import { ExtractRequest, providerIds, SearchRequest, typedName } from '@trivium/contract';
import { performExtract } from '../src/extract/extract-pages.ts';
import { planExtract } from '../src/extract/extract-plan.ts';
import { providers } from '../src/providers/registry.ts';
import type { Provider } from '../src/providers/provider.ts';
import { performSearch, planSearch } from '../src/search/search-engine.ts';
import { fixtureNames, readFixture } from './fixtures.ts';
import { fakeContext, type Fixture } from './play.ts';

/** Values that may appear where the vendor documents something else. */
const unprintable = { toString: false, valueOf: null };
const strange = [
  ...[null, -1, 1e300, 'text', 'http://[', '9999-99-99', [], {}, [null], [1], true, ''],
  ...[unprintable, [unprintable]],
];
const limitMs = 60_000;
const budget = { timeout_ms: 1000, maxBytes: 1_000_000 };

/** Performs the request of the fixture, and returns what its adapter threw. */
async function defectsOf(provider: Provider, fixture: Fixture, product: string) {
  const defects: unknown[] = [];
  const { context: base, chosen } = fakeContext(provider, fixture, []);
  const adapterFailed = (id: string, error: unknown) => defects.push([id, error]);
  const context = { ...base, metrics: { called: () => undefined, adapterFailed } };
  const asked = { ...fixture.asked, provider: provider.id };
  await (product === 'search'
    ? performSearch(context, planSearch(context, chosen, SearchRequest.parse(asked)), budget)
    : performExtract(context, planExtract(context, chosen, ExtractRequest.parse(asked)), budget));
  return defects;
}

/**
 * The body with each value in it replaced, one at a time. Of a list, only the first item is
 * replaced.
 */
function* changed(value: unknown): Generator<unknown> {
  yield* strange;
  if (Array.isArray(value)) {
    for (const inner of value.slice(0, 1).flatMap((one) => [...changed(one)])) {
      yield [inner, ...value.slice(1)];
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      for (const other of changed(inner)) yield { ...value, [name]: other };
    }
  }
}

function longestAnswer(names: string): Fixture | undefined {
  const charsOf = ({ received: [first] }: Fixture) =>
    first?.status === 200 ? JSON.stringify(first.body).length : 0;
  return fixtureNames(names)
    .map(readFixture)
    .toSorted((one, other) => charsOf(other) - charsOf(one))[0];
}

for (const id of providerIds) {
  for (const product of ['search', 'extract']) {
    const fixture = longestAnswer(`${typedName(id)}.${product}.`);
    if (!fixture) continue;
    const check = async () => {
      const [first, ...others] = fixture.received;
      for (const body of changed(first?.body)) {
        const received = [{ status: 200, ...first, body }, ...others];
        const defects = await defectsOf(providers[id], { ...fixture, received }, product);
        expect([body, defects]).toEqual([body, []]);
      }
    };
    test(`no answer to a request of ${product} makes the adapter of ${id} fail`, check, limitMs);
  }
}
