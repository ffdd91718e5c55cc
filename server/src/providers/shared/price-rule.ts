// The price of a product: its vendor's rates, and a rule that applies them to requests as they are
// sent. A rule can read only the native options that it lists, so the list cannot be incomplete. A
// caller may send any JSON as an option: an unreadable value is priced as the most expensive one that
// the vendor documents.
import { type Cost, microUsdPerUsd, type Rates } from '../../billing/core/index.ts';
import type { ExtractAsk } from '../../negotiation/index.ts';
import type { WireRequest } from './wire-request.ts';

export interface PricedCall {
  sent: readonly WireRequest[];
  /** Parsed answers, one for each request sent. Empty before the call. */
  bodies: readonly unknown[];
  /** The number of delivered results or pages. Before the call, the maximum. */
  delivered: number;
  /** True if called without a credential, which some vendors serve free of charge. */
  keyless: boolean;
  /** The applicable rates: those of the operator, or else the listed ones. */
  rates: Rates;
}

export type PricedExtraction = PricedCall & { ask: ExtractAsk };

export interface PriceRule<Call> {
  /** As listed by the vendor. */
  rates: Rates;
  /** For the documentation: what a rate is for, and where and when it was read. */
  notes?: Readonly<Record<string, string>>;
  /** The native options that affect the price, by their path in the request. */
  reads: readonly string[];
  /** Called without bodies for the maximum cost, and with them for the actual cost. */
  cost: (call: Call) => Cost;
}

/** Reads one request as it is sent: the value of an option that the rule has listed. */
export type Read<Option extends string> = (option: Option) => unknown;

type RuleCall<Call, Rate extends string> = Omit<Call, 'rates' | 'sent' | 'keyless'> & {
  rates: Readonly<Record<Rate, number>>;
  isBefore: boolean;
  /** At most so many of the results or pages that a request asks for are charged. */
  maxCharged: number;
};

/** Where every answer says what it cost: in USD, or in units of a rate. */
interface Report<Rate> {
  at: string;
  rate?: Rate;
  /** How many units the rate is for, if not one. */
  units?: number;
}

function rulesFor<Call extends PricedCall>() {
  return <const Rate extends string, const Option extends string>({
    rates: listed,
    notes,
    reads,
    isFreeWithoutKey = false,
    each,
    reported,
  }: {
    rates: Readonly<Record<Rate, number>>;
    notes?: Readonly<Partial<Record<Rate, string>>>;
    reads: readonly Option[];
    isFreeWithoutKey?: boolean;
    /** The price of one request by the table. */
    each: (call: RuleCall<Call, Rate>, read: Read<Option>, at: number) => number;
    /** What the vendor says that the call cost. */
    reported?:
      | Report<NoInfer<Rate>>
      | ((call: RuleCall<Call, Rate>, read: Read<Option>) => number | undefined);
  }): PriceRule<Call> => ({
    rates: listed,
    ...(notes ? { notes: notes as Readonly<Record<string, string>> } : {}),
    reads,
    cost: (call) => {
      if (isFreeWithoutKey && call.keyless) return { table: 0 };
      // Usually the list itself. An operator's rates are complete too, but those in a test may not
      // be.
      const rates = call.rates === listed ? listed : { ...listed, ...call.rates };
      const isBefore = call.bodies.length === 0;
      const maxCharged = isBefore ? Infinity : call.delivered;
      const given = { ...call, rates, isBefore, maxCharged };
      const requests = call.sent.map(readerOf);
      let table = 0;
      for (let at = 0; at < requests.length; at += 1) {
        table += each(given, requests[at] ?? readNothing, at);
      }
      return {
        table,
        reported:
          typeof reported === 'function'
            ? reported(given, requests[0] ?? readNothing)
            : reported && reportsIn(given.bodies, rates, reported),
      };
    },
  });
}

const readNothing = () => undefined;

function reportsIn<Rate extends string>(
  bodies: readonly unknown[],
  rates: Readonly<Record<Rate, number>>,
  { at, rate, units = 1 }: Report<Rate>,
): number | undefined {
  const each = rate === undefined ? microUsdPerUsd : rates[rate] / units;
  return sumOfReports(bodies.map((body) => reportedCost(valueAt(body, at), each)));
}

export const searchPrice = rulesFor<PricedCall>();
export const extractPrice = rulesFor<PricedExtraction>();

export function sumOver<Item>(
  items: readonly Item[],
  amountOf: (item: Item, at: number) => number,
): number {
  let sum = 0;
  for (let at = 0; at < items.length; at += 1) sum += amountOf(items[at] as Item, at);
  return sum;
}

/** The items of a list in an answer. None if it has no such list. */
export function itemsAt(body: unknown, path: string): readonly unknown[] {
  const items = valueAt(body, path);
  return Array.isArray(items) ? items : [];
}

/** Options are merged into the body if there is one, and otherwise into the query. */
function readerOf(wire: WireRequest): Read<string> {
  return (option) => valueAt(wire.body ?? wire.query, option);
}

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
