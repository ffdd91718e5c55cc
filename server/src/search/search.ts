// POST /v1/search: one engine or a fusion panel. The answer names the engine, the warnings and the
// cost.
import type { SearchEngineId, SearchRequest, Warning } from '@trivium/contract';
import { zeroAmount } from '../billing/core/index.ts';
import type { CallPlan, Done, Tool } from '../billing/index.ts';
import type { CurrentRequest, Shown } from '../requests/index.ts';
import { classOfSearch } from '../quality/core/index.ts';
import type { CacheUse } from '../cache/index.ts';
import { blockedWarnings, guardItems, type KeepText } from '../content/index.ts';
import {
  type InTurn,
  performInTurn,
  planInTurn,
  type PlanInTurn,
  providersInTurn,
  type ReadyProvider,
  strictRefusal,
} from '../upstream/index.ts';
import { providerError } from '../upstream/core/index.ts';
import { resultId } from '../platform/ids.ts';
import {
  choosePanel,
  type Panel,
  qualityOrder,
  type QualityOrder,
  routingHeader,
  routingText,
  withoutTrials,
} from './engine-choice.ts';
import type { SearchContext } from './context.ts';
import { explainFusion, explainHeader } from './core/explain.ts';
import type { Listed } from './core/merge.ts';
import { panelError, performFusion, planFusion, type FusionPlan } from './fusion.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import { callsMs, timeForSearch, timeWithWait } from '../platform/time-limits.ts';
import { cachedSearch, type CachedSearch, fillFromCache, readAnswer } from './cached-search.ts';
import { budgetFor, capSnippetsOf, performSearch, planSearch } from './search-engine.ts';
import type { SearchPlan } from './search-engine.ts';
import {
  fusedText,
  resultText,
  shownOf,
  shownOfFusion,
  writeResponse,
  type WrittenAnswer,
} from './write-answer.ts';

/** What a search will do: give a known answer, call a panel, or engines until one serves. */
interface PlannedSearch extends PlanInTurn<SearchPlan | FusionPlan | KnownAnswer> {
  request: SearchRequest;
  /** Undefined if the cache is not used. */
  cached: CachedSearch | undefined;
  routing: QualityOrder | undefined;
}

interface KnownAnswer extends CallPlan {
  known: WrittenAnswer;
  id: string;
}

export function makeSearchTool(context: SearchContext): Tool<SearchRequest, PlannedSearch> {
  return {
    plan: (request, currentRequest) => {
      const routing = routeByQuality(context, request, currentRequest);
      const chosen = choose(context, request, currentRequest, routing);
      const call = { request, currentRequest, chosen, routing };
      const use = context.cache?.useFor(currentRequest, readAnswer);
      return use ? planCached(context, call, use) : plan(context, call);
    },
    perform: performInTurn(context, performOne, withHeaders),
    ended: ({ request, routing }, currentRequest, done) => {
      if (done && !done.fromCache) {
        const { account_id } = currentRequest.caller;
        if (routing) context.routingEvidence?.noteUse(account_id, classOfSearch(request));
        done.whenPaid?.();
      }
      context.shadows?.offer(request, currentRequest, done);
    },
  };
}

/** One search request, and the engines that serve it. */
interface SearchCall {
  request: SearchRequest;
  currentRequest: CurrentRequest;
  /** The cache, the price, the hold and the calls use these. */
  chosen: { panel: Panel } | { inTurn: InTurn };
  routing: QualityOrder | undefined;
}

/** Called once for a request, because the choice may depend on chance and on circuits. */
function choose(
  context: SearchContext,
  request: SearchRequest,
  { caller }: CurrentRequest,
  routing: QualityOrder | undefined,
): SearchCall['chosen'] {
  const { provider } = request;
  if (provider === 'fusion') {
    const named = request.provider_options?.fusion?.providers;
    return { panel: choosePanel(context.providers, named, caller.policy) };
  }
  const order = routing?.order.map(({ engine }) => engine) ?? context.settings.auto_search;
  const isPriced = provider === 'auto' && !routing;
  const priceOf = isPriced ? pricesOf(context, request, caller.policy) : undefined;
  return { inTurn: providersInTurn(context, 'search', provider, order, caller, priceOf) };
}

function pricesOf(context: SearchContext, request: SearchRequest, policy?: RequestPolicy) {
  return (chosen: ReadyProvider) => priceOfSearch(context, chosen, request, policy);
}

