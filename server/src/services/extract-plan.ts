// What an extraction will ask of its provider, before anything is sent: its calls and their price.
import type { ExtractEngineId, ExtractRequest, Warning } from '@trivium/contract';
import type { Amount } from '../domain/amount.ts';
import { extractAsks } from '../domain/negotiation/asks.ts';
import type { ExtractAsk } from '../domain/negotiation/asks.ts';
import { negotiate } from '../domain/negotiation/negotiate.ts';
import type { Rates } from '../domain/prices.ts';
import type { ReadAnswer } from '../domain/readable-items.ts';
import type { ExtractProduct, PageOutcome, WireRequest } from '../providers/provider.ts';
import type { Chosen } from './choose-provider.ts';
import type { House } from './house.ts';
import { pageAddresses } from './page-addresses.ts';
import type { PageAddresses } from './page-addresses.ts';
import { maxCostOf, maxCostOfAll } from './price-call.ts';
import { refuseOptions } from './refuse.ts';
import { withOptions } from './search-one.ts';

export interface ExtractPlan {
  chosen: Chosen;
  product: ExtractProduct;
  ask: ExtractAsk;
  warnings: Warning[];
  /** The caller's native options, merged into every request of a call. */
  options: Record<string, unknown>;
  calls: ExtractCall[];
  addresses: PageAddresses;
  rates: Rates;
  /** The most it can cost. */
  maxCost: Amount;
  now: Date;
}

export interface ExtractCall {
  urls: string[];
  sent: WireRequest[];
  /** What the one answer to it was read as. */
  read?: ReadAnswer<PageOutcome[]>;
  maxCost: Amount;
}

/** How many calls to a one-page vendor run side by side. */
export const max_side_by_side = 5;

export function planExtract(house: House, chosen: Chosen, request: ExtractRequest): ExtractPlan {
  const product = chosen.provider.extract;
  if (!product) throw new Error(`${chosen.provider.id} has no extraction product`);
  const now = house.clock.now();
  const { granted, warnings } = negotiate(product.supports, extractAsks(request), now);
  const ask = granted as unknown as ExtractAsk;
  const options = request.provider_options?.[chosen.provider.id as ExtractEngineId] ?? {};
  refuseOptions(chosen.provider.id, product.refused_options, options);
  const rates = house.prices[chosen.provider.id]?.extract ?? {};
  const keyless = chosen.upstream.key === undefined;
  const addresses = pageAddresses(request.urls, product.maxUrlLength);
  const calls = chunksOf(addresses.sent, product.batch).map((urls): ExtractCall => {
    const wires = product.toRequests({ urls, ask, now });
    const sentWith = (given: typeof options) => wires.map((wire) => withOptions(wire, given));
    const call = { bodies: [], delivered: urls.length, keyless, rates, ask };
    const maxCost = maxCostOf(house.settings, {
      provider: chosen.provider.id,
      options,
      reads: product.price.reads,
      priceWith: (given) => product.price.cost({ ...call, sent: sentWith(given) }).table,
    });
    return { urls, sent: sentWith(options), maxCost };
  });
  const costs = calls.map((call) => call.maxCost);
  const maxCost = maxCostOfAll(house.settings, costs, 'urls');
  return { chosen, product, ask, warnings, options, calls, addresses, rates, maxCost, now };
}

/** How many times the page timeout the whole can take: calls queue, and each may ask twice. */
export function roundsOf({ calls }: ExtractPlan): number {
  return Math.ceil(calls.length / max_side_by_side) * 2;
}

function chunksOf<T>(list: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < list.length; at += size) chunks.push(list.slice(at, at + size));
  return chunks;
}
