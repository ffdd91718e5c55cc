// POST /v1/search: one engine or a fusion panel. The answer names the engine, the warnings and the
// cost.
import type { ProviderId, SearchEngineId, SearchRequest, Warning } from '@trivium/contract';
import { zeroAmount } from '../billing/core/index.ts';
import {
  charge,
  type RequestContext,
  type Served,
  serveFree,
  type Work,
} from '../billing/index.ts';
import { type CacheUse, cacheUseOf } from '../cache/index.ts';
import {
  autoOrder,
  chooseProvider,
  prepareChosen,
  providerError,
  type ReadyProvider,
  strictRefusal,
  type ToolContext,
} from '../upstream/index.ts';
import { cachedSearch, throughCache } from './cached-search.ts';
import type { CachedSearch } from './cached-search.ts';
import { choosePanel } from './panel.ts';
import { explainHeader, explainFusion } from './explain.ts';
import { performFusion, planFusion } from './fusion.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { SearchContext } from './context.ts';
import { callsMs, timeForSearch, timeWithWait } from '../platform/time-limits.ts';
import { capAll, performUncapped, planSearch, searchBounds } from './search-engine.ts';
import { fusedText, resultId, resultText, writeResponse } from './write-answer.ts';
import { panelError } from './fusion.ts';

interface SearchWishes {
  /** Whether the caller wants the ranks of a fusion in a header. */
  explain?: boolean;
  /** Whether the answer includes the vendor's answer apart from its results. */
  vendorFields?: boolean;
}

export function search(
  context: SearchContext,
  request: SearchRequest,
  requestContext: RequestContext,
  options: SearchWishes = {},
): Promise<Served> {
  const use = cacheUseOf(context, requestContext);
  const call = {
    request,
    requestContext,
    options,
    order: orderFor(context, request, requestContext),
  };
  if (use) return searchCached(context, call, use);
  return charge(context, requestContext, prepare(context, call));
}

/** One search request, and the order of `auto` for it. */
interface SearchCall {
  request: SearchRequest;
  requestContext: RequestContext;
  options: SearchWishes;
  order: readonly ProviderId[];
}

/** Decided once, because it may depend on chance. */
function orderFor(
  context: ToolContext,
  request: SearchRequest,
  { caller: { policy } }: RequestContext,
): readonly ProviderId[] {
  if (request.provider !== 'auto') return [];
  return autoOrder(context, 'search', context.settings.auto_search, policy, (chosen) =>
    priceOfSearch(context, chosen, request, policy),
  );
}

/** Throws if the engine cannot serve the request. */
export function priceOfSearch(
  context: ToolContext,
  chosen: ReadyProvider,
  request: SearchRequest,
  policy?: RequestPolicy,
): number {
  const plan = planSearch(context, chosen, request, policy);
  if (request.strict) strictRefusal(chosen.provider.id, plan.negotiated.warnings);
  return plan.maxCost;
}

/** No money is held for an answer that is in the cache. */
async function searchCached(
  context: SearchContext,
  call: SearchCall,
  use: CacheUse,
): Promise<Served> {
  const { request, requestContext, options } = call;
  const cached = cachedSearch(
    use,
    request,
    options.vendorFields === true && request.provider !== 'fusion',
  );
  const ids = firstEngines(context, call).map(cached.idOf);
  await use.look(ids);
  const known = recallAnswer(cached, ids, requestContext, context.settings.provider_queue_ms);
  if (known) return serveFree(context, requestContext, known);
  const work = prepare(context, call, cached);
  const isKnown = ids.every(use.knows);
  return (isKnown ? serveFree : charge)(context, requestContext, {
    ...work,
    time: timeWithWait(work.time),
    perform: async () => {
      const done = await work.perform();
      const { headers, fromCache } = use.report();
      return { ...done, headers: { ...done.headers, ...headers }, fromCache };
    },
  });
}

/** An answer on one engine, without its id, its usage and its duration. */
interface KnownAnswer {
  provider: SearchEngineId;
  results: string[];
  warnings: Warning[];
  vendor: object | undefined;
}

/** A search that was answered before, and whose answer is in memory as it was written. */
function recallAnswer(
  { use }: CachedSearch,
  ids: readonly string[],
  { request_id }: RequestContext,
  queueMs: number,
): Work | undefined {
  const [id = ''] = ids;
  const known = ids.length === 1 ? (use.recall(id) as KnownAnswer | undefined) : undefined;
  if (!known) return undefined;
  const { provider, results, warnings } = known;
  return {
    provider,
    calls: [provider],
    maxCost: zeroAmount,
    time: timeForSearch(queueMs),
    perform: async () => {
      await use.fill(ids, () => Promise.resolve(new Map()), 0);
      return {
        cost: { amount: zeroAmount },
        warnings,
        delivered: results.length,
        pieces: results,
        write: writeResponse({ request_id, ...known }),
        ...use.report(),
      };
    },
  };
}

