// Building blocks of prices: named rates in micro-USD, tiers, reported costs, audio by the hour,
// and native options. A caller may send any JSON as an option; an unreadable value is priced as the
// most expensive one that the vendor documents. The rates themselves are in the vendors' folders.
import type { ProviderId } from '@trivium/contract';

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
 * The rate of the tier that an option names. Only `names` are tiers. Any other value, including the
 * name of another rate, costs as much as the most expensive tier.
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

/** Prorated by the second, rounded up to whole micro-USD. */
export function audioCost(seconds: number, ratePerHour: number): number {
  return Math.ceil(Math.round((seconds * ratePerHour * 1000) / secondsPerHour) / 1000);
}

/** What a call cost, in micro-USD. */
export interface Cost {
  /** The price from our table: a whole number, at least 0. */
  table: number;
  /**
   * The cost that the vendor reports, if it does. Not yet checked: it may be negative, infinite or
   * NaN. `checkCost` validates it.
   */
  reported?: number | undefined;
}

/** A figure from the vendor in micro-USD. Undefined if it is absent, NaN if it is not a number. */
export function reportedCost(figure: unknown, microUsdEach: number): number | undefined {
  if (figure === undefined || figure === null) return undefined;
  return typeof figure === 'number' ? figure * microUsdEach : NaN;
}

/** The sum of the reported costs of a call. Undefined unless every answer has one. */
export function sumOfReports(reports: readonly (number | undefined)[]): number | undefined {
  let sum: number | undefined;
  for (const report of reports) {
    if (report === undefined) return undefined;
    sum = (sum ?? 0) + report;
  }
  return sum;
}

/** Returned for an option inside a value that is not an object. */
const unreadable = Symbol('unreadable');

/**
 * The value at a path such as `contents.subpages`, using own properties only. Undefined if it is
 * absent or null, which every vendor treats as absent.
 */
export function valueAt(source: unknown, path: string): unknown {
  let value = source;
  for (const name of namesIn(path)) {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) return unreadable;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value ?? undefined;
}

/** The paths come from the price rules, so there are few of them. */
const knownPaths = new Map<string, readonly string[]>();

function namesIn(path: string): readonly string[] {
  const known = knownPaths.get(path);
  if (known) return known;
  const names = path.split('.');
  knownPaths.set(path, names);
  return names;
}

interface CountBounds {
  /** The vendor's default. */
  absent: number;
  /** The documented bounds. `min` defaults to 1. */
  min?: number;
  max: number;
}

/** A count as the vendor will read it. In a query string it consists of digits. */
export function readCount(value: unknown, { absent, min = 1, max }: CountBounds): number {
  if (value === undefined) return absent;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count)) return max;
  return count < min || count > max ? max : count;
}

/** True if an option enables a feature that costs extra. Only an absent option and false do not. */
export function isOn(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** The known name that the value equals. Undefined for any other value. */
export function readName<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => name === value);
}
