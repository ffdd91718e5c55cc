// Plans an extraction before anything is sent: its calls and their maximum price, how each URL is
// spelled when it is sent, and which are not sent at all.
import {
  type ExtractEngineId,
  type ExtractRequest,
  GatewayError,
  isPrivatePageHost,
  maxUrlLength,
  normalizeUrl,
  type Warning,
} from '@trivium/contract';
import { type Amount, assertAmount, type Rates } from '../billing/core/index.ts';
import { extractAsk, type ExtractAsk, extractAsks, negotiate } from '../negotiation/index.ts';
import type { ExtractProduct, PageOutcome, ReadAnswer, WireRequest } from '../providers/index.ts';
import {
  type ReadyProvider,
  refuseOptions,
  type UpstreamContext,
  withOptions,
  yieldToOptions,
} from '../upstream/index.ts';
import { type CallPlan, maxCostOf, policyCeiling } from '../billing/index.ts';
import { pageNotAllowed } from '../requests/index.ts';
import { timeForExtract } from '../platform/time-limits.ts';
import type { Settings } from '../settings/index.ts';
import type { AllowsPage, RequestPolicy } from '../policy/core/index.ts';

/** An extraction with one provider. */
export interface ExtractPlan extends CallPlan {
  chosen: ReadyProvider;
  product: ExtractProduct;
  ask: ExtractAsk;
  warnings: Warning[];
  /** The caller's native options, merged into every request of a call. */
  options: Record<string, unknown>;
  /** The calls for all pages that are not in the cache. */
  requests: ExtractCall[];
  /** The calls for some of those pages. */
  callsFor: (urls: readonly string[]) => ExtractCall[];
  addresses: ReturnType<typeof pageAddresses>;
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

const elsewhere = 'name the pages in urls of the request instead';
/** The answer must belong to the pages of the request, because those are paid for. */
const pageTargets = { urls: elsewhere, url: elsewhere, ids: elsewhere };

export function planExtract(
  context: UpstreamContext,
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
  refuseOptions(chosen.provider.id, { ...pageTargets, ...product.refused_options }, options);
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
  const wiresFor = (urls: string[]) => product.toRequests({ urls, ask, now });
  const chunks = chunksOf(sent, product.batch).map((urls) => ({ urls, wires: wiresFor(urls) }));
  type Chunk = (typeof chunks)[number];
  const priceWith = ({ urls, wires }: Chunk, given: typeof options) => {
    const sent = wires.map((wire) => withOptions(wire, given));
    const { length: delivered } = urls;
    return product.price.cost({ sent, bodies: [], delivered, keyless, rates, ask }).table;
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
  const callOf = (chunk: Chunk): ExtractCall => ({
    urls: chunk.urls,
    sent: chunk.wires.map((wire) => withOptions(wire, options)),
    maxCost: assertAmount(priceWith(chunk, options), 'the price of a call'),
  });
  const requests = chunks.map(callOf);
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
    callsFor: (some) =>
      chunksOf(some, product.batch).map((urls) => callOf({ urls, wires: wiresFor(urls) })),
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

function pageAddresses(
  urls: readonly string[],
  longest = maxUrlLength,
  allowsPage: AllowsPage = () => true,
) {
  /** How each requested URL is sent: as a browser would spell it. */
  const spelled = new Map(urls.map((url) => [url, normalizeUrl(url)]));
  const distinct = [...new Set(spelled.values())];
  const tooLong = `the provider accepts no address longer than ${longest} characters`;
  /** Why a URL is not sent. In a batch, the provider would refuse the others along with it. */
  const unsent = new Map<string, string>();
  for (const url of distinct) {
    if (!allowsPage(url)) unsent.set(url, pageNotAllowed);
    else if (url.length > longest) unsent.set(url, tooLong);
  }
  return { spelled, unsent, sent: distinct.filter((url) => !unsent.has(url)) };
}

/**
 * Prevents callers from reading pages of the operator's network through a provider that runs in it.
 * Applies only if the operator set the provider's URL: a vendor's own servers cannot reach this
 * network.
 */
export function refusePrivatePages(
  { allow_private_pages }: Pick<Settings, 'allow_private_pages'>,
  { provider, upstream }: ReadyProvider,
  urls: readonly string[],
): void {
  if (!upstream.overridden || allow_private_pages) return;
  const issues = urls.flatMap((url, at) =>
    isPrivatePageHost(new URL(url).hostname)
      ? [{ path: `urls.${at}`, code: 'private_address', message: 'Must be a public address.' }]
      : [],
  );
  if (issues.length === 0) return;
  throw new GatewayError(
    'invalid_request',
    `${provider.id} runs at an address that the operator set, so pages must be public. The ` +
      'operator can allow others with TRIVIUM_ALLOW_PRIVATE_PAGES=on.',
    { issues },
  );
}