/** The engines that are called unless one of them fails. */
function firstEngines(
  { providers }: Pick<SearchContext, 'providers'>,
  { request: { provider, provider_options }, requestContext, order }: SearchCall,
): SearchEngineId[] {
  const { policy, account_id } = requestContext.caller;
  const chosen =
    provider === 'fusion'
      ? choosePanel(providers, provider_options?.fusion?.providers, policy).members
      : [chooseProvider(providers, 'search', provider, order, account_id)];
  return chosen.map((one) => one.provider.id as SearchEngineId);
}

/** What a search will call and may cost; no provider is called. */
export function prepareSearch(
  context: SearchContext,
  request: SearchRequest,
  requestContext: RequestContext,
): Work {
  const order = orderFor(context, request, requestContext);
  return prepare(context, { request, requestContext, options: {}, order });
}

function prepare(context: SearchContext, call: SearchCall, cached?: CachedSearch): Work {
  const { request, requestContext, options, order } = call;
  if (request.provider === 'fusion') {
    return prepareFusion(context, request, requestContext, options, cached);
  }
  return prepareChosen(context, 'search', request.provider, order, requestContext, (chosen) =>
    prepareOne(context, request, chosen, requestContext, options, cached),
  );
}

function prepareOne(
  context: ToolContext,
  request: SearchRequest,
  chosen: ReadyProvider,
  { signal, room, request_id, seen, caller: { policy, account_id } }: RequestContext,
  { vendorFields = false }: SearchWishes,
  cached: CachedSearch | undefined,
): Work {
  const id = chosen.provider.id as SearchEngineId;
  const isKnown = cached?.use.knows(cached.idOf(id));
  const plan = planSearch(context, chosen, request, policy, isKnown);
  if (request.strict) strictRefusal(id, plan.negotiated.warnings);
  const time = timeForSearch(context.settings.provider_queue_ms);
  return {
    provider: id,
    calls: [id],
    maxCost: plan.maxCost,
    time,
    perform: async () => {
      const budget = {
        account_id,
        timeout_ms: time.vendorMs,
        ...searchBounds,
        attempts: seen.attempts,
        ...(room ? { room } : {}),
        ...(signal ? { signal } : {}),
      };
      const outcome = await throughCache(cached, plan, callsMs(time), () =>
        performUncapped(context, plan, budget),
      );
      if (!outcome.ok) throw providerError(id, outcome.refusal);
      const { warnings, cost } = outcome;
      const results = capAll(plan, outcome.found).map((found, index) =>
        resultText(found, index + 1),
      );
      const vendor = vendorFields ? besideResults(outcome.body, plan.product.raw_at) : undefined;
      const answer: KnownAnswer = { provider: id, results, warnings, vendor };
      cached?.use.remember(cached.idOf(id), answer);
      return {
        cost,
        warnings,
        delivered: results.length,
        pieces: results,
        write: writeResponse({ request_id, ...answer }),
      };
    },
  };
}

/** The vendor's answer apart from its results. */
function besideResults(body: unknown, places: readonly (readonly string[])[]): object {
  if (typeof body !== 'object' || body === null) return {};
  const results = places.map(([first]) => first);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !results.includes(name)));
}

function prepareFusion(
  context: SearchContext,
  request: SearchRequest,
  { signal, room, request_id, seen, caller: { policy, account_id } }: RequestContext,
  options: SearchWishes,
  cached: CachedSearch | undefined,
): Work {
  const plan = planFusion(context, request, policy, cached);
  return {
    provider: 'fusion',
    calls: plan.members.map(({ chosen }) => chosen.provider.id),
    maxCost: plan.maxCost,
    time: plan.time,
    perform: async () => {
      const outcome = await performFusion(
        context,
        plan,
        { account_id, attempts: seen.attempts, signal, room },
        cached,
      );
      if (!outcome.ok) throw panelError(outcome.failed);
      const { fusion, fewPages, warnings, cost, parts } = outcome;
      const results = fusion.results.map(fusedText);
      const write = writeResponse({ request_id, provider: 'fusion', results, warnings });
      const delivered = results.length;
      const done = { cost, parts, warnings, delivered, pieces: results, write };
      if (!options.explain) return done;
      const explanation = explainFusion(fusion, ({ key }) => resultId(key), fewPages);
      return { ...done, headers: { [explainHeader]: explanation } };
    },
  };
}
