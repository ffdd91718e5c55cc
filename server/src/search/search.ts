// POST /v1/search: one engine or a fusion panel. The answer names the engine, the warnings and the
// cost.
import type { SearchEngineId, SearchRequest, Warning } from '@trivium/contract';
import { zeroAmount } from '../billing/core/index.ts';
import type { CallPlan, Done, Tool } from '../billing/index.ts';
import type { RequestContext } from '../requests/index.ts';
import { classOfSearch } from '../quality/core/index.ts';
import { cacheUseOf } from '../cache/index.ts';
import {
  blockedWarnings,
  type ContentContext,
  guardItems,
  type KeepText,
} from '../content/index.ts';
import {
  asksAfterEmpty,
  autoOrder,
  type InTurn,
  joinPlans,
  performInTurn,
  planSubstitutes,
  providerError,
  providersInTurn,
  type ReadyProvider,
  strictRefusal,
  type ToolContext,
} from '../upstream/index.ts';
import { resultId } from '../platform/ids.ts';
import { cachedSearch, readAnswer, throughCache } from './cached-search.ts';
import type { CachedSearch } from './cached-search.ts';
import { choosePanel, type Panel } from './panel.ts';
import { explainHeader, explainFusion } from './explain.ts';
import { panelError, performFusion, planFusion } from './fusion.ts';
import type { FusionPlan } from './fusion.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { SearchContext } from './context.ts';
import { qualityOrder, routingHeader, routingText, withoutTrials } from './quality-order.ts';
import type { QualityOrder } from './quality-order.ts';
import { callsMs, timeForSearch, timeWithWait } from '../platform/time-limits.ts';
import type { TimeLimits } from '../platform/time-limits.ts';
import { capAll, performUncapped, planSearch, searchBounds } from './search-engine.ts';
import type { SearchPlan } from './search-engine.ts';
import { shownOf, shownOfFusion } from './shown.ts';
import { fusedText, type Page, resultText, writeResponse } from './write-answer.ts';

/** What a search will do: give a known answer, call a panel, or engines until one serves. */
interface PlannedSearch extends CallPlan {
  request: SearchRequest;
  /** Undefined if the cache is not used. */
  cached: Found | undefined;
  routing: QualityOrder | undefined;
  answer:
    | { known: KnownAnswer }
    | { panel: FusionPlan }
    | { engines: readonly [SearchPlan, ...SearchPlan[]] };
}

export function makeSearchTool(context: SearchContext): Tool<SearchRequest, PlannedSearch> {
  return {
    plan: (request, requestContext) => {
      const call = callOf(context, request, requestContext);
      const { cache_seconds: seconds, is_estimate: isEstimate } = requestContext;
      return seconds && !isEstimate ? planCached(context, call) : plan(context, call);
    },
    perform: (planned, requestContext) => perform(context, planned, requestContext),
    ended: ({ request, routing }, requestContext, done) => {
      if (done && !done.fromCache) {
        const { account_id } = requestContext.caller;
        if (routing) context.routingEvidence?.noteUse(account_id, classOfSearch(request));
        done.whenPaid?.();
      }
      context.shadows?.offer(request, requestContext, done);
    },
  };
}

/** One search request, and the engines that serve it. */
interface SearchCall {
  request: SearchRequest;
  requestContext: RequestContext;
  /** The cache, the price, the hold and the calls use these. */
  chosen: Chosen;
  routing: QualityOrder | undefined;
}

type Chosen = { panel: Panel } | { inTurn: InTurn };

function callOf(
  context: SearchContext,
  request: SearchRequest,
  requestContext: RequestContext,
): SearchCall {
  const routing = routeByQuality(context, request, requestContext);
  const chosen = choose(context, request, requestContext, routing);
  return { request, requestContext, chosen, routing };
}

/** Called once for a request, because the choice may depend on chance and on circuits. */
function choose(
  context: ToolContext,
  request: SearchRequest,
  { caller: { policy, account_id } }: RequestContext,
  routing: QualityOrder | undefined,
): Chosen {
  const { provider } = request;
  if (provider === 'fusion') {
    const named = request.provider_options?.fusion?.providers;
    return { panel: choosePanel(context.providers, named, policy) };
  }
  const order = routing
    ? routing.order.map(({ engine }) => engine)
    : autoOrder(context, 'search', provider, context.settings.auto_search, policy, (able) =>
        priceOfSearch(context, able, request, policy),
      );
  return { inTurn: providersInTurn(context, 'search', provider, order, account_id) };
}

/** Undefined where `auto` chooses otherwise. */
function routeByQuality(
  context: SearchContext,
  request: SearchRequest,
  { caller, seen, is_estimate: isEstimate }: RequestContext,
): QualityOrder | undefined {
  const isWanted = request.provider === 'auto' && !!context.routingEvidence;
  if (!isWanted) return undefined;
  const priceOf = (chosen: ReadyProvider) => priceOfSearch(context, chosen, request, caller.policy);
  const random = isEstimate ? withoutTrials : (context.random ?? withoutTrials);
  const routing = qualityOrder(context, request, caller, priceOf, random);
  seen.routing = routingText(routing, undefined);
  return routing;
}

