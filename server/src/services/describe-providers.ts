// What each provider of this deployment can do and charges, from the tables that serve the
// requests.
import type { ProviderDescription, ProvidersResponse, ToolDescription } from '@trivium/contract';
import { usd } from '../domain/money.ts';
import { extract_params, search_params } from '../domain/negotiation/asks.ts';
import { transcribe_params } from '../domain/negotiation/transcribe-asks.ts';
import { describeSupports } from '../domain/negotiation/describe.ts';
import { always } from '../domain/negotiation/negotiate.ts';
import type { Supports } from '../domain/negotiation/negotiate.ts';
import type { PriceTable, Rates } from '../domain/prices.ts';
import { healthOf } from './guard.ts';
import type { House, Station } from './house.ts';

export function describeProviders(
  stations: House['stations'],
  prices: PriceTable,
): ProvidersResponse {
  return { providers: Object.values(stations).map((station) => describeStation(station, prices)) };
}

function describeStation(
  { provider, state, guard }: Station,
  prices: PriceTable,
): ProviderDescription {
  const { id, name, search, extract, transcribe } = provider;
  const rates = prices[id] ?? {};
  return {
    id,
    name,
    state,
    ...(guard ? { health: healthOf(guard) } : {}),
    tools: {
      ...(search
        ? { search: describeTool({ ...always, ...search.supports }, search_params, rates.search) }
        : {}),
      ...(extract
        ? { extract: describeTool(extract.supports, extract_params, rates.extract) }
        : {}),
      ...(transcribe
        ? {
            transcription: describeTool(transcribe.supports, transcribe_params, rates.transcribe),
          }
        : {}),
    },
  };
}

function describeTool(
  supports: Supports,
  params: readonly string[],
  rates: Rates = {},
): ToolDescription {
  const prices = Object.entries(rates).map(([name, rate]) => [name, usd(rate)]);
  return {
    capabilities: describeSupports(supports, params),
    prices: Object.fromEntries(prices) as Record<string, number>,
  };
}
