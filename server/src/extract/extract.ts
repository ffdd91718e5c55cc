// POST /v1/extract: takes URLs, and returns clean content and an outcome for every URL.
import { normalizeUrl, type ExtractRequest } from '@trivium/contract';
import type { BillingContext, Done, Tool } from '../billing/index.ts';
import type { CurrentRequest, ServiceMetrics } from '../requests/index.ts';
import type { Cache } from '../cache/index.ts';
import type { ContentContext } from '../content/index.ts';
import { cachedPages, extractThrough, readPage, type CachedPages } from './cached-pages.ts';
import {
  type InTurn,
  performInTurn,
  planInTurn,
  type PlanInTurn,
  providersInTurn,
  type ReadyProvider,
  strictRefusal,
  type UpstreamContext,
} from '../upstream/index.ts';
import { providerError } from '../upstream/core/index.ts';
import { answerFor, answerOf, asAsked, checkedPages, withPassages } from './extract-answer.ts';
import { extractBounds, performExtract } from './extract-pages.ts';
import { answerId } from '../platform/ids.ts';
import { defaultPageMs, timeWithWait } from '../platform/time-limits.ts';
import { planExtract, refusePrivatePages, type ExtractPlan } from './extract-plan.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { Settings } from '../settings/index.ts';

interface ExtractContext extends UpstreamContext, BillingContext, ContentContext {
  /** Absent if no answers are cached. */
  cache?: Cache;
  metrics?: ServiceMetrics;
  settings: Settings;
}

/** What an extraction will do: ask providers in turn until one serves it. */
interface PlannedExtract extends PlanInTurn<ExtractPlan> {
  request: ExtractRequest;
  /** Undefined if the cache is not used. */
  cached: CachedPages | undefined;
}

export function makeExtractTool(context: ExtractContext): Tool<ExtractRequest, PlannedExtract> {
  return {
    plan: (request, currentRequest) => {
      const chosen = choose(context, request, currentRequest);
      const use = context.cache?.useFor(currentRequest, readPage);
      return use
        ? planCached(context, request, currentRequest, chosen, cachedPages(use, request))
        : plan(context, request, currentRequest, chosen);
    },
    perform: performInTurn(context, performPages, ({ cached }, _currentRequest, done) =>
      cached ? { ...done, ...cached.use.report() } : done,
    ),
  };
}

/** Called once for a request, because the choice may depend on chance and on circuits. */
function choose(
  context: ExtractContext,
  request: ExtractRequest,
  { caller }: CurrentRequest,
): InTurn {
  const { provider } = request;
  const { auto_extract: fixed } = context.settings;
  return providersInTurn(context, 'extract', provider, fixed, caller, (able) =>
    priceOfExtract(context, able, request, caller.policy),
  );
}

/** Throws if the provider cannot serve the request. */
export function priceOfExtract(
  context: ExtractContext,
  chosen: ReadyProvider,
  request: ExtractRequest,
  policy?: RequestPolicy,
): number {
  return planProvider(context, chosen, request, policy).maxCost;
}

function planProvider(
  context: ExtractContext,
  chosen: ReadyProvider,
  request: ExtractRequest,
  policy: RequestPolicy | undefined,
  isKnown?: CachedPages['isKnown'],
  isDerived = false,
): ExtractPlan {
  refusePrivatePages(context.settings, chosen, request.urls);
  const planned = planExtract(context, chosen, request, policy, isKnown, isDerived);
  if (request.strict) strictRefusal(chosen.provider.id, planned.warnings);
  return planned;
}

async function planCached(
  context: ExtractContext,
  request: ExtractRequest,
  currentRequest: CurrentRequest,
  chosen: InTurn,
  cached: CachedPages,
): Promise<PlannedExtract> {
  const { id } = chosen[0].provider;
  const ids = request.urls.map((url) => cached.idOf(id, normalizeUrl(url)));
  await cached.use.look(ids);
  const planned = plan(context, request, currentRequest, chosen, cached);
  // Pages in the cache are free, unless other providers may be asked for them.
  const isFree = ids.every(cached.use.knows) && !planned.asksAfterEmpty;
  // Another caller may be fetching the same pages.
  return { ...planned, time: timeWithWait(planned.time), ...(isFree ? { isFree } : {}) };
}

function plan(
  context: ExtractContext,
  request: ExtractRequest,
  currentRequest: CurrentRequest,
  chosen: InTurn,
  cached?: CachedPages,
): PlannedExtract {
  const { caller, wants } = currentRequest;
  // The options of a drop-in call are the gateway's own.
  const isDerived = wants?.vendorFields;
  const planOne = (one: ReadyProvider) =>
    planProvider(context, one, request, caller.policy, cached?.isKnown, isDerived);
  const [first, ...substitutes] = chosen;
  const planned = planInTurn(context, currentRequest, planOne(first), substitutes, planOne);
  return { ...planned, request, cached };
}

async function performPages(
  context: ExtractContext,
  planned: ExtractPlan,
  { request, cached }: PlannedExtract,
  currentRequest: CurrentRequest,
): Promise<Done> {
  const { signal, room, request_id, seen, caller } = currentRequest;
  const { chosen, time } = planned;
  const budget = {
    account_id: caller.account_id,
    timeout_ms: time.vendorMs,
    ...extractBounds,
    attempts: seen.attempts,
    hurried: time.vendorMs < defaultPageMs ? (true as const) : undefined,
    room,
    signal,
  };
  const outcome = await (cached
    ? extractThrough(context.settings, cached, planned, request.urls, (urls) =>
        performExtract(context, planned, budget, urls),
      )
    : performExtract(context, planned, budget));
  if (outcome.refusal) throw providerError(chosen.provider.id, outcome.refusal);
  const foundAt = (url: string) => answerFor(planned, outcome, url);
  const asked = request.urls.map((url) => asAsked(foundAt(url), url, planned.ask));
  const answers = currentRequest.content?.max_tokens
    ? await withPassages(context, caller.account_id, request, asked, foundAt)
    : asked;
  const checked = await checkedPages(context, currentRequest, answers, cached?.use.keep);
  return answerOf(planned, outcome, checked, answerId('ext', request_id));
}
