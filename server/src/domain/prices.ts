// The price table: what each provider charges, in micro-USD, one row a provider and product. Operators may override it.
import type { ProviderId } from '@trivium/contract';

/** Named rates of one product, in micro-USD. */
export type Rates = Readonly<Record<string, number>>;

export interface ProviderRates {
  search?: Rates;
  extract?: Rates;
  transcribe?: Rates;
}

export type PriceTable = Readonly<Partial<Record<ProviderId, ProviderRates>>>;

export const list_prices: PriceTable = {
  engine_a: {
    search: {
      instant: 4000,
      lite: 4000,
      fast: 7000,
      auto: 7000,
      'deep-lite': 12_000,
      deep: 12_000,
      'deep-reasoning': 15_000,
      result_above_10: 1000,
      summary: 1000,
    },
    extract: { text: 1000, highlights: 1000, summary: 1000 },
  },
};

/** What a call cost: by our table, and as the provider itself reports it where it does. */
export interface Cost {
  table: number;
  reported?: number;
}

/** The provider's own figure wins. */
export function charged(cost: Cost): number {
  return cost.reported ?? cost.table;
}
