// Building blocks of prices; the rates are in the vendors' folders. A caller may send any JSON as
// an option: an unreadable value is priced as the most expensive one that the vendor documents.
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

/** The rate of a tier. A value that is not in `names` costs as much as the most expensive tier. */
export function tierRate<Name extends string>(
  rates: Readonly<Record<Name, number>>,
  names: readonly Name[],
  { given, absent }: { given: unknown; absent: NoInfer<Name> },
): number {
  if (given === undefined) return rates[absent];
  const name = readName(given, names);
  return name === undefined ? highestRate(rates, names) : rates[name];
}

/** Of a model, or of its family. An unknown model costs as much as the most expensive one. */
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
  /** What the vendor reports, unchecked: it may be negative, infinite or NaN. See `checkCost`. */
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

/** At a path such as `contents.subpages`, own properties only. Null counts as absent. */
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

interface Overridden {
  prices: PriceTable;
  /** Every fault with its path. The prices are valid only if there are none. */
  faults: string[];
}

const maxRateUsd = 1000;

/** `given` contains rates in US dollars by provider, product and rate, like the list. */
export function overridePrices(list: PriceTable, given: unknown): Overridden {
  const faults: string[] = [];
  const prices: Record<string, ProviderRates> = { ...list };
  for (const [provider, products] of entriesOf(given, 'the file', faults)) {
    const listed: ProviderRates | undefined = prices[provider];
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
  return { prices, faults };
}

function overrideRates(known: Rates, figures: unknown, place: string, faults: string[]): Rates {
  const rates: Record<string, number> = { ...known };
  for (const [name, usd] of entriesOf(figures, place, faults)) {
    const rate = `${place}.${name}`;
    if (!(name in known)) faults.push(`${rate} is not a rate (${names(known)}).`);
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
