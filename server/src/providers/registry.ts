// The registry: maps each provider id to its vendor's adapter, and collects their list prices.
import type { ProviderId } from '@trivium/contract';
import type { PriceTable, ProductName, ProviderRates } from '../billing/core/index.ts';
import { assemblyai } from './assemblyai/adapter.ts';
import { brave } from './brave/adapter.ts';
import { deepgram } from './deepgram/adapter.ts';
import { elevenlabs } from './elevenlabs/adapter.ts';
import { exa } from './exa/adapter.ts';
import { firecrawl } from './firecrawl/adapter.ts';
import { jina } from './jina/adapter.ts';
import { linkup } from './linkup/adapter.ts';
import { parallel } from './parallel/adapter.ts';
import { perplexity } from './perplexity/adapter.ts';
import type { Provider } from './provider.ts';
import { serper } from './serper/adapter.ts';
import { tavily } from './tavily/adapter.ts';
import { valyu } from './valyu/adapter.ts';
import { you } from './you/adapter.ts';

export const providers: Readonly<Record<ProviderId, Provider>> = {
  engine_a: exa,
  engine_b: parallel,
  engine_c: tavily,
  engine_d: brave,
  engine_e: serper,
  engine_f: firecrawl,
  engine_g: linkup,
  engine_h: valyu,
  engine_i: jina,
  engine_j: you,
  engine_k: perplexity,
  stt_a: assemblyai,
  stt_b: deepgram,
  stt_c: elevenlabs,
};

/** Operators may override them. */
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
    Object.entries(products).some(([product, rates]) => {
      const listed = listPrices[provider as ProviderId]?.[product as ProductName];
      return Object.entries(rates).some(([name, rate]) => rate === 0 && listed?.[name] !== 0);
    });
  const free = Object.entries(prices).filter(isFree);
  return [...freeWithoutCredential, ...free.map(([provider]) => provider)];
}
