// One search on one engine: negotiated, sent, mapped, filtered and priced, or taken from the cache.
// Fusion runs several of these, and shares the entries of the cache with searches on one engine.
import {
  defaultMaxResults,
  type SearchEngineId,
  type SearchRequest,
  type Warning,
} from '@trivium/contract';
import {
  filterResults,
  negotiate,
  type Negotiated,
  searchAsk,
  type SearchAsk,
  searchAsks,
} from '../negotiation/index.ts';
import { type Rates, zeroAmount } from '../billing/core/index.ts';
import {
  type Hit,
  leftOutWarning,
  readAnswer,
  type SearchProduct,
  sliceItems,
  UnreadableAnswer,
  vendorWarnings,
  type WireRequest,
} from '../providers/index.ts';
import type { Refusal, Reply } from '../upstream/core/index.ts';
import type { CurrentRequest } from '../requests/index.ts';
import {
  type Budget,
  type CallOutcome,
  callProvider,
  type ReadyProvider,
  type UpstreamContext,
  withOptions,
  yieldToOptions,
} from '../upstream/index.ts';
import {
  type CallPlan,
  checkCost,
  type CheckedCost,
  maxCostOf,
  policyCeiling,
} from '../billing/index.ts';
import { timeForSearch, type TimeLimits } from '../platform/time-limits.ts';
import type { AllowsPage, RequestPolicy } from '../policy/core/index.ts';
import { capSnippets } from './core/merge.ts';

/** A search on one engine. */
export interface SearchPlan extends CallPlan {
  chosen: ReadyProvider;
  product: SearchProduct;
  ask: SearchAsk;
  negotiated: Negotiated;
  sent: WireRequest[];
  rates: Rates;
  now: Date;
  /** The caller's policy. Absent if every page is allowed. */
  allowsPage?: AllowsPage;
}

/** A result with the vendor's own object, as the text that was received. */
export interface Found extends Hit {
  raw: string;
}

export type SearchOutcome =
  | {
      ok: true;
      found: Found[];
      warnings: Warning[];
      cost: CheckedCost;
      /** The vendor's answer, or the first one if there are several. */
      body?: unknown;
      /** Set if pages are missing because the caller disconnected before they were fetched. */
      partial?: true;
    }
  | { ok: false; refusal: Refusal };

/** Of a body, once the answer has begun. */
const bodyMs = 10_000;
const maxBytes = 16 * 1024 * 1024;

export function budgetFor(
  { caller, seen, room, signal }: CurrentRequest,
  { vendorMs }: TimeLimits,
): Budget {
  const { account_id } = caller;
  const { attempts } = seen;
  return { account_id, timeout_ms: vendorMs, bodyMs, maxBytes, attempts, room, signal };
}

export function planSearch(
  context: UpstreamContext,
  chosen: ReadyProvider,
  request: SearchRequest,
  policy?: RequestPolicy,
  /** True if the answer is in the cache and costs nothing. */
  isFree = false,
  /** True if the options say what the parameters say. */
  isDerived = false,
): SearchPlan {
  const product = chosen.provider.search;
  if (!product) throw new Error(`${chosen.provider.id} has no search product`);
  const now = context.clock.now();
  const asks = searchAsks(request);
  const asked = negotiate(product.supports, asks, now);
  const ask = searchAsk(asked.granted);
  const given = request.provider_options?.[chosen.provider.id as SearchEngineId];
  const options = given ?? {};
  const wires = product.toRequests({ ask, now });
  const negotiated = given
    ? yieldToOptions(asked, {
        provider: chosen.provider.id,
        supports: product.supports,
        asks,
        now,
        defaults: { max_results: defaultMaxResults },
        options,
        isDerived,
        toRequests: (granted) => product.toRequests({ ask: searchAsk(granted), now }),
      })
    : asked;
  const sent = given ? wires.map((wire) => withOptions(wire, options)) : wires;
  const rates = context.prices[chosen.provider.id]?.search ?? {};
  const keyless = chosen.upstream.key === undefined;
  const priced = { delivered: ask.max_results, keyless, rates, bodies: [] };
  const ceiling = isFree ? context.settings : policyCeiling(context.settings, policy);
  const maxCost = maxCostOf(ceiling, {
    provider: chosen.provider.id,
    options,
    reads: product.price.reads,
    price: product.price.cost({ ...priced, sent }).table,
    priceWith: (given) =>
      product.price.cost({ ...priced, sent: wires.map((wire) => withOptions(wire, given)) }).table,
  });
  const plan = {
    provider: chosen.provider.id,
    calls: [chosen.provider.id],
    time: timeForSearch(context.settings.provider_queue_ms),
    chosen,
    product,
    ask: negotiated === asked ? ask : searchAsk(negotiated.granted),
    negotiated,
    sent,
    rates,
    maxCost,
    now,
  };
  return policy?.allowsPage ? { ...plan, allowsPage: policy.allowsPage } : plan;
}

/** Applies the caller's limits on snippets, in place. Fusion applies them after it has merged. */
export function capSnippetsOf({ ask }: SearchPlan, found: Found[]): Found[] {
  const caps = {
    max_per_result: ask['content.snippets.max_per_result'],
    max_chars_per_snippet: ask['content.snippets.max_chars_per_snippet'],
  };
  if (caps.max_per_result === undefined && caps.max_chars_per_snippet === undefined) return found;
  for (const hit of found) hit.snippets = capSnippets(hit.snippets, caps);
  return found;
}

