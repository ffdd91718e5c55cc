// The price table: what each provider charges, in micro-USD, one row a provider and product.
// Operators may override it.
import type { ProviderId } from '@trivium/contract';

/** Named rates of one product, in micro-USD. */
export type Rates = Readonly<Record<string, number>>;

export const product_names = ['search', 'extract', 'transcribe'] as const;
export type ProductName = (typeof product_names)[number];

export type ProviderRates = Partial<Record<ProductName, Rates>>;

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
  engine_b: {
    search: { turbo: 1000, fast: 1000, basic: 5000, advanced: 5000, result_above_10: 1000 },
    extract: { page: 1000, full_content: 0 },
  },
  engine_c: {
    search: { 'ultra-fast': 8000, fast: 8000, basic: 8000, advanced: 16_000, credit: 8000 },
    extract: { page: 1600, advanced_page: 3200 },
  },
  engine_g: {
    search: { standard: 5000, deep: 50_000, standard_answer: 6000, deep_answer: 55_000 },
    extract: { page: 1000, rendered: 5000 },
  },
  engine_h: {
    search: { web: 1500, news: 1500, all: 50_000, proprietary: 50_000 },
    extract: { page: 1000, summary: 1000 },
  },
  engine_i: {
    search: {
      ten_results: 500,
      ten_from_bing: 1500,
      ten_news: 2500,
      with_pages: 100_000,
      million_tokens: 50_000,
    },
    extract: { page: 500, page_at_most: 10_000, million_tokens: 50_000 },
  },
  engine_d: { search: { request: 5000 } },
  engine_e: { search: { credit: 1000 }, extract: { credit: 1000 } },
  engine_f: { search: { credit: 990 }, extract: { credit: 990 } },
  engine_j: { search: { search: 5000, full_page: 1000 }, extract: { page: 1000 } },
  engine_k: { search: { web: 5000, people: 5000, fast: 1000 } },
  // Speech is priced by the hour of audio. The longest name that a model begins with is its price.
  stt_a: {
    transcribe: {
      'universal-3-5-pro': 210_000,
      'universal-3-pro': 210_000,
      'universal-2': 150_000,
      diarize: 20_000,
      keyterms: 50_000,
    },
  },
  stt_b: {
    transcribe: {
      'nova-3': 258_000,
      'nova-3 multilingual': 312_000,
      'nova-2': 258_000,
      nova: 258_000,
      whisper: 288_000,
      enhanced: 870_000,
      base: 750_000,
      diarize: 0,
      keyterms: 80_000,
    },
  },
  stt_c: { transcribe: { scribe_v2: 220_000, diarize: 0, keyterms: 50_000 } },
};

/** The hourly rate of a model: its own, or that of the family it belongs to. */
export function hourlyRate(rates: Rates, model: string, fallback: string): number {
  const family = Object.keys(rates)
    .filter(
      (name) => model === name || model.startsWith(`${name}-`) || model.startsWith(`${name}_`),
    )
    .toSorted((one, other) => other.length - one.length)[0];
  return rates[family ?? fallback] ?? rates[fallback] ?? 0;
}

const seconds_per_hour = 3600;

/** Pro-rated to the second; a fraction of a micro-USD is rounded up. */
export function audioCost(seconds: number, hourly_rate: number): number {
  return Math.ceil(Math.round((seconds * hourly_rate * 1000) / seconds_per_hour) / 1000);
}

/** What a call cost: by our table, and as the provider itself reports it where it does. */
export interface Cost {
  table: number;
  reported?: number;
}

/** The provider's own figure wins. */
export function charged(cost: Cost): number {
  return cost.reported ?? cost.table;
}