/** Throws if the engine cannot serve the request. */
export function priceOfSearch(
  context: ToolContext,
  chosen: ReadyProvider,
  request: SearchRequest,
  policy?: RequestPolicy,
): number {
  return planEngine(context, chosen, request, policy).maxCost;
}

/** Throws if the engine cannot serve the request. */
function planEngine(
  context: ToolContext,
  chosen: ReadyProvider,
  request: SearchRequest,
  policy: RequestPolicy | undefined,
  cached?: CachedSearch,
  isDerived = false,
): SearchPlan {
  const isKnown = cached?.use.knows(cached.idOf(chosen.provider.id as SearchEngineId));
  const planned = planSearch(context, chosen, request, policy, isKnown, isDerived);
  if (request.strict) strictRefusal(chosen.provider.id, planned.negotiated.warnings);
  return planned;
}

/** The entries of a search in the cache, and those that it reads first. */
type Found = CachedSearch & { ids: readonly string[] };

async function planCached(context: SearchContext, call: SearchCall): Promise<PlannedSearch> {
  const { request, requestContext, chosen } = call;
  const use = cacheUseOf(context, requestContext, readAnswer);
  if (!use) return plan(context, call);
  const keepsBody = requestContext.wants?.vendorFields === true && request.provider !== 'fusion';
  const search = cachedSearch(use, request, keepsBody);
  const first = 'panel' in chosen ? chosen.panel.members : [chosen.inTurn[0]];
  const ids = first.map(({ provider }) => search.idOf(provider.id as SearchEngineId));
  await use.look(ids);
  const cached = { ...search, ids };
  // Answers in memory are already written, but their texts are not checked.
  const known = requestContext.content ? undefined : recallAnswer(context, cached, call);
  const planned = known ?? plan(context, call, cached);
  // A cached answer is free, unless it may be empty and other engines may be asked.
  const isFree = ids.every(use.knows) && !asksAfterEmpty(context, planned);
  return isFree ? { ...planned, isFree } : planned;
}

/** An answer on one engine, without its id, its usage and its duration. */
interface KnownAnswer {
  provider: SearchEngineId;
  results: string[];
  warnings: Warning[];
  vendor: object | undefined;
}

/** An earlier answer to the same search that is in memory in its written form. */
function recallAnswer(
  { settings }: Pick<SearchContext, 'settings'>,
  cached: Found,
  { request, routing }: SearchCall,
): PlannedSearch | undefined {
  const { use, ids } = cached;
  const [id = ''] = ids;
  const known = ids.length === 1 ? (use.recall(id) as KnownAnswer | undefined) : undefined;
  if (!known) return undefined;
  const isFinal = known.results.length > 0 || request.provider !== 'auto';
  if (!isFinal && settings.failover === 'empty') return undefined;
  const { provider } = known;
  const time = timeForSearch(settings.provider_queue_ms);
  const planned = { provider, calls: [provider], maxCost: zeroAmount, time };
  return { ...planned, request, cached, routing, answer: { known } };
}

function plan(context: SearchContext, call: SearchCall, cached?: Found): PlannedSearch {
  const { request, requestContext, chosen, routing } = call;
  const { policy } = requestContext.caller;
  const ofRequest = { request, cached, routing };
  if ('panel' in chosen) {
    const panel = planFusion(context, chosen.panel, request, policy, cached);
    const calls = panel.members.map((member) => member.chosen.provider.id);
    const time = waiting(panel.time, cached);
    const { maxCost } = panel;
    return { ...ofRequest, provider: 'fusion', calls, maxCost, time, answer: { panel } };
  }
  const [first, ...substitutes] = chosen.inTurn;
  // The options of a drop-in call are the gateway's own.
  const isDerived = requestContext.wants?.vendorFields;
  const planned = planEngine(context, first, request, policy, cached, isDerived);
  const engines = planSubstitutes(context, requestContext, planned, substitutes, (engine) =>
    planEngine(context, engine, request, policy, cached, isDerived),
  );
  const { provider, calls, maxCost, time: ownTime } = joinPlans(context, engines);
  const time = waiting(ownTime, cached);
  return { ...ofRequest, provider, calls, maxCost, time, answer: { engines } };
}

/** Another caller may be fetching the same answer. */
function waiting(time: TimeLimits, cached: Found | undefined): TimeLimits {
  return cached ? timeWithWait(time) : time;
}

async function perform(
  context: SearchContext,
  planned: PlannedSearch,
  requestContext: RequestContext,
): Promise<Done> {
  const { cached, routing } = planned;
  const done = await performPlanned(context, planned, requestContext);
  const { headers, fromCache } = cached?.use.report() ?? {};
  if (!cached && !routing) return done;
  return {
    ...done,
    headers: { ...done.headers, ...(routing && explained(routing, requestContext)), ...headers },
    ...(fromCache === undefined ? {} : { fromCache }),
  };
}

