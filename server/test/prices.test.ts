// Prices: every rate that the adapters list is the one written by hand in the golden prices of its
// vendor, with its native options and the price file of the operator; and what a price rule sees.
import { test } from 'bun:test';
import { expect, proves } from '../../e2e/proves.ts';
import { productNames } from '../src/billing/core/prices.ts';
import { listPrices, providers } from '../src/providers/registry.ts';
import { readGoldenPrices } from './golden-prices.ts';
import { type ProviderId, SearchResponse } from '@trivium/contract';
import { costOf, type Options } from './price-of.ts';
import { extractPrice, searchPrice } from '../src/providers/shared/price-rule.ts';
import type { ExtractProduct, SearchProduct } from '../src/providers/provider.ts';
import { speechPrice } from '../src/providers/shared/speech-price.ts';
import type { TranscribeProduct } from '../src/providers/shared/transcribe-product.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../src/platform/start-error.ts';
import { startExa } from './exa-upstream.ts';
import { openGateway } from './gateway.ts';

const ids = Object.values(providers).map(({ id }) => id);

const golden = new Map<string, number>(
  ids.flatMap((id) =>
    Object.entries(readGoldenPrices(id).rates_usd).flatMap(([product, rates]) =>
      Object.entries(rates).map(([rate, usd]) => [`${id} ${product} ${rate}`, usd] as const),
    ),
  ),
);

/** Any other zero is a mistake. */
const free = new Set(
  ids.flatMap((id) => (readGoldenPrices(id).free_rates ?? []).map((rate) => `${id} ${rate}`)),
);

const listed = Object.entries(listPrices).flatMap(([provider, products]) =>
  Object.entries(products).flatMap(([product, rates]) =>
    Object.entries(rates).map(([name, rate]) => ({
      name: `${provider} ${product} ${name}`,
      micro_usd: rate,
    })),
  ),
);

test('every listed rate has its golden figure, and every golden figure is listed', () => {
  proves('money.price.golden', () =>
    expect(listed.map(({ name }) => name).toSorted()).toEqual([...golden.keys()].toSorted()),
  );
});

test.each(listed)('$name costs what the vendor says', ({ name, micro_usd }) => {
  proves('money.price.golden', () =>
    expect(micro_usd).toBe(Math.round((golden.get(name) ?? NaN) * 1e6)),
  );
});

test('rates are whole micro-dollars, and only rates that are free on purpose are zero', () => {
  proves('money.price.zero-explicit', () => {
    for (const { name, micro_usd } of listed) {
      expect([name, Number.isSafeInteger(micro_usd) && micro_usd >= 0]).toEqual([name, true]);
      expect([name, micro_usd === 0]).toEqual([name, free.has(name)]);
    }
  });
});

test('every product of every provider has prices', () => {
  const unpriced = Object.values(providers).flatMap((provider) =>
    productNames
      .filter((product) => product in provider && !listPrices[provider.id]?.[product])
      .map((product) => `${provider.id} ${product}`),
  );
  expect(unpriced).toEqual([]);
});

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

const call = { bodies: [], delivered: 10, keyless: false, rates: {} };
const wire = { method: 'POST', path: '/' } as const;

/** True for a product that does not compile without its price. */
type NeedsPrice<Product extends { price: unknown }> =
  object extends Pick<Product, 'price'> ? never : true;

test('the compiler demands a price for every product, whose rule reads only the names it lists', () => {
  const needed: [NeedsPrice<SearchProduct>, NeedsPrice<ExtractProduct>] = [true, true];
  const speech: NeedsPrice<TranscribeProduct> = true;
  expect([...needed, speech]).toEqual([true, true, true]);
  const rule = searchPrice({
    rates: { page: 5, summary: 7 },
    reads: ['count'],
    each: ({ rates }, read) => {
      // Neither would compile if another name were allowed.
      const names: ('page' | 'summary')[] = Object.keys(rates) as (keyof typeof rates)[];
      const options: 'count'[] = [] as Parameters<typeof read>[0][];
      return names.length + options.length;
    },
  });
  expect(rule.cost({ ...call, sent: [{ ...wire, body: {} }] }).table).toBe(2);
});

