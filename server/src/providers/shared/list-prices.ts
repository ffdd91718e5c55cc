// The list prices of all vendors, collected from their products. Operators may override them.
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

/** Free if they are called without a credential. A fusion panel may consist of them. */
const freeWithoutCredential = ['engine_f', 'engine_i', 'fusion'];

/**
 * The providers that may have served for free: those above, and those with a rate of 0 in the
 * operator's prices but not in ours.
 */
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
