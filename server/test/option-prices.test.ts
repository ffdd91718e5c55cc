// Golden prices of native options: what each one that changes a vendor's bill does to the hold, for
// values the vendor documents and for values that cannot be read.
import { expect, test } from 'bun:test';
import type { ProviderId } from '@trivium/contract';
import { providers } from '../src/providers/registry.ts';
import { readGoldenPrices } from './golden-prices.ts';
import { costOf, type Options } from './price-of.ts';

const products = Object.values(providers).flatMap(({ id, search, extract }) => [
  ...(search ? [{ id, product: 'search' as const, reads: search.price.reads }] : []),
  ...(extract ? [{ id, product: 'extract' as const, reads: extract.price.reads }] : []),
]);

test.each(products)('$id $product: the hold depends on the options as they are sent', (priced) => {
  const rows = readGoldenPrices(priced.id).holds_micro_usd?.[priced.product] ?? [];
  expect(rows.length).toBeGreaterThan(0);
  const held = rows.map(([options]) => [options, costOf({ ...priced, options }).table]);
  expect(held).toEqual(rows);
});

test.each(products)(
  '$id $product: every option that the price reads changes a golden case',
  (priced) => {
    const { id, product, reads } = priced;
    const golden = readGoldenPrices(id);
    const rows = golden.holds_micro_usd?.[product] ?? [];
    const changes = (path: string) =>
      rows.some(([{ [path]: value, ...others }, price]) => {
        return value !== undefined && costOf({ ...priced, options: others }).table !== price;
      });
    const unproven = reads.filter((path) => !changes(path));
    const free = golden.free_options?.filter((name) => name.startsWith(`${product} `)) ?? [];
    expect(unproven.map((path) => `${product} ${path}`)).toEqual(free);
  },
);

test('prices set by the operator apply to tiers, counts and options', () => {
  const price = (id: ProviderId, options: Options, rates: Record<string, number>) =>
    costOf({ id, product: 'search', options, rates }).table;
  expect(price('engine_a', { type: 'fast' }, { fast: 1 })).toBe(1);
  expect(price('engine_a', { type: 'unheard-of' }, { instant: 99_000 })).toBe(99_000);
  expect(price('engine_a', { numResults: 11 }, { result_above_10: 3 })).toBe(7003);
  const options = { 'advanced_settings.full_content': true };
  const rates = { full_content: 5 };
  expect(costOf({ id: 'engine_b', product: 'extract', options, rates }).table).toBe(1005);
});

test('all pages of a search are priced, and both rounds of an extraction', () => {
  const asked = { max_results: 30 };
  expect(costOf({ id: 'engine_e', product: 'search', asked }).table).toBe(3000);
  const options = { num: 100 };
  expect(costOf({ id: 'engine_e', product: 'search', asked, options }).table).toBe(6000);
  const excerpts = { query: 'tides', content: { excerpts: {}, full_text: true } };
  const advanced = { extract_depth: 'advanced' };
  const twice = { product: 'extract', asked: excerpts, options: advanced } as const;
  expect(costOf({ id: 'engine_c', ...twice }).table).toBe(6400);
  expect(costOf({ id: 'engine_h', product: 'extract', asked: excerpts }).table).toBe(4000);
});
