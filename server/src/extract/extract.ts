// POST /v1/extract: takes URLs, and returns clean content and an outcome for every URL.
import { normalizeUrl } from '@trivium/contract';
import type { ExtractRequest } from '@trivium/contract';
import type { BillingContext, CallPlan, Done, Tool } from '../billing/index.ts';
import type { CurrentRequest, ServiceMetrics } from '../requests/index.ts';
import type { Cache } from '../cache/index.ts';
import type { ContentContext } from '../content/index.ts';
import { cachedPages, extractThrough, readPage } from './cached-pages.ts';
import type { CachedPages } from './cached-pages.ts';
import {
  asksAfterEmpty,
  autoOrder,
  type InTurn,
  joinPlans,
  performInTurn,
  planSubstitutes,
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
import { planExtract, refusePrivatePages } from './extract-plan.ts';
import type { ExtractPlan } from './extract-plan.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { Settings } from '../settings/index.ts';

interface ExtractContext extends UpstreamContext, BillingContext, ContentContext {
  /** Absent if no answers are cached. */
  cache?: Cache;
  metrics?: ServiceMetrics;
  settings: Settings;
}

/** What an extraction will do: ask providers in turn until one serves it. */
interface PlannedExtract extends CallPlan {
  request: ExtractRequest;
  /** Undefined if the cache is not used. */
  cached: CachedPages | undefined;
  inTurn: readonly ExtractPlan[];
}

export function makeExtractTool(context: ExtractContext): Tool<ExtractRequest, PlannedExtract> {
  return {
    plan: (request, currentRequest) => {
      const call = { request, currentRequest, chosen: choose(context, request, currentRequest) };
      const { cache_seconds: seconds, is_estimate: isEstimate } = currentRequest;
      return seconds && !isEstimate ? planCached(context, call) : plan(context, call);
    },
    perform: (planned, currentRequest) => perform(context, planned, currentRequest),
  };
}

/** One extraction, and the providers that serve it. */
interface PageCall {
  request: ExtractRequest;
  currentRequest: CurrentRequest;
  /** The cache, the price, the hold and the calls use these. */
  chosen: InTurn;
}

/** Called once for a request, because the choice may depend on chance and on circuits. */
function choose(
  context: ExtractContext,
  request: ExtractRequest,
  { caller: { policy, account_id } }: CurrentRequest,
): InTurn {
  const { provider } = request;
  const { auto_extract: fixed } = context.settings;
  const order = autoOrder(context, 'extract', provider, fixed, policy, (able) =>
    priceOfExtract(context, able, request, policy),
  );
  return providersInTurn(context, 'extract', provider, order, account_id);
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

async function planCached(context: ExtractContext, call: PageCall): Promise<PlannedExtract> {
  const { request, currentRequest, chosen } = call;
  const use = context.cache?.useFor(currentRequest, readPage);
  if (!use) return plan(context, call);
  const cached = cachedPages(use, request);
  const { id } = chosen[0].provider;
  const ids = request.urls.map((url) => cached.idOf(id, normalizeUrl(url)));
  await use.look(ids);
  const planned = plan(context, call, cached);
  // Pages in the cache are free, unless other providers may be asked for them.
  const isFree = ids.every(use.knows) && !asksAfterEmpty(context, planned);
  return isFree ? { ...planned, isFree } : planned;
}

function plan(context: ExtractContext, call: PageCall, cached?: CachedPages): PlannedExtract {
  const { request, currentRequest, chosen } = call;
  const { policy } = currentRequest.caller;
  const [first, ...substitutes] = chosen;
  // The options of a drop-in call are the gateway's own.
  const isDerived = currentRequest.wants?.vendorFields;
  const planned = planProvider(context, first, request, policy, cached?.isKnown, isDerived);
  const inTurn = planSubstitutes(context, currentRequest, planned, substitutes, (one) =>
    planProvider(context, one, request, policy, cached?.isKnown, isDerived),
  );
  const { provider, calls, maxCost, time: ownTime } = joinPlans(context, inTurn);
  // Another caller may be fetching the same pages.
  const time = cached ? timeWithWait(ownTime) : ownTime;
  return { provider, calls, maxCost, time, request, cached, inTurn };
}

async function perform(
  context: ExtractContext,
  { request, cached, inTurn }: PlannedExtract,
  currentRequest: CurrentRequest,
): Promise<Done> {
  const done = await performInTurn(context, currentRequest, inTurn, (planned) =>
    performOne(context, planned, request, currentRequest, cached),
  );
  return cached ? { ...done, ...cached.use.report() } : done;
}

async function performOne(
  context: ExtractContext,
  planned: ExtractPlan,
  request: ExtractRequest,
  currentRequest: CurrentRequest,
  cached: CachedPages | undefined,
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
