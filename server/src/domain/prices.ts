// What prices are made of: named rates in micro-USD, and how a tier, a report and a length of audio
// become an amount. The rates themselves stand with the vendor's product.
import type { ProviderId } from '@trivium/contract';
import { readName } from './native-values.ts';

/** Named rates of one product, in micro-USD. */
export type Rates = Readonly<Record<string, number>>;

export const product_names = ['search', 'extract', 'transcribe'] as const;
export type ProductName = (typeof product_names)[number];

export type ProviderRates = Partial<Record<ProductName, Rates>>;

export type PriceTable = Readonly<Partial<Record<ProviderId, ProviderRates>>>;

/** The dearest of some rates. */
export function dearest<Name extends string>(
  rates: Readonly<Record<Name, number>>,
  names: readonly Name[],
): number {
  return Math.max(...names.map((name) => rates[name]));
}

/**
 * The rate of the tier that an option names. Only `names` are tiers, so that no other rate of the
 * product can be had by its name; anything else costs as much as the dearest tier.
 */
export function tierRate<Name extends string>(
  rates: Readonly<Record<Name, number>>,
  names: readonly Name[],
  { given, absent }: { given: unknown; absent: NoInfer<Name> },
): number {
  if (given === undefined) return rates[absent];
  const name = readName(given, names);
  return name === undefined ? dearest(rates, names) : rates[name];
}

/**
 * The hourly rate of a model: its own, or that of the family it belongs to. A model that no family
 * knows costs as much as the dearest.
 */
export function hourlyRate<Model extends string>(
  rates: Readonly<Record<Model, number>>,
  models: readonly Model[],
  model: string,
): number {
  const [family] = models
    .filter(
      (name) => model === name || model.startsWith(`${name}-`) || model.startsWith(`${name}_`),
    )
    .toSorted((one, other) => other.length - one.length);
  return family === undefined ? dearest(rates, models) : rates[family];
}

const seconds_per_hour = 3600;

/** Pro-rated to the second; a fraction of a micro-USD is rounded up. */
export function audioCost(seconds: number, hourly_rate: number): number {
  return Math.ceil(Math.round((seconds * hourly_rate * 1000) / seconds_per_hour) / 1000);
}

/** What a call cost, in micro-USD. */
export interface Cost {
  /** By our table: always a whole number of 0 or more. */
  table: number;
  /**
   * As the vendor itself reports it, where it does. Nothing is checked: it may be negative,
   * infinite or NaN, and is a price only once it has been judged.
   */
  reported?: number | undefined;
}

/**
 * A vendor's own figure in micro-USD: undefined where it gives none, NaN where it is not a number.
 */
export function reportedCost(figure: unknown, micro_usd_each: number): number | undefined {
  if (figure === undefined || figure === null) return undefined;
  return typeof figure === 'number' ? figure * micro_usd_each : NaN;
}

/** The sum of a call's reports; undefined unless there is one for each answer. */
export function sumOfReports(reports: readonly (number | undefined)[]): number | undefined {
  let sum: number | undefined;
  for (const report of reports) {
    if (report === undefined) return undefined;
    sum = (sum ?? 0) + report;
  }
  return sum;
}
