// The price table as the vendors list it, gathered from their products. Operators may override it.
import type { ProviderId } from '@trivium/contract';
import type { PriceTable, ProviderRates } from '../domain/prices.ts';
import { providers } from './index.ts';

export const list_prices: PriceTable = Object.fromEntries(
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
