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
import { type PriceTable, type ProductName, type Rates, usd } from '../billing/core/index.ts';
import { describeSupports, type Supports } from '../negotiation/index.ts';
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
      ...(search ? { search: describeTool(search.supports, 'search', rates.search) } : {}),
      ...(extract ? { extract: describeTool(extract.supports, 'extract', rates.extract) } : {}),
      ...(transcribe
        ? {
            transcription: {
              ...describeTool(transcribe.supports, 'transcribe', rates.transcribe),
              surcharges: inUsd(only(rates.transcribe ?? {}, transcribe.price.surcharges)),
            },
          }
        : {}),
    },
  };
}

function describeTool(supports: Supports, tool: ProductName, rates: Rates = {}): ToolDescription {
  return { capabilities: describeSupports(supports, tool), prices: inUsd(rates) };
}

function inUsd(rates: Rates): Record<string, number> {
  return Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, usd(rate)]));
}

function only(rates: Rates, names: readonly string[]): Rates {
  return Object.fromEntries(Object.entries(rates).filter(([name]) => names.includes(name)));
}
