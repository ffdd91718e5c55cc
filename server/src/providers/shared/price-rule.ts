// The price of a product: its vendor's rates, and a rule that applies them to requests as they are
// sent. A rule can read only the native options that it lists, so the list cannot be incomplete.
import { type Cost, type Rates, valueAt } from '../../billing/core/index.ts';
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
    reported?: (call: RuleCall<Call, Rate>, read: Read<Option>) => number | undefined;
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
      const [first = () => undefined] = requests;
      return {
        table: sumOver(requests, (read, at) => each(given, read, at)),
        reported: reported?.(given, first),
      };
    },
  });
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
function readerOf({ body, query }: WireRequest): Read<string> {
  return (option) => valueAt(body ?? query, option);
}