/** Undefined where `auto` chooses otherwise. */
function routeByQuality(
  context: SearchContext,
  request: SearchRequest,
  { caller, seen, is_estimate: isEstimate }: CurrentRequest,
): QualityOrder | undefined {
  if (request.provider !== 'auto' || !context.routingEvidence) return undefined;
  const priceOf = pricesOf(context, request, caller.policy);
  const random = isEstimate ? withoutTrials : (context.random ?? withoutTrials);
  const routing = qualityOrder(context, request, caller, priceOf, random);
  seen.routing = routingText(routing, undefined);
  return routing;
}

/** Throws if the engine cannot serve the request. */
export function priceOfSearch(
  context: SearchContext,
  chosen: ReadyProvider,
  request: SearchRequest,
  policy?: RequestPolicy,
): number {
  return planEngine(context, chosen, request, policy).maxCost;
}

/** Throws if the engine cannot serve the request. */
function planEngine(
  context: SearchContext,
  chosen: ReadyProvider,
  request: SearchRequest,
  policy: RequestPolicy | undefined,
  cached?: CachedSearch,
  isDerived = false,
): SearchPlan {
  const isKnown = cached?.knows(chosen);
  const planned = planSearch(context, chosen, request, policy, isKnown, isDerived);
  if (request.strict) strictRefusal(chosen.provider.id, planned.negotiated.warnings);
  return planned;
}

async function planCached(
  context: SearchContext,
  call: SearchCall,
  use: CacheUse,
): Promise<PlannedSearch> {
  const { request, currentRequest, chosen } = call;
  const keepsBody = currentRequest.wants?.vendorFields === true && request.provider !== 'fusion';
  const cached = cachedSearch(use, request, keepsBody);
  const ids = ('panel' in chosen ? chosen.panel.members : [chosen.inTurn[0]]).map(cached.idOf);
  await use.look(ids);
  // Answers in memory are already written, for one engine, and their texts are not checked.
  const mayRecall = !('panel' in chosen) && !currentRequest.content;
  const known = mayRecall ? recallAnswer(context, cached, String(ids[0]), call) : undefined;
  if (known) return known;
  const planned = plan(context, call, cached);
  // A cached answer is free, unless it may be empty and other engines may be asked.
  const isFree = ids.every(use.knows) && !planned.asksAfterEmpty;
  // Another caller may be fetching the same answer.
  return { ...planned, time: timeWithWait(planned.time), ...(isFree ? { isFree } : {}) };
}

/** An earlier answer to the same search that is in memory in its written form. */
function recallAnswer(
  { settings }: SearchContext,
  cached: CachedSearch,
  id: string,
  { request, routing }: SearchCall,
): PlannedSearch | undefined {
  const known = cached.use.recall(id) as WrittenAnswer | undefined;
  if (!known) return undefined;
  const isFinal = known.results.length > 0 || request.provider !== 'auto';
  if (!isFinal && settings.failover === 'empty') return undefined;
  const provider = known.provider as SearchEngineId;
  const time = timeForSearch(settings.provider_queue_ms);
  const free = { provider, calls: [provider], maxCost: zeroAmount, time, isFree: true };
  const inTurn = [{ ...free, known, id }] as const;
  return { ...free, request, cached, routing, inTurn, asksAfterEmpty: false };
}

function plan(context: SearchContext, call: SearchCall, cached?: CachedSearch): PlannedSearch {
  const { request, currentRequest, chosen, routing } = call;
  const { policy } = currentRequest.caller;
  // The options of a drop-in call are the gateway's own.
  const isDerived = currentRequest.wants?.vendorFields;
  const planOne = (engine: ReadyProvider) =>
    planEngine(context, engine, request, policy, cached, isDerived);
  const first =
    'panel' in chosen
      ? planFusion(context, chosen.panel, request, policy, cached)
      : planOne(chosen.inTurn[0]);
  const substitutes = 'panel' in chosen ? [] : chosen.inTurn.slice(1);
  const planned = planInTurn(context, currentRequest, first, substitutes, planOne);
  return { ...planned, request, cached, routing };
}

