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

type RuleCall<Call, Rate extends string, Option extends string> = Omit<Call, 'rates' | 'sent'> & {
  rates: Readonly<Record<Rate, number>>;
  requests: readonly Read<Option>[];
};

function rulesFor<Call extends PricedCall>() {
  return <const Rate extends string, const Option extends string>({
    rates: listed,
    notes,
    reads,
    cost,
  }: {
    rates: Readonly<Record<Rate, number>>;
    notes?: Readonly<Partial<Record<Rate, string>>>;
    reads: readonly Option[];
    cost: (call: RuleCall<Call, Rate, Option>) => Cost;
  }): PriceRule<Call> => ({
    rates: listed,
    ...(notes ? { notes: notes as Readonly<Record<string, string>> } : {}),
    reads,
    cost: (call) => {
      // Usually the list itself. An operator's rates are complete too, but those in a test may not
      // be.
      const rates = call.rates === listed ? listed : { ...listed, ...call.rates };
      return cost({ ...call, rates, requests: call.sent.map(readerOf) });
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

/** Options are merged into the body if there is one, and otherwise into the query. */
function readerOf({ body, query }: WireRequest): Read<string> {
  return (option) => valueAt(body ?? query, option);
}
