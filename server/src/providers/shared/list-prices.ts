// The price table as the vendors list it, gathered from their products. Operators may override it.
import type { ProviderId } from '@trivium/contract';
import type { PriceTable, ProductName, ProviderRates } from '../../billing/core/index.ts';
import { providers } from '../registry.ts';

export const listPrices: PriceTable = Object.fromEntries(
  Object.values(providers).map(
    ({ id, search, extract, transcribe }): [ProviderId, ProviderRates] => [
      id,
      {
        ...(search ? { search: search.price.rates } : {}),
        ...(extract ? { extract: extract.price.rates } : {}),
        ...(transcribe ? { transcribe: transcribe.price.rates } : {}),
      },
    ],
  ),
);

/** Serve without a price where they are asked without a credential; a panel may be made of them. */
const freeWithoutCredential = ['engine_f', 'engine_i', 'fusion'];

/** Who may have served at no price: a rate of 0 that the operator's prices name and ours do not. */
export function freeProviders(prices: PriceTable): string[] {
  const isFree = ([provider, products]: [string, ProviderRates]) =>
    Object.entries(products).some(([product, rates]) =>
      Object.entries(rates).some(
        ([name, rate]) => rate === 0 && listedRate(provider, product, name) !== 0,
      ),
    );
  const free = Object.entries(prices).filter(isFree);
  return [...freeWithoutCredential, ...free.map(([provider]) => provider)];
}

function listedRate(provider: string, product: string, name: string): number | undefined {
  return listPrices[provider as ProviderId]?.[product as ProductName]?.[name];
}
