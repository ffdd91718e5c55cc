// What an extraction will ask of its provider, before anything is sent: its calls and their price.
import type { ExtractEngineId, ExtractRequest, Warning } from '@trivium/contract';
import { assertAmount } from '../domain/amount.ts';
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
import { maxCostOf } from './price-call.ts';
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
  const chunks = chunksOf(addresses.sent, product.batch).map((urls) => ({
    urls,
    wires: product.toRequests({ urls, ask, now }),
  }));
  const priceWith = ({ urls, wires }: (typeof chunks)[number], given: typeof options) => {
    const sent = wires.map((wire) => withOptions(wire, given));
    return product.price.cost({ sent, bodies: [], delivered: urls.length, keyless, rates, ask })
      .table;
  };
  const maxCost = maxCostOf(house.settings, {
    provider: chosen.provider.id,
    options,
    reads: product.price.reads,
    priceWith: (given) => chunks.reduce((sum, chunk) => sum + priceWith(chunk, given), 0),
    otherwise: 'urls',
  });
  const calls = chunks.map((chunk): ExtractCall => ({
    urls: chunk.urls,
    sent: chunk.wires.map((wire) => withOptions(wire, options)),
    maxCost: assertAmount(priceWith(chunk, options), 'the price of a call'),
  }));
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
