// Every rate that the adapters list equals the one written by hand in the vendor's golden prices.
import { test } from 'bun:test';
import { expect, proves } from '../../e2e/proves.ts';
import { productNames } from '../src/billing/core/prices.ts';
import { listPrices, providers } from '../src/providers/registry.ts';
import { readGoldenPrices } from './golden-prices.ts';

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
