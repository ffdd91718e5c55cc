// POST /v1/extract: takes URLs, and returns clean content and an outcome for every URL.
import { normalizeUrl } from '@trivium/contract';
import type { ExtractRequest, Warning } from '@trivium/contract';
import type { ExtractAsk } from '../negotiation/index.ts';
import { filled, leftOutWarning } from '../providers/index.ts';
import { cutTo } from '../search/core/index.ts';
import { answerId } from '../platform/ids.ts';
import type { CallPlan, Done, Tool } from '../billing/index.ts';
import type { RequestContext } from '../requests/index.ts';
import { type CacheContext, cacheUseOf } from '../cache/index.ts';
import { type ContentContext, guardItems, type KeepText } from '../content/index.ts';
import { cachedPages, extractThrough, readPage } from './cached-pages.ts';
import type { CachedPages } from './cached-pages.ts';
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
import { extractBounds, performExtract } from './extract-pages.ts';
import { callsMs, defaultPageMs, timeWithWait } from '../platform/time-limits.ts';
import { planExtract } from './extract-plan.ts';
import type { ExtractPlan } from './extract-plan.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import { answerFor } from './page-addresses.ts';
import { refusePrivatePages } from './private-pages.ts';
import type { ExtractOutcome } from './page-answer.ts';
import type { Extracted } from './page-answer.ts';
import type { PageAnswer } from './page-answer.ts';

type ExtractContext = ToolContext & Pick<CacheContext, 'cache'> & ContentContext;

/** What an extraction will do: ask providers in turn until one serves it. */
interface PlannedExtract extends CallPlan {
  request: ExtractRequest;
  /** Undefined if the cache is not used. */
  cached: CachedPages | undefined;
  inTurn: readonly ExtractPlan[];
}

export function makeExtractTool(context: ExtractContext): Tool<ExtractRequest, PlannedExtract> {
  return {
    plan: (request, requestContext) => {
      const call = { request, requestContext, chosen: choose(context, request, requestContext) };
      const { cache_seconds: seconds, is_estimate: isEstimate } = requestContext;
      return seconds && !isEstimate ? planCached(context, call) : plan(context, call);
    },
    perform: (planned, requestContext) => perform(context, planned, requestContext),
  };
}

/** One extraction, and the providers that serve it. */
interface PageCall {
  request: ExtractRequest;
  requestContext: RequestContext;
  /** The cache, the price, the hold and the calls use these. */
  chosen: InTurn;
}

/** Called once for a request, because the choice may depend on chance and on circuits. */
function choose(
  context: ToolContext,
  request: ExtractRequest,
  { caller: { policy, account_id } }: RequestContext,
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
  context: ToolContext,
  chosen: ReadyProvider,
  request: ExtractRequest,
  policy?: RequestPolicy,
): number {
  return planProvider(context, chosen, request, policy).maxCost;
}

