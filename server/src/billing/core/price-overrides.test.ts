// The operator's price file: what it may contain, and that every fault is reported.
import { expect, test } from 'bun:test';
import { overridePrices, type PriceTable } from './prices.ts';

const list: PriceTable = {
  engine_a: { search: { fast: 7000, deep: 12_000 }, extract: { text: 1000 } },
  engine_k: { search: { web: 5000 } },
};

test('a rate in dollars replaces one rate and no other', () => {
  const given = { engine_a: { search: { fast: 0.0065 } }, engine_k: { search: { web: 0 } } };
  expect(overridePrices(list, given)).toEqual({
    prices: {
      engine_a: { search: { fast: 6500, deep: 12_000 }, extract: { text: 1000 } },
      engine_k: { search: { web: 0 } },
    },
    faults: [],
  });
});

test('every fault is reported with its path', () => {
  const given = {
    engine_z: {},
    engine_a: {
      translate: {},
      search: { fsat: 1, fast: -1, deep: 0.0000001 },
      extract: { text: '0.1' },
    },
    engine_k: { search: [] },
  };
  expect(overridePrices(list, given).faults).toEqual([
    'engine_z is not a provider with prices (engine_a, engine_k).',
    'engine_a.translate is not a product with prices (search, extract).',
    'engine_a.search.fsat is not a rate (fast, deep).',
    'engine_a.search.fast must not be negative.',
    'engine_a.search.deep must be USD, exact to 0.000001.',
    'engine_a.extract.text must be USD, exact to 0.000001.',
    'engine_k.search must be an object.',
  ]);
});

test('every amount with six decimals is exact', () => {
  for (let micro = 1; micro < 100_000; micro += 7) {
    const given = { engine_k: { search: { web: micro / 1e6 } } };
    const { prices, faults } = overridePrices(list, given);
    expect([faults, prices.engine_k?.search?.['web']]).toEqual([[], micro]);
  }
});

test('a file that is not an object, or a rate above the limit, is rejected', () => {
  expect(overridePrices(list, null).faults).toEqual(['the file must be an object.']);
  const given = { engine_k: { search: { web: 1001 } } };
  expect(overridePrices(list, given).faults).toHaveLength(1);
});

test('a name that every object has is no provider and no rate', () => {
  const given: unknown = JSON.parse(
    '{ "constructor": {}, "engine_k": { "search": { "toString": 1, "__proto__": 1 } } }',
  );
  expect(overridePrices(list, given).faults).toEqual([
    'constructor is not a provider with prices (engine_a, engine_k).',
    'engine_k.search.toString is not a rate (web).',
    'engine_k.search.__proto__ is not a rate (web).',
  ]);
});
