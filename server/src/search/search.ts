// POST /v1/search: one engine or a fusion panel. The answer names the engine, the warnings and the
// cost.
import type { SearchEngineId, SearchRequest, Warning } from '@trivium/contract';
import { zeroAmount } from '../billing/core/index.ts';
import { type Done, hold, holdNothing, orRelease, settle, type Work } from '../billing/index.ts';
import type { RequestContext, Served } from '../requests/index.ts';
import { classOfSearch } from '../quality/core/index.ts';
import { type CacheUse, cacheUseOf } from '../cache/index.ts';
import { blockedWarnings } from '../content/core/index.ts';
import { type ContentContext, guardItems, type KeepText } from '../content/index.ts';
import {
  asksAfterEmpty,
  autoOrder,
  type InTurn,
  performInTurn,
  planInTurn,
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
import { capAll, performUncapped, planSearch, searchBounds } from './search-engine.ts';
import type { SearchPlan } from './search-engine.ts';
import { shownOf, shownOfFusion } from './shown.ts';
import { fusedText, type Page, resultText, writeResponse } from './write-answer.ts';

/** Optional parts of an answer. */
export interface SearchOptions {
  /** The ranks of a fusion, in a header. */
  explain?: boolean;
  /** The vendor's answer apart from its results. */
  vendorFields?: boolean;
}

/** Plans, holds the most it can cost, calls, and settles the actual cost. */
export async function search(
  context: SearchContext,
  request: SearchRequest,
  requestContext: RequestContext,
  options: SearchOptions = {},
): Promise<Served> {
  const routing = routeByQuality(context, request, requestContext, context.random);
  const chosen = choose(context, request, requestContext, routing);
  const call = { request, requestContext, options, chosen, routing };
  const use = requestContext.cache_seconds
    ? cacheUseOf(context, requestContext, readAnswer)
    : undefined;
  const cached = use && (await lookUp(call, use));
  // Answers in memory are already written, but their texts are not checked.
  const known = cached && !requestContext.content && recallAnswer(context, cached, call);
  const planned = known || plan(context, call, cached);
  // No money is held for a cached answer, unless it may be empty and other engines may be asked.
  const isFree = cached?.ids.every(cached.use.knows) && !asksAfterEmpty(context, planned.work);
  const acquire = isFree ? holdNothing : hold;
  const held = await acquire(context, requestContext, planned.work);
  const { shadows } = context;
  let done = held.kept;
  if (!done) {
    const performed = perform(context, call, planned, cached);
    if (shadows) performed.catch(() => shadows.offer(request, requestContext));
    done = await orRelease(context, requestContext, performed);
  }
  const isNoted = shadows !== undefined || routing !== undefined || done.whenPaid !== undefined;
  if (!isNoted) return settle(context, requestContext, held, done);
  const served = await settle(context, requestContext, held, done);
  if (!done.fromCache) {
    const { account_id } = requestContext.caller;
    if (routing) context.routingEvidence?.noteUse(account_id, classOfSearch(request));
    done.whenPaid?.();
  }
  shadows?.offer(request, requestContext, done);
  return served;
}

/** One search request, and the engines that serve it. */
interface SearchCall {
  request: SearchRequest;
  requestContext: RequestContext;
  options: SearchOptions;
  /** The cache, the price, the hold and the calls use these. */
  chosen: Chosen;
  routing?: QualityOrder | undefined;
}

type Chosen = { panel: Panel } | { inTurn: InTurn };

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
  return { inTurn: providersInTurn(context.providers, 'search', provider, order, account_id) };
}

/** Undefined where `auto` chooses otherwise. */
function routeByQuality(
  context: SearchContext,
  request: SearchRequest,
  { caller, seen }: RequestContext,
  random = withoutTrials,
): QualityOrder | undefined {
  const isWanted = request.provider === 'auto' && !!context.routingEvidence;
  if (!isWanted) return undefined;
  const priceOf = (chosen: ReadyProvider) => priceOfSearch(context, chosen, request, caller.policy);
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
  const plan = planSearch(context, chosen, request, policy);
  if (request.strict) strictRefusal(chosen.provider.id, plan.negotiated.warnings);
  return plan.maxCost;
}

/** The entries of a search in the cache, and those that it reads first. */
type Found = CachedSearch & { ids: readonly string[] };

async function lookUp(call: SearchCall, use: CacheUse): Promise<Found> {
  const { request, options } = call;
  const keepsBody = options.vendorFields === true && request.provider !== 'fusion';
  const cached = cachedSearch(use, request, keepsBody);
  const ids = firstEngines(call).map(cached.idOf);
  await use.look(ids);
  return { ...cached, ids };
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
  { use, ids }: Found,
  { request }: SearchCall,
): Planned | undefined {
  const [id = ''] = ids;
  const known = ids.length === 1 ? (use.recall(id) as KnownAnswer | undefined) : undefined;
  if (!known) return undefined;
  const isFinal = known.results.length > 0 || request.provider !== 'auto';
  if (!isFinal && settings.failover === 'empty') return undefined;
  const { provider } = known;
  const time = timeForSearch(settings.provider_queue_ms);
  return { work: { provider, calls: [provider], maxCost: zeroAmount, time }, known };
}

