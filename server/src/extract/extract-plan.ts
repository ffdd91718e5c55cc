// Plans an extraction before anything is sent: its calls and their maximum price.
import type { ExtractEngineId, ExtractRequest, Warning } from '@trivium/contract';
import { type Amount, assertAmount, type Rates } from '../billing/core/index.ts';
import { extractAsk, type ExtractAsk, extractAsks, negotiate } from '../negotiation/index.ts';
import type { ExtractProduct, PageOutcome, ReadAnswer, WireRequest } from '../providers/index.ts';
import {
  type PlanContext,
  type ReadyProvider,
  refuseOptions,
  withOptions,
  yieldToOptions,
} from '../upstream/index.ts';
import { pageAddresses } from './page-addresses.ts';
import type { PageAddresses } from './page-addresses.ts';
import { type CallPlan, maxCostOf, policyCeiling } from '../billing/index.ts';
import { timeForExtract } from '../platform/time-limits.ts';
import type { AllowsPage, RequestPolicy } from '../policy/core/index.ts';

/** An extraction with one provider. */
export interface ExtractPlan extends CallPlan {
  chosen: ReadyProvider;
  product: ExtractProduct;
  ask: ExtractAsk;
  warnings: Warning[];
  /** The caller's native options, merged into every request of a call. */
  options: Record<string, unknown>;
  requests: ExtractCall[];
  addresses: PageAddresses;
  rates: Rates;
  now: Date;
  /** The caller's policy. Absent if every page is allowed. */
  allowsPage?: AllowsPage;
}

export interface ExtractCall {
  urls: string[];
  sent: WireRequest[];
  /** How its one answer was read. */
  read?: ReadAnswer<PageOutcome[]>;
  maxCost: Amount;
}

export function planExtract(
  context: PlanContext,
  chosen: ReadyProvider,
  request: ExtractRequest,
  policy?: RequestPolicy,
  isKnown: (provider: string, url: string) => boolean = () => false,
  /** True if the options say what the parameters say. */
  isDerived = false,
): ExtractPlan {
  const product = chosen.provider.extract;
  if (!product) throw new Error(`${chosen.provider.id} has no extraction product`);
  const now = context.clock.now();
  const asks = extractAsks(request);
  const asked = negotiate(product.supports, asks, now);
  const ask = extractAsk(asked.granted);
  const given = request.provider_options?.[chosen.provider.id as ExtractEngineId];
  const options = given ?? {};
  refuseOptions(chosen.provider.id, product.refused_options, options);
  const urls = request.urls.slice(0, 1);
  const { granted, warnings } = given
    ? yieldToOptions(asked, {
        provider: chosen.provider.id,
        supports: product.supports,
        asks,
        now,
        defaults: { 'content.full_text': true },
        options,
        isDerived,
        toRequests: (other) => product.toRequests({ urls, ask: extractAsk(other), now }),
      })
    : asked;
  const rates = context.prices[chosen.provider.id]?.extract ?? {};
  const keyless = chosen.upstream.key === undefined;
  const allowsPage = policy?.allowsPage;
  const addresses = pageAddresses(request.urls, product.maxUrlLength, allowsPage);
  const sent = addresses.sent.filter((url) => !isKnown(chosen.provider.id, url));
  const chunks = chunksOf(sent, product.batch).map((urls) => ({
    urls,
    wires: product.toRequests({ urls, ask, now }),
  }));
  const priceWith = ({ urls, wires }: (typeof chunks)[number], given: typeof options) => {
    const requests = wires.map((wire) => withOptions(wire, given));
    return product.price.cost({
      sent: requests,
      bodies: [],
      delivered: urls.length,
      keyless,
      rates,
      ask,
    }).table;
  };
  const priceAll = (given: typeof options) =>
    chunks.reduce((sum, chunk) => sum + priceWith(chunk, given), 0);
  const maxCost = maxCostOf(policyCeiling(context.settings, policy), {
    provider: chosen.provider.id,
    options,
    reads: product.price.reads,
    price: priceAll(options),
    priceWith: priceAll,
    otherwise: 'urls',
  });
  const requests = chunks.map((chunk): ExtractCall => ({
    urls: chunk.urls,
    sent: chunk.wires.map((wire) => withOptions(wire, options)),
    maxCost: assertAmount(priceWith(chunk, options), 'the price of a call'),
  }));
  const { provider_queue_ms: queueMs } = context.settings;
  return {
    provider: chosen.provider.id,
    calls: [chosen.provider.id],
    time: timeForExtract(queueMs, request.timeout_ms, requests.length),
    chosen,
    product,
    ask: extractAsk(granted),
    warnings,
    options,
    requests,
    addresses,
    rates,
    maxCost,
    now,
    ...(allowsPage ? { allowsPage } : {}),
  };
}

function chunksOf<T>(list: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < list.length; at += size) chunks.push(list.slice(at, at + size));
  return chunks;
}
