// The rates of the vendors' products, and how an operator overrides them.
import type { ProviderId } from '@trivium/contract';

/** Named rates of one product, in micro-USD. */
export type Rates = Readonly<Record<string, number>>;

export const productNames = ['search', 'extract', 'transcribe'] as const;
export type ProductName = (typeof productNames)[number];

export type ProviderRates = Partial<Record<ProductName, Rates>>;

export type PriceTable = Readonly<Partial<Record<ProviderId, ProviderRates>>>;

/** What a call cost, in micro-USD. */
export interface Cost {
  /** The price from our table: a whole number, at least 0. */
  table: number;
  /** What the vendor reports, unchecked: it may be negative, infinite or NaN. See `checkCost`. */
  reported?: number | undefined;
}

const maxRateUsd = 1000;

/**
 * `given` contains rates in US dollars by provider, product and rate, like the list. Every fault has
 * its path. The prices are valid only if there are none.
 */
export function overridePrices(list: PriceTable, given: unknown) {
  const faults: string[] = [];
  const prices: Record<string, ProviderRates> = { ...list };
  for (const [provider, products] of entriesOf(given, 'the file', faults)) {
    const listed = Object.hasOwn(prices, provider) ? prices[provider] : undefined;
    if (!listed) {
      faults.push(`${provider} is not a provider with prices (${names(list)}).`);
      continue;
    }
    const rates: ProviderRates = { ...listed };
    for (const [name, figures] of entriesOf(products, provider, faults)) {
      const product = productNames.find((one) => one === name);
      const known = product && listed[product];
      if (!product || !known) {
        faults.push(`${provider}.${name} is not a product with prices (${names(listed)}).`);
        continue;
      }
      rates[product] = overrideRates(known, figures, `${provider}.${name}`, faults);
    }
    prices[provider] = rates;
  }
  return { prices: prices as PriceTable, faults };
}

function overrideRates(known: Rates, figures: unknown, place: string, faults: string[]): Rates {
  const rates: Record<string, number> = { ...known };
  for (const [name, usd] of entriesOf(figures, place, faults)) {
    const rate = `${place}.${name}`;
    if (!Object.hasOwn(known, name)) faults.push(`${rate} is not a rate (${names(known)}).`);
    else if (!isExact(usd)) faults.push(`${rate} must be USD, exact to 0.000001.`);
    else if (usd < 0) faults.push(`${rate} must not be negative.`);
    else if (usd > maxRateUsd) faults.push(`${rate} must be at most ${maxRateUsd} USD.`);
    else rates[name] = Math.round(usd * 1e6);
  }
  return rates;
}

function isExact(usd: unknown): usd is number {
  if (typeof usd !== 'number' || !Number.isFinite(usd)) return false;
  // A number with at most six decimal places survives the conversion to text and back.
  return Number(usd.toFixed(6)) === usd;
}

function entriesOf(value: unknown, place: string, faults: string[]): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value);
  }
  faults.push(`${place} must be an object.`);
  return [];
}

function names(table: object): string {
  return Object.keys(table).join(', ');
}