/** The engines that are called unless one of them fails. */
function firstEngines({ chosen }: SearchCall): SearchEngineId[] {
  const first = 'panel' in chosen ? chosen.panel.members : [chosen.inTurn[0]];
  return first.map((one) => one.provider.id as SearchEngineId);
}

/** What a search will call and may cost; no provider is called. */
export function prepareSearch(
  context: SearchContext,
  request: SearchRequest,
  requestContext: RequestContext,
): Work {
  const routing = routeByQuality(context, request, requestContext);
  const chosen = choose(context, request, requestContext, routing);
  return plan(context, { request, requestContext, options: {}, chosen }).work;
}

/** What a search will do: give a known answer, call a panel, or engines until one serves. */
type Planned = { work: Work } & (
  | { known: KnownAnswer }
  | { panel: FusionPlan }
  | { engines: readonly EnginePlan[] }
);

interface EnginePlan {
  work: Work;
  plan: SearchPlan;
}

function plan(context: SearchContext, call: SearchCall, cached?: Found): Planned {
  const { request, requestContext, chosen } = call;
  if ('panel' in chosen) {
    const { policy } = requestContext.caller;
    const panel = planFusion(context, chosen.panel, request, policy, cached);
    const calls = panel.members.map((member) => member.chosen.provider.id);
    const { maxCost, time } = panel;
    return { work: waiting({ provider: 'fusion', calls, maxCost, time }, cached), panel };
  }
  const { inTurn } = chosen;
  const { work, plans } = planInTurn(
    context,
    requestContext,
    inTurn,
    planOne,
    context,
    call,
    cached,
  );
  return { work: waiting(work, cached), engines: plans };
}

/** Another caller may be fetching the same answer. */
function waiting(work: Work, cached: Found | undefined): Work {
  return cached ? { ...work, time: timeWithWait(work.time) } : work;
}

function planOne(
  chosen: ReadyProvider,
  context: ToolContext,
  { request, requestContext }: SearchCall,
  cached: CachedSearch | undefined,
): EnginePlan {
  const id = chosen.provider.id as SearchEngineId;
  const isKnown = cached?.use.knows(cached.idOf(id));
  const planned = planSearch(context, chosen, request, requestContext.caller.policy, isKnown);
  if (request.strict) strictRefusal(id, planned.negotiated.warnings);
  const time = timeForSearch(context.settings.provider_queue_ms);
  return { work: { provider: id, calls: [id], maxCost: planned.maxCost, time }, plan: planned };
}

async function perform(
  context: SearchContext,
  call: SearchCall,
  planned: Planned,
  cached: Found | undefined,
): Promise<Done> {
  const performed = await performPlanned(context, call, planned, cached);
  const done = call.routing ? explained(performed, call.routing, call.requestContext) : performed;
  if (!cached) return done;
  const { headers, fromCache } = cached.use.report();
  return { ...done, headers: { ...done.headers, ...headers }, fromCache };
}

/** Says in the answer and in the log why the engine that served it was chosen. */
function explained(done: Done, routing: QualityOrder, { seen }: RequestContext): Done {
  seen.routing = routingText(routing, seen.provider);
  return { ...done, headers: { ...done.headers, [routingHeader]: seen.routing } };
}

async function performPlanned(
  context: SearchContext,
  call: SearchCall,
  planned: Planned,
  cached: Found | undefined,
): Promise<Done> {
  const { request, requestContext } = call;
  if ('known' in planned) {
    await cached?.use.fill(cached.ids, () => Promise.resolve(new Map()), 0);
    return doneWith(requestContext, request, planned.known, { amount: zeroAmount });
  }
  if ('panel' in planned) return performPanel(context, call, planned.panel, cached);
  return performInTurn(context, requestContext, planned.engines, performOne, context, call, cached);
}

async function performOne(
  { work: { time }, plan: planned }: EnginePlan,
  context: SearchContext,
  { request, requestContext, options }: SearchCall,
  cached: CachedSearch | undefined,
): Promise<Done> {
  const { signal, room, seen, caller } = requestContext;
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
  const vendor = options.vendorFields ? withoutResults(body, planned.product.raw_at) : undefined;
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
  { request, requestContext, options }: SearchCall,
  panel: FusionPlan,
  cached: CachedSearch | undefined,
): Promise<Done> {
  const { signal, room, request_id, seen, caller } = requestContext;
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
  if (!options.explain) return done;
  const explanation = explainFusion(fusion, ({ key }) => resultId(key), fewPages);
  return { ...done, headers: { [explainHeader]: explanation } };
}