function planProvider(
  context: ToolContext,
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
  const { request, requestContext, chosen } = call;
  const use = cacheUseOf(context, requestContext, readPage);
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

function plan(context: ToolContext, call: PageCall, cached?: CachedPages): PlannedExtract {
  const { request, requestContext, chosen } = call;
  const { policy } = requestContext.caller;
  const [first, ...substitutes] = chosen;
  // The options of a drop-in call are the gateway's own.
  const isDerived = requestContext.wants?.vendorFields;
  const planned = planProvider(context, first, request, policy, cached?.isKnown, isDerived);
  const inTurn = planSubstitutes(context, requestContext, planned, substitutes, (one) =>
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
  requestContext: RequestContext,
): Promise<Done> {
  const done = await performInTurn(context, requestContext, inTurn, (planned) =>
    performOne(context, planned, request, requestContext, cached),
  );
  return cached ? { ...done, ...cached.use.report() } : done;
}

async function performOne(
  context: ExtractContext,
  planned: ExtractPlan,
  request: ExtractRequest,
  requestContext: RequestContext,
  cached: CachedPages | undefined,
): Promise<Done> {
  const { signal, room, request_id, seen, caller, wants } = requestContext;
  const { chosen, time } = planned;
  const budget = {
    account_id: caller.account_id,
    timeout_ms: time.vendorMs,
    ...extractBounds,
    attempts: seen.attempts,
    ...(time.vendorMs < defaultPageMs ? { hurried: true as const } : {}),
    ...(room ? { room } : {}),
    ...(signal ? { signal } : {}),
  };
  const fetchPages = (urls: string[]) =>
    performExtract(
      context,
      planExtract(
        context,
        chosen,
        { ...request, urls },
        caller.policy,
        undefined,
        wants?.vendorFields,
      ),
      budget,
    );
  const wanted = { ...request, waitMs: callsMs(time) };
  const outcome = await (cached
    ? extractThrough(context.settings, cached, planned, wanted, fetchPages)
    : performExtract(context, planned, budget));
  if (outcome.refusal) throw providerError(chosen.provider.id, outcome.refusal);
  const foundAt = (url: string) => answerFor(planned.addresses, outcome, url);
  const asked = request.urls.map((url) => asAsked(foundAt(url), url, planned.ask));
  const answers = requestContext.content?.max_tokens
    ? await withPassages(context, caller.account_id, request, asked, foundAt)
    : asked;
  const checked = await checkedPages(context, requestContext, answers, cached?.use.keep);
  return answerOf(planned, outcome, checked, answerId('ext', request_id));
}

/** Pages of one call share its warnings. */
function distinct(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values()];
}

/**
 * For a token budget, if the provider has no excerpts: passages of the page that answer the query.
 * The warning that the provider ignores the parameter stays. A page that takes too long has none.
 */
async function withPassages(
  { contentThread }: ContentContext,
  account: string,
  { urls, query, content }: ExtractRequest,
  asked: PageAnswer[],
  foundAt: (url: string) => PageAnswer | undefined,
): Promise<PageAnswer[]> {
  const wanted = content?.excerpts;
  if (!query || !wanted) return asked;
  const texts = asked.map((answer, at) => {
    const found = foundAt(urls[at] ?? '');
    const isWanted = answer.ok && found?.ok && !answer.page.excerpts?.length;
    return isWanted ? (found.page.content ?? '') : '';
  });
  const count = wanted.max_per_url ?? defaultPassages;
  const chosen = await contentThread.choose(texts, query, count, account);
  return asked.map((answer, at): PageAnswer => {
    const passages = chosen[at] ?? [];
    if (!answer.ok || passages.length === 0) return answer;
    return { ok: true, page: { ...answer.page, excerpts: capExcerpts(passages, wanted) } };
  });
}

const defaultPassages = 5;
const foreignTexts = ['final_url', 'title', 'content', 'excerpts', 'summary', 'author'] as const;

/** The pages after the content checks that the caller asked for. Most callers ask for none. */
async function checkedPages(
  context: ContentContext,
  requestContext: RequestContext,
  answers: PageAnswer[],
  keep: KeepText | undefined,
): Promise<{ answers: PageAnswer[]; warnings: Warning[] }> {
  if (!requestContext.content) return { answers, warnings: [] };
  const pages = answers.flatMap((answer) => (answer.ok ? [answer.page] : []));
  const { items, blocked, warnings } = await guardItems(
    context,
    requestContext,
    pages,
    foreignTexts,
    keep,
  );
  let [at, kept] = [0, 0];
  const checked = answers.map((answer): PageAnswer => {
    if (!answer.ok) return answer;
    const reason = blocked.get(at);
    at += 1;
    if (reason !== undefined) {
      return { ok: false, url: answer.page.url, error: `blocked by the content mode: ${reason}` };
    }
    const page = items[kept] ?? answer.page;
    kept += 1;
    return { ok: true, page };
  });
  return { answers: checked, warnings };
}

/** `raw` is returned exactly as received. */
function answerOf(
  plan: ExtractPlan,
  outcome: ExtractOutcome,
  { answers, warnings: flagged }: { answers: PageAnswer[]; warnings: Warning[] },
  id: string,
): Done {
  const results = answers.flatMap((answer) => (answer.ok ? [pageText(answer.page)] : []));
  const failed = answers.flatMap((answer) =>
    answer.ok ? [] : [{ url: answer.url, error: answer.error }],
  );
  const warnings = [
    ...plan.warnings,
    ...undelivered(answers, plan.ask, plan.warnings),
    ...leftOutWarning(outcome.leftOut, outcome.of),
    ...distinct(outcome.warnings.map(({ warning }) => warning)),
    ...flagged,
  ];
  return {
    cost: outcome.cost,
    warnings,
    delivered: results.length,
    pieces: results,
    write: (usage, latencyMs) => {
      const head = `{"id":"${id}","provider":"${plan.chosen.provider.id}"`;
      const rest = JSON.stringify({ failed, warnings, usage, latency_ms: latencyMs });
      return `${head},"results":[${results.join(',')}],${rest.slice(1)}`;
    },
  };
}

/**
 * Keeps only what was requested, within its limits. A page with none of it is a failure, not an
 * empty result.
 */
export function asAsked(answer: PageAnswer | undefined, url: string, ask: ExtractAsk): PageAnswer {
  if (!answer) return { ok: false, url, error: 'the provider returned nothing for this address' };
  if (!answer.ok) return answer;
  const { content, excerpts, summary, final_url, links, images, ...page } = answer.page;
  const wanted = ask['content.excerpts'];
  const kept = {
    content: ask['content.full_text'] ? filled(content) : undefined,
    excerpts: wanted && excerpts && capExcerpts(excerpts, wanted),
    summary: ask['content.summary'] ? filled(summary) : undefined,
  };
  if (!filled(content) && !kept.summary && !kept.excerpts?.length) {
    return { ok: false, url, error: 'the page has no content' };
  }
  const maxChars = ask['content.max_chars'];
  if (kept.content !== undefined && maxChars !== undefined) {
    kept.content = cutTo(kept.content, maxChars);
  }
  return {
    ok: true,
    page: {
      ...page,
      ...kept,
      final_url: final_url === url || final_url === normalizeUrl(url) ? undefined : final_url,
      links: ask.include_links ? links : undefined,
      images: ask.include_images ? images : undefined,
    },
  };
}

/**
 * Content that the provider supports but that is missing from a page: one warning for each
 * parameter.
 */
export function undelivered(
  answers: readonly PageAnswer[],
  ask: ExtractAsk,
  given: readonly Warning[],
): Warning[] {
  const pages = answers.flatMap((answer) => (answer.ok ? [answer.page] : []));
  return partsOfAPage.flatMap(([param, part]): Warning[] => {
    const without = pages.filter((page) => page[part] === undefined).length;
    const known = given.some((warning) => warning.param === param);
    if (!ask[param] || without === 0 || known) return [];
    const message = `The provider could not return it for ${without} of ${pages.length} pages.`;
    return [{ code: 'param_approximated', param, message }];
  });
}

const partsOfAPage = [
  ['content.full_text', 'content'],
  ['content.excerpts', 'excerpts'],
  ['content.summary', 'summary'],
] as const;

interface ExcerptCaps {
  max_per_url?: number | undefined;
  max_chars_per_excerpt?: number | undefined;
}

function capExcerpts(
  excerpts: readonly string[],
  { max_per_url, max_chars_per_excerpt }: ExcerptCaps,
): string[] {
  return excerpts
    .slice(0, max_per_url)
    .map((text) =>
      max_chars_per_excerpt === undefined ? text : cutTo(text, max_chars_per_excerpt),
    );
}

function pageText({ raw, ...page }: Extracted): string {
  return `${JSON.stringify(page).slice(0, -1)},"raw":${raw}}`;
}
