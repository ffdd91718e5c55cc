// POST /v1/extract: takes URLs, and returns clean content and an outcome for every URL.
import { normalizeUrl } from '@trivium/contract';
import type { ExtractRequest, Warning } from '@trivium/contract';
import type { ExtractAsk } from '../negotiation/index.ts';
import { filled, leftOutWarning } from '../providers/index.ts';
import { cutTo } from '../search/core/index.ts';
import { answerId } from '../platform/ids.ts';
import { type Done, hold, holdNothing, orRelease, settle, type Work } from '../billing/index.ts';
import type { RequestContext, Served } from '../requests/index.ts';
import { type CacheContext, type CacheUse, cacheUseOf } from '../cache/index.ts';
import { type ContentContext, guardItems, type KeepText } from '../content/index.ts';
import { cachedPages, extractThrough, readPage } from './cached-pages.ts';
import type { CachedPages } from './cached-pages.ts';
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
import { extractBounds, performExtract } from './extract-pages.ts';
import { callsMs, defaultPageMs, timeForExtract, timeWithWait } from '../platform/time-limits.ts';
import { planExtract } from './extract-plan.ts';
import type { ExtractPlan } from './extract-plan.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import { answerFor } from './page-addresses.ts';
import { refusePrivatePages } from './private-pages.ts';
import type { ExtractOutcome } from './page-answer.ts';
import type { Extracted } from './page-answer.ts';
import type { PageAnswer } from './page-answer.ts';

type ExtractContext = ToolContext & Pick<CacheContext, 'cache'> & ContentContext;

/** Plans, holds the most it can cost, calls, and settles the actual cost. */
export async function extract(
  context: ExtractContext,
  request: ExtractRequest,
  requestContext: RequestContext,
): Promise<Served> {
  const call = { request, requestContext, chosen: choose(context, request, requestContext) };
  const use = requestContext.cache_seconds
    ? cacheUseOf(context, requestContext, readPage)
    : undefined;
  const cached = use && (await lookUp(call, use));
  const planned = plan(context, call, cached);
  // No money is held for pages that are in the cache, unless other providers may be asked for them.
  const isFree = cached?.ids.every(cached.use.knows) && !asksAfterEmpty(context, planned.work);
  const acquire = isFree ? holdNothing : hold;
  const held = await acquire(context, requestContext, planned.work);
  const done =
    held.kept ??
    (await orRelease(context, requestContext, perform(context, call, planned, cached)));
  return settle(context, requestContext, held, done);
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
  return providersInTurn(context.providers, 'extract', provider, order, account_id);
}

/** Throws if the provider cannot serve the request. */
export function priceOfExtract(
  context: ToolContext,
  chosen: ReadyProvider,
  request: ExtractRequest,
  policy?: RequestPolicy,
): number {
  const plan = planExtract(context, chosen, request, policy);
  if (request.strict) strictRefusal(chosen.provider.id, plan.warnings);
  return plan.maxCost;
}

/** The entries of an extraction in the cache, and those that it reads first. */
type Found = CachedPages & { ids: readonly string[] };

async function lookUp({ request, chosen: [first] }: PageCall, use: CacheUse): Promise<Found> {
  const cached = cachedPages(use, request);
  const ids = request.urls.map((url) => cached.idOf(first.provider.id, normalizeUrl(url)));
  await use.look(ids);
  return { ...cached, ids };
}

/** What an extraction will call and may cost. No provider is called. */
export function prepareExtract(
  context: ToolContext,
  request: ExtractRequest,
  requestContext: RequestContext,
): Work {
  const chosen = choose(context, request, requestContext);
  return plan(context, { request, requestContext, chosen }).work;
}

/** What an extraction will do: ask providers in turn until one serves it. */
interface Planned {
  work: Work;
  providers: readonly ProviderPlan[];
}

interface ProviderPlan {
  work: Work;
  plan: ExtractPlan;
}

function plan(context: ToolContext, call: PageCall, cached?: Found): Planned {
  const { requestContext, chosen } = call;
  const { work, plans } = planInTurn(
    context,
    requestContext,
    chosen,
    planOne,
    context,
    call,
    cached,
  );
  // Another caller may be fetching the same pages.
  const time = cached ? timeWithWait(work.time) : work.time;
  return { work: { ...work, time }, providers: plans };
}

function planOne(
  chosen: ReadyProvider,
  context: ToolContext,
  { request, requestContext }: PageCall,
  cached: CachedPages | undefined,
): ProviderPlan {
  const { id } = chosen.provider;
  refusePrivatePages(context.settings, chosen, request.urls);
  const { policy } = requestContext.caller;
  const planned = planExtract(context, chosen, request, policy, cached?.isKnown);
  if (request.strict) strictRefusal(id, planned.warnings);
  const { provider_queue_ms: queueMs } = context.settings;
  const time = timeForExtract(queueMs, request.timeout_ms, planned.calls.length);
  return { work: { provider: id, calls: [id], maxCost: planned.maxCost, time }, plan: planned };
}

async function perform(
  context: ExtractContext,
  call: PageCall,
  { providers }: Planned,
  cached: Found | undefined,
): Promise<Done> {
  const { requestContext } = call;
  const done = await performInTurn(
    context,
    requestContext,
    providers,
    performOne,
    context,
    call,
    cached,
  );
  return cached ? { ...done, ...cached.use.report() } : done;
}

async function performOne(
  { work: { time }, plan: planned }: ProviderPlan,
  context: ExtractContext,
  { request, requestContext }: PageCall,
  cached: CachedPages | undefined,
): Promise<Done> {
  const { signal, room, request_id, seen, caller } = requestContext;
  const { chosen } = planned;
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
      planExtract(context, chosen, { ...request, urls }, caller.policy),
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