/** Says where the parts of the answer came from, and why the engine that served it was chosen. */
function withHeaders(
  { cached, routing }: PlannedSearch,
  { seen }: CurrentRequest,
  done: Done,
): Done {
  if (!cached && !routing) return done;
  if (routing) seen.routing = routingText(routing, seen.provider);
  const explained = routing && seen.routing !== undefined && { [routingHeader]: seen.routing };
  const { headers, fromCache } = cached?.use.report() ?? {};
  return {
    ...done,
    headers: { ...done.headers, ...explained, ...headers },
    ...(fromCache === undefined ? {} : { fromCache }),
  };
}

/** The cache reports the entry as used. */
async function giveKnown(
  { known, id }: KnownAnswer,
  { cached, request }: PlannedSearch,
  currentRequest: CurrentRequest,
): Promise<Done> {
  await cached?.use.fill([id], () => Promise.resolve(new Map()), 0);
  const shown = shownOf(known.results, request);
  return doneWith(currentRequest, known, { amount: zeroAmount }, shown);
}

async function performOne(
  context: SearchContext,
  one: PlannedSearch['inTurn'][number],
  plan: PlannedSearch,
  currentRequest: CurrentRequest,
): Promise<Done> {
  if ('members' in one) return performPanel(context, one, plan, currentRequest);
  if ('known' in one) return giveKnown(one, plan, currentRequest);
  const { request, cached } = plan;
  const { chosen, time, product } = one;
  const budget = budgetFor(currentRequest, time);
  const outcome = await (cached
    ? fillFromCache(cached, chosen, callsMs(time), () => performSearch(context, one, budget))
    : performSearch(context, one, budget));
  if (!outcome.ok) throw providerError(chosen.provider.id, outcome.refusal);
  const { warnings: given, cost, body } = outcome;
  const found = capSnippetsOf(one, outcome.found);
  const provider = chosen.provider.id as SearchEngineId;
  const { items, warnings } = currentRequest.content
    ? await checkContent(context, currentRequest, found, given, cached?.use.keep)
    : { items: found, warnings: given };
  const results = items.map((page, index) => resultText(page, index + 1));
  const vendor = currentRequest.wants?.vendorFields
    ? withoutResults(body, product.raw_at)
    : undefined;
  const answer: WrittenAnswer = { provider, results, warnings, vendor };
  if (!currentRequest.content) cached?.use.remember(cached.idOf(chosen), answer);
  return doneWith(currentRequest, answer, cost, shownOf(results, request));
}

const foreignTexts = ['url', 'title', 'snippets', 'full_text', 'summary', 'author'] as const;

/** The results after the content checks that the caller asked for. */
async function checkContent<T extends Listed>(
  context: SearchContext,
  currentRequest: CurrentRequest,
  found: T[],
  given: Warning[],
  keep: KeepText | undefined,
): Promise<{ items: T[]; warnings: Warning[] }> {
  const guarded = await guardItems(context, currentRequest, found, foreignTexts, keep);
  const blocked = blockedWarnings(guarded.blocked, found.length);
  return { items: guarded.items, warnings: [...given, ...blocked, ...guarded.warnings] };
}

function doneWith(
  { request_id }: CurrentRequest,
  answer: WrittenAnswer,
  cost: Done['cost'],
  shown: Shown,
): Done {
  const { results, warnings } = answer;
  const write = writeResponse(request_id, answer);
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
  { request, cached }: PlannedSearch,
  currentRequest: CurrentRequest,
): Promise<Done> {
  const { caller, wants } = currentRequest;
  const budget = budgetFor(currentRequest, panel.time);
  const outcome = await performFusion(context, panel, budget, cached);
  if (!outcome.ok) throw panelError(outcome.failed);
  const { fusion, fewPages, warnings: given, cost, parts, compared } = outcome;
  const { items, warnings } = currentRequest.content
    ? await checkContent(context, currentRequest, fusion.results, given, cached?.use.keep)
    : { items: fusion.results, warnings: given };
  const results = items.map(fusedText);
  const answer: WrittenAnswer = { provider: 'fusion', results, warnings };
  const shown = shownOfFusion(results, request, items);
  const whenPaid =
    compared &&
    (() => {
      context.overlap?.add(caller.account_id, compared.pairs);
      context.evidence?.note({ account_id: caller.account_id, ...compared.panel });
    });
  const written = doneWith(currentRequest, answer, cost, shown);
  const done = { ...written, parts, ...(whenPaid ? { whenPaid } : {}) };
  if (!wants?.explain) return done;
  const explanation = explainFusion(fusion, ({ key }) => resultId(key), fewPages);
  return { ...done, headers: { [explainHeader]: explanation } };
}