/** Says in the answer and in the log why the engine that served it was chosen. */
function explained(routing: QualityOrder, { seen }: RequestContext): Record<string, string> {
  seen.routing = routingText(routing, seen.provider);
  return { [routingHeader]: seen.routing };
}

async function performPlanned(
  context: SearchContext,
  { request, cached, answer }: PlannedSearch,
  requestContext: RequestContext,
): Promise<Done> {
  if ('known' in answer) {
    await cached?.use.fill(cached.ids, () => Promise.resolve(new Map()), 0);
    return doneWith(requestContext, request, answer.known, { amount: zeroAmount });
  }
  if ('panel' in answer) {
    return performPanel(context, answer.panel, request, requestContext, cached);
  }
  const [only, ...substitutes] = answer.engines;
  if (substitutes.length === 0) {
    return performOne(context, only, request, requestContext, cached);
  }
  return performInTurn(context, requestContext, answer.engines, (engine) =>
    performOne(context, engine, request, requestContext, cached),
  );
}

async function performOne(
  context: SearchContext,
  planned: SearchPlan,
  request: SearchRequest,
  requestContext: RequestContext,
  cached: CachedSearch | undefined,
): Promise<Done> {
  const { signal, room, seen, caller, wants } = requestContext;
  const { time } = planned;
  const id = planned.chosen.provider.id as SearchEngineId;
  const budget = {
    account_id: caller.account_id,
    timeout_ms: time.vendorMs,
    ...searchBounds,
    attempts: seen.attempts,
    ...(room ? { room } : {}),
    ...(signal ? { signal } : {}),
  };
  const outcome = await (cached
    ? throughCache(cached, planned, callsMs(time), () => performUncapped(context, planned, budget))
    : performUncapped(context, planned, budget));
  if (!outcome.ok) throw providerError(id, outcome.refusal);
  const { warnings, cost, body } = outcome;
  const capped = capAll(planned, outcome.found);
  const listed = await checked(context, requestContext, capped, cached?.use.keep);
  const results = listed.items.map((found, index) => resultText(found, index + 1));
  const vendor = wants?.vendorFields ? withoutResults(body, planned.product.raw_at) : undefined;
  const all = listed.warnings ? [...warnings, ...listed.warnings] : warnings;
  const answer: KnownAnswer = { provider: id, results, warnings: all, vendor };
  if (!requestContext.content) cached?.use.remember(cached.idOf(id), answer);
  return doneWith(requestContext, request, answer, cost);
}

const foreignTexts = ['url', 'title', 'snippets', 'full_text', 'summary', 'author'] as const;

/** The results after the content checks that the caller asked for. Most callers ask for none. */
async function checked<T extends Page>(
  context: ContentContext,
  requestContext: RequestContext,
  found: T[],
  keep: KeepText | undefined,
): Promise<{ items: T[]; warnings?: Warning[] }> {
  if (!requestContext.content) return { items: found };
  const { items, blocked, warnings } = await guardItems(
    context,
    requestContext,
    found,
    foreignTexts,
    keep,
  );
  return { items, warnings: [...blockedWarnings(blocked, found.length), ...warnings] };
}

function doneWith(
  { request_id }: RequestContext,
  request: SearchRequest,
  answer: KnownAnswer,
  cost: Done['cost'],
): Done {
  const { results, warnings } = answer;
  const write = writeResponse({ request_id, ...answer });
  const shown = shownOf(results, request);
  return { cost, warnings, delivered: results.length, pieces: results, write, shown };
}

/** The vendor's answer apart from its results. */
function withoutResults(body: unknown, places: readonly (readonly string[])[]): object {
  if (typeof body !== 'object' || body === null) return {};
  const results = places.map(([first]) => first);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !results.includes(name)));
}

async function performPanel(
  context: SearchContext,
  panel: FusionPlan,
  request: SearchRequest,
  requestContext: RequestContext,
  cached: CachedSearch | undefined,
): Promise<Done> {
  const { signal, room, request_id, seen, caller, wants } = requestContext;
  const use = { account_id: caller.account_id, attempts: seen.attempts, signal, room };
  const outcome = await performFusion(context, panel, use, cached);
  if (!outcome.ok) throw panelError(outcome.failed);
  const { fusion, fewPages, warnings, cost, parts, compared } = outcome;
  const listed = await checked(context, requestContext, fusion.results, cached?.use.keep);
  const results = listed.items.map(fusedText);
  const all = listed.warnings ? [...warnings, ...listed.warnings] : warnings;
  const write = writeResponse({ request_id, provider: 'fusion', results, warnings: all });
  const shown = shownOfFusion(results, request, listed.items);
  const answer = { warnings: all, delivered: results.length, pieces: results, write, shown };
  const whenPaid =
    compared &&
    (() => {
      context.overlap?.add(caller.account_id, compared.pairs);
      context.evidence?.note({ account_id: caller.account_id, ...compared.panel });
    });
  const done = { cost, parts, ...(whenPaid ? { whenPaid } : {}), ...answer };
  if (!wants?.explain) return done;
  const explanation = explainFusion(fusion, ({ key }) => resultId(key), fewPages);
  return { ...done, headers: { [explainHeader]: explanation } };
}
