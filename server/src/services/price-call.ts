// The gate between prices and the ledger: what a price rule computes or a vendor reports becomes a
// checked amount here, and nowhere else.
import { GatewayError } from '@trivium/contract';
import type { ProviderId, ValidationIssue } from '@trivium/contract';
import { highestCeiling, lesserOf, toAmount } from '../domain/amount.ts';
import type { Amount } from '../domain/amount.ts';
import { exactMicroUsd, usd } from '../domain/money.ts';
import type { Cost } from '../domain/prices.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';

type Ceiling = Pick<Settings, 'max_request_usd'>;

/** The most that one request may hold or cost on this deployment. */
export function ceilingOf({ max_request_usd }: Ceiling): Amount {
  return toAmount(exactMicroUsd(max_request_usd)) ?? highestCeiling;
}

type Options = Readonly<Record<string, unknown>>;

/** What is to be priced before a provider is called. */
export interface Priced {
  provider: ProviderId;
  /** The caller's native options, which decide about the price as much as the request does. */
  options: Options;
  /** The native options that the price rule reads, by their paths; no other can be to blame. */
  reads: readonly string[];
  /** The price in micro-USD of the same request with other native options. */
  priceWith: (options: Options) => number;
  /** The field of the request to name when no native option is to blame. */
  otherwise?: string;
}

/** The most that a call can cost; a caller who asks for more than the ceiling gets a 400. */
export function maxCostOf(settings: Ceiling, priced: Priced): Amount {
  const { provider, options, reads, priceWith, otherwise = 'provider' } = priced;
  const ceiling = ceilingOf(settings);
  const price = priceWith(options);
  const amount = toAmount(price, ceiling);
  if (amount !== undefined) return amount;
  // Each look prices the whole request again, so options that have no price are not looked at.
  const names = new Set(reads.map((path) => path.split('.')[0] ?? path));
  const isCheaperWithout = (name: string) => {
    const { [name]: _left, ...others } = options;
    return !(priceWith(others) >= price);
  };
  const given = [...names].filter((name) => Object.hasOwn(options, name));
  const blamed = given.filter(isCheaperWithout);
  const paths = blamed.map((name) => `provider_options.${provider}.${name}`);
  throw aboveCeiling(price, ceiling, paths.length > 0 ? paths : [otherwise]);
}

/** The most that several calls of one request can cost together. */
export function maxCostOfAll(settings: Ceiling, parts: readonly Amount[], path: string): Amount {
  const ceiling = ceilingOf(settings);
  const sum = parts.reduce<number>((total, part) => total + part, 0);
  const amount = toAmount(sum, ceiling);
  if (amount === undefined) throw aboveCeiling(sum, ceiling, [path]);
  return amount;
}

function aboveCeiling(price: number, ceiling: Amount, paths: readonly string[]): GatewayError {
  const cost = Number.isFinite(price) ? `${usd(price)} USD` : 'more than can be said';
  const message =
    `The request may cost ${cost}, and one request may cost at most ${usd(ceiling)} USD here. ` +
    'Ask for less, or have the operator raise TRIVIUM_MAX_REQUEST_USD.';
  const issues: ValidationIssue[] = paths.map((path) => ({ path, code: 'too_expensive', message }));
  const told = paths.map((path) => `${path}: ${message}`).join(' ');
  return new GatewayError('invalid_request', `The request is not valid. ${told}`, { issues });
}

/** What a call cost, ready to be settled. */
export interface CheckedCost {
  amount: Amount;
  /** Set where the vendor itself reported the amount, which may then exceed the hold. */
  reported?: Amount;
}

/**
 * A sane report is taken as it is, also above the hold. Any other report is no price: the price of
 * our table is taken, which never exceeds what was held for the call, and the report is logged.
 */
export function checkCost(
  { log, settings }: { log: Log; settings: Ceiling },
  provider: ProviderId,
  { table, reported }: Cost,
  maxCost: Amount,
): CheckedCost {
  const ceiling = ceilingOf(settings);
  // Before it is rounded: the least figure below zero would become zero, and free.
  const isNotNegative = reported !== undefined && reported >= 0;
  const report = isNotNegative ? toAmount(roundedUp(reported), ceiling) : undefined;
  if (report !== undefined) return { amount: report, reported: report };
  if (reported !== undefined) {
    log.warn(
      { provider, reported_micro_usd: String(reported), table_micro_usd: table },
      'the provider reported a price that cannot be one; the table price is charged',
    );
  }
  return { amount: lesserOf(toAmount(table, ceiling) ?? maxCost, maxCost) };
}

/** A fraction of a micro-USD is charged as a whole one; the noise of a double is not. */
function roundedUp(figure: number): number {
  return Math.ceil(Math.round(figure * 1000) / 1000);
}

/** Several calls as one: where only some report, our own figures stand for the others. */
export function sumOfCosts(settings: Ceiling, costs: readonly CheckedCost[]): CheckedCost {
  const ceiling = ceilingOf(settings);
  const sum = costs.reduce<number>((total, { amount }) => total + amount, 0);
  const amount = toAmount(sum, ceiling) ?? ceiling;
  return costs.some(({ reported }) => reported !== undefined)
    ? { amount, reported: amount }
    : { amount };
}