/** Returns all snippets. */
export function performSearch(
  context: UpstreamContext,
  plan: SearchPlan,
  budget: Budget,
): Promise<SearchOutcome> {
  const handling = {
    repeat: plan.product.repeat,
    read: { run: readReply, plan: { context, plan } },
    awaits: 'a search answer',
  };
  const calls = plan.sent.map((wire) => callProvider(context, plan.chosen, wire, budget, handling));
  const [only, ...others] = calls;
  const finish = (outcomes: CallOutcome<ReadPages>[]) => outcomeOf(context, plan, outcomes);
  if (only && others.length === 0) return only.then((one) => finish([one]));
  return Promise.all(calls).then(finish);
}

/** The outcome of a search whose calls have ended. */
function outcomeOf(
  context: UpstreamContext,
  plan: SearchPlan,
  outcomes: readonly CallOutcome<ReadPages>[],
): SearchOutcome {
  const replies: Reply[] = [];
  const pages: ReadPages[] = [];
  const late: Warning[] = [];
  let missing = false;
  const answered = outcomes.some(({ kind }) => kind !== 'refused');
  for (const outcome of outcomes) {
    if (outcome.kind === 'answered') {
      replies.push(outcome.reply);
      if (outcome.value) pages.push(outcome.value);
      if (outcome.warning) late.push(outcome.warning);
    }
    if (outcome.kind !== 'refused') continue;
    // A caller who disconnected before the last page pays for the pages that were received.
    if (outcome.refusal.kind === 'abandoned' && answered) {
      missing = true;
      continue;
    }
    return { ok: false, refusal: outcome.refusal };
  }
  if (replies.length === 0)
    return {
      ok: true,
      found: [],
      warnings: plan.negotiated.warnings,
      cost: { amount: zeroAmount },
    };
  const read = joinPages(plan, pages);
  const found = read.found.slice(0, plan.ask.max_results);
  const { filters, warnings: known } = plan.negotiated;
  const filtered =
    filters.length === 0
      ? { kept: found, warnings: known }
      : filterResults(found, filters, known, plan.now);
  const { kept, warnings } = plan.allowsPage ? allowedOnly(filtered, plan.allowsPage) : filtered;
  const priced = plan.product.price.cost({
    sent: plan.sent,
    bodies: replies.map((reply) => reply.body),
    delivered: read.found.length,
    keyless: plan.chosen.upstream.key === undefined,
    rates: plan.rates,
  });
  const cost = checkCost(context, plan.chosen.provider.id, priced, plan.maxCost);
  const unreadable = leftOutWarning(read.leftOut, read.of);
  const allWarnings = [...warnings, ...unreadable, ...late, ...warningsOfVendor(plan, replies)];
  return {
    ok: true,
    found: kept,
    warnings: allWarnings,
    cost,
    body: replies[0]?.body,
    ...(missing ? { partial: true } : {}),
  };
}

/** Removes pages that the caller's policy does not allow. */
function allowedOnly(
  { kept: found, warnings }: { kept: Found[]; warnings: Warning[] },
  allowsPage: AllowsPage,
): { kept: Found[]; warnings: Warning[] } {
  const kept = found.filter(({ url }) => allowsPage(url));
  const removed = found.length - kept.length;
  if (removed === 0) return { kept, warnings };
  const message = `${removed} of ${found.length} results removed: ${pagesNotAllowed}.`;
  return { kept, warnings: [...warnings, { code: 'results_post_filtered', message }] };
}

const pagesNotAllowed = 'the policy of this account or key does not allow their domains';

/** The vendor's own warnings. */
function warningsOfVendor({ chosen, product }: SearchPlan, replies: readonly Reply[]): Warning[] {
  const { warnings } = product;
  if (!warnings) return [];
  return replies.flatMap(({ body }) => vendorWarnings(chosen.provider.id, body, warnings));
}

interface ReadPages {
  found: Found[];
  leftOut: number;
  of: number;
}

/** Throws if the answer does not match the vendor's documentation. Counts unreadable items. */
function readReply(
  { context: { metrics }, plan }: { context: UpstreamContext; plan: SearchPlan },
  reply: Reply,
): ReadPages {
  const { product } = plan;
  const read = readAnswer([reply.body], product.raw_at, readHits, plan);
  if (read.defect !== undefined) metrics?.adapterFailed(plan.chosen.provider.id, read.defect);
  const items = sliceItems(reply, product.raw_at);
  const found: Found[] = [];
  for (const hit of read.value) {
    hit.item = read.originalItem(0, hit.item);
    found.push(withRaw(hit, items));
  }
  return { found, leftOut: read.leftOut, of: read.of };
}

/** Joins all pages into one list, without results that an earlier page had as well. */
function joinPages(plan: SearchPlan, replies: readonly ReadPages[]): ReadPages {
  const from = plan.product.skip?.(plan.ask) ?? 0;
  const [only] = replies;
  if (only && replies.length === 1) {
    return from === 0 ? only : { ...only, found: only.found.slice(from) };
  }
  const first = new Map<string, number>();
  const found = replies
    .flatMap((reply, page) => reply.found.map((hit) => ({ hit, page })))
    .slice(from)
    .filter(({ hit: { url }, page }) => {
      if (!first.has(url)) first.set(url, page);
      return first.get(url) === page;
    })
    .map(({ hit }) => hit);
  return {
    found,
    leftOut: replies.reduce((sum, { leftOut }) => sum + leftOut, 0),
    of: replies.reduce((sum, { of }) => sum + of, 0),
  };
}

/** A result without a URL is useless to a caller. */
function readHits([body]: readonly unknown[], plan: SearchPlan): Hit[] {
  const hits = plan.product.fromReply(body, plan);
  if (hits.some(({ url }) => url.trim() === ''))
    throw new UnreadableAnswer('a result has no address');
  return hits;
}

/** The adapter created the hit for this search, so it can be changed in place. */
function withRaw(hit: Hit & { raw?: string }, items: readonly string[]): Found {
  hit.raw = items[hit.item] ?? 'null';
  return hit as Found;
}
