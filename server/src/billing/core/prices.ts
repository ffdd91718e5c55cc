// Building blocks of prices: named rates in micro-USD, tiers, reported costs and audio by the hour.
// The rates themselves are in the vendor's folder.
import type { ProviderId } from '@trivium/contract';
import { readName } from './native-values.ts';

/** Named rates of one product, in micro-USD. */
export type Rates = Readonly<Record<string, number>>;

export const productNames = ['search', 'extract', 'transcribe'] as const;
export type ProductName = (typeof productNames)[number];

export type ProviderRates = Partial<Record<ProductName, Rates>>;

export type PriceTable = Readonly<Partial<Record<ProviderId, ProviderRates>>>;

export function highestRate<Name extends string>(
  rates: Readonly<Record<Name, number>>,
  names: readonly Name[],
): number {
  return Math.max(...names.map((name) => rates[name]));
}

/**
 * The rate of the tier that an option names. Only `names` are tiers: any other value, also the name
 * of another rate, costs as much as the most expensive tier.
 */
export function tierRate<Name extends string>(
  rates: Readonly<Record<Name, number>>,
  names: readonly Name[],
  { given, absent }: { given: unknown; absent: NoInfer<Name> },
): number {
  if (given === undefined) return rates[absent];
  const name = readName(given, names);
  return name === undefined ? highestRate(rates, names) : rates[name];
}

/**
 * The hourly rate of a model, or of its family. An unknown model costs as much as the most
 * expensive one.
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
  return family === undefined ? highestRate(rates, models) : rates[family];
}

const secondsPerHour = 3600;

/** Pro rata by the second, rounded up to whole micro-USD. */
export function audioCost(seconds: number, ratePerHour: number): number {
  return Math.ceil(Math.round((seconds * ratePerHour * 1000) / secondsPerHour) / 1000);
}

/** What a call cost, in micro-USD. */
export interface Cost {
  /** The price of our table: a whole number of 0 or more. */
  table: number;
  /**
   * As the vendor reports it, if it does. It is not checked yet: it may be negative, infinite or
   * NaN. `checkCost` validates it.
   */
  reported?: number | undefined;
}

/**
 * A vendor's figure in micro-USD: undefined when it is absent, NaN when it is not a number.
 */
export function reportedCost(figure: unknown, microUsdEach: number): number | undefined {
  if (figure === undefined || figure === null) return undefined;
  return typeof figure === 'number' ? figure * microUsdEach : NaN;
}

/** The sum of the reports of a call; undefined unless every answer has one. */
export function sumOfReports(reports: readonly (number | undefined)[]): number | undefined {
  let sum: number | undefined;
  for (const report of reports) {
    if (report === undefined) return undefined;
    sum = (sum ?? 0) + report;
  }
  return sum;
}
