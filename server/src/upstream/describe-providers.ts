// Describes each provider of this deployment, with its capabilities and prices, from the tables
// that serve the requests.
import type {
  ProviderDescription,
  ProviderId,
  ProviderOverlap,
  ProvidersResponse,
  ToolDescription,
} from '@trivium/contract';
import { providerNames } from '@trivium/contract';
import { type PriceTable, type Rates, usd } from '../billing/core/index.ts';
import {
  always,
  describeSupports,
  extractParams,
  searchParams,
  type Supports,
  transcribeParams,
} from '../negotiation/index.ts';
import { healthOf } from './guard.ts';
import type { ConfiguredProvider, ConfiguredProviders } from './context.ts';

export function describeProviders(
  providers: ConfiguredProviders,
  prices: PriceTable,
  overlapOf: (id: ProviderId) => ProviderOverlap[] | undefined = () => undefined,
): Pick<ProvidersResponse, 'providers'> {
  const described = Object.values(providers).map((configured) => {
    const overlap = overlapOf(configured.provider.id);
    return { ...describeStation(configured, prices), ...(overlap ? { overlap } : {}) };
  });
  return { providers: described };
}

function describeStation(
  { provider, state, guard }: ConfiguredProvider,
  prices: PriceTable,
): ProviderDescription {
  const { id, search, extract, transcribe } = provider;
  const rates = prices[id] ?? {};
  return {
    id,
    name: providerNames[id],
    state,
    ...(guard && state === 'configured' ? { health: healthOf(guard) } : {}),
    tools: {
      ...(search
        ? { search: describeTool({ ...always, ...search.supports }, searchParams, rates.search) }
        : {}),
      ...(extract ? { extract: describeTool(extract.supports, extractParams, rates.extract) } : {}),
      ...(transcribe
        ? {
            transcription: {
              ...describeTool(transcribe.supports, transcribeParams, rates.transcribe),
              surcharges: inUsd(only(rates.transcribe ?? {}, transcribe.price.surcharges)),
            },
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
  return { capabilities: describeSupports(supports, params), prices: inUsd(rates) };
}

function inUsd(rates: Rates): Record<string, number> {
  return Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, usd(rate)]));
}

function only(rates: Rates, names: readonly string[]): Rates {
  return Object.fromEntries(Object.entries(rates).filter(([name]) => names.includes(name)));
}