test('a rule reads the body, or else the query, and own properties only', () => {
  const seen: unknown[] = [];
  const rule = extractPrice({
    rates: { page: 5 },
    reads: ['count', 'a.b', 'toString', 'a.constructor'],
    each: (_call, read) => {
      seen.push(read('count'), read('a.b'), read('toString'), read('a.constructor'));
      return 0;
    },
  });
  const ask = { 'content.full_text': true };
  rule.cost({ ...call, ask, sent: [{ ...wire, body: { count: 1, a: { b: null } } }] });
  expect(seen.splice(0)).toEqual([1, undefined, undefined, undefined]);
  rule.cost({ ...call, ask, sent: [{ ...wire, query: { count: '7' } }] });
  expect(seen.splice(0)).toEqual(['7', undefined, undefined, undefined]);
  rule.cost({ ...call, ask, sent: [{ ...wire, body: { a: 'text' } }] });
  expect(seen.map(String)).toEqual([
    'undefined',
    'Symbol(unreadable)',
    'undefined',
    'Symbol(unreadable)',
  ]);
});

test('an add-on is not a model, and current rates override the listed ones', () => {
  const price = speechPrice({
    models: { small: 10, large: 30 },
    addOns: { diarize: [0, 'speakers'] },
    unlisted: 5,
    reads: ['model'],
    free: 'tag',
    cost: ({ read, rateOf, added }) => ({
      seconds: 3600,
      rate: rateOf(String(read('model'))) + added(),
    }),
  });
  const rate = (model: string, rates = {}, options = {}) =>
    price.cost({ sent: { model, speakers: true, tag: 'x', ...options }, seconds: 1, rates });
  expect(rate('small-2')).toBe(10);
  expect(rate('diarize')).toBe(30);
  expect(rate('smaller')).toBe(30);
  expect(rate('diarize', { small: 90, diarize: 1 })).toBe(91);
  expect(rate('small', {}, { other: false, another: null, third: [] })).toBe(10);
  expect(rate('small', {}, { other: 1, another: 'x' })).toBe(15);
  expect(rate('small', { 'unlisted option': 7 }, { toString: {} })).toBe(17);
});

test('a gateway charges what the file says', async () => {
  using exa = startExa();
  exa.answer(() => Response.json({ results: [] }));
  using place = makeFolder({ engine_a: { search: { auto: 0.000123 } } });
  await using gateway = await openGateway(exa.url, place.settings);
  const { usage } = SearchResponse.parse(await (await gateway.search()).json());
  proves('money.price.overridable', () => expect(usage.cost_usd).toBe(0.000123));
});

test('a file with errors stops the start, and the message names all of them', async () => {
  using place = makeFolder({ engine_a: { search: { autp: 1, fast: -1 } } });
  const refused: unknown = await openGateway('http://127.0.0.1:1', place.settings).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StartError);
  expect(String(refused)).toContain('engine_a.search.autp is not a rate');
  expect(String(refused)).toContain('engine_a.search.fast must not be negative');
});

test('a file that cannot be read stops the start', async () => {
  using place = makeFolder({});
  const settings = { ...place.settings, TRIVIUM_PRICES: join(place.folder, 'nowhere.json') };
  const refused: unknown = await openGateway('http://127.0.0.1:1', settings).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StartError);
  expect(String(refused)).toContain('TRIVIUM_PRICES');
});

function makeFolder(prices: object) {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-prices-'));
  const file = join(folder, 'prices.json');
  writeFileSync(file, JSON.stringify(prices));
  return {
    folder,
    settings: {
      TRIVIUM_DATA_DIR: join(folder, 'data'),
      TRIVIUM_PRICES: file,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: '1',
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
