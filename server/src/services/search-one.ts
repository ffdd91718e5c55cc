// One engine serves one search: negotiated, sent, mapped, filtered and priced. Fusion runs several
// of these.
import type { SearchEngineId, SearchRequest, Warning } from '@trivium/contract';
import { filterResults } from '../domain/negotiation/after.ts';
import { searchAsks } from '../domain/negotiation/asks.ts';
import type { SearchAsk } from '../domain/negotiation/asks.ts';
import { negotiate } from '../domain/negotiation/negotiate.ts';
import type { Negotiated } from '../domain/negotiation/negotiate.ts';
import { mergeBody, mergeQuery } from '../domain/options.ts';
import type { Amount } from '../domain/amount.ts';
import { zeroAmount } from '../domain/amount.ts';
import type { Rates } from '../domain/prices.ts';
import { readAnswer } from '../domain/readable-items.ts';
import type { Refusal, Reply } from '../domain/refusal.ts';
import { capSnippets } from '../domain/text.ts';
import type { SnippetCaps } from '../domain/text.ts';
import { vendorWarnings } from '../domain/vendor-warnings.ts';
import { sliceItems } from '../domain/verbatim.ts';
import type { Hit, SearchProduct, WireRequest } from '../providers/provider.ts';
import { callProvider } from './call-provider.ts';
import type { Budget } from './call-provider.ts';
import type { Chosen } from './choose-provider.ts';
import type { House } from './house.ts';
import { checkCost, maxCostOf } from './price-call.ts';
import type { CheckedCost } from './price-call.ts';

export interface SearchPlan {
  chosen: Chosen;
  product: SearchProduct;
  ask: SearchAsk;
  negotiated: Negotiated;
  sent: WireRequest[];
  rates: Rates;
  /** The most it can cost. */
  maxCost: Amount;
  now: Date;
}

/** A result with the vendor's own object as the text it came in. */
export interface Found extends Hit {
  raw: string;
}

export type SearchOutcome =
  | {
      ok: true;
      found: Found[];
      warnings: Warning[];
      cost: CheckedCost;
      /** The vendor's answer, the first where there are several. */
      body?: unknown;
    }
  | { ok: false; refusal: Refusal };

export const search_timeout_ms = 30_000;
/** What an answer may take once it has begun, and how large it may be. */
export const search_bounds = { body_ms: 10_000, max_bytes: 16 * 1024 * 1024 };

export function planSearch(house: House, chosen: Chosen, request: SearchRequest): SearchPlan {
  const product = chosen.provider.search;
  if (!product) throw new Error(`${chosen.provider.id} has no search product`);
  const now = house.clock.now();
  const negotiated = negotiate(product.supports, searchAsks(request), now);
  const ask = negotiated.granted as unknown as SearchAsk;
  const options = request.provider_options?.[chosen.provider.id as SearchEngineId] ?? {};
  const wires = product.toRequests({ ask, now });
  const sentWith = (given: typeof options) => wires.map((wire) => withOptions(wire, given));
  const sent = sentWith(options);
  const rates = house.prices[chosen.provider.id]?.search ?? {};
  const keyless = chosen.upstream.key === undefined;
  const delivered = ask.max_results;
  const maxCost = maxCostOf(house.settings, {
    provider: chosen.provider.id,
    options,
    reads: product.price.reads,
    priceWith: (given) => {
      const call = { sent: given === options ? sent : sentWith(given), delivered, keyless, rates };
      return product.price.cost({ ...call, bodies: [] }).table;
    },
  });
  return { chosen, product, ask, negotiated, sent, rates, maxCost, now };
}

/** What a caller of this one engine gets: snippets within the caps asked for. */
export async function performSearch(
  house: House,
  plan: SearchPlan,
  budget: Budget,
): Promise<SearchOutcome> {
  const outcome = await performUncapped(house, plan, budget);
  if (!outcome.ok) return outcome;
  const caps = snippetCaps(plan.ask);
  for (const hit of outcome.found) hit.snippets = capSnippets(hit.snippets, caps);
  return outcome;
}

/** The same with all snippets, for a merge that has to see them before they are capped. */
export async function performUncapped(
  house: House,
  plan: SearchPlan,
  budget: Budget,
): Promise<SearchOutcome> {
  const manner = {
    repeat: plan.product.repeat,
    read: (reply: Reply) => readReply(plan, reply),
    awaits: 'a search answer',
  };
  const outcomes = await Promise.all(
    plan.sent.map((wire) => callProvider(house, plan.chosen, wire, budget, manner)),
  );
  const replies: Reply[] = [];
  const pages: ReadPages[] = [];
  const answered = outcomes.some(({ kind }) => kind !== 'refused');
  for (const outcome of outcomes) {
    if (outcome.kind === 'answered') {
      replies.push(outcome.reply);
      if (outcome.value) pages.push(outcome.value);
    }
    if (outcome.kind !== 'refused') continue;
    // A caller who left before the last page was asked for pays for the pages that came.
    if (outcome.refusal.kind === 'abandoned' && answered) continue;
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
  const { kept, warnings } = filterResults(
    read.found.slice(0, plan.ask.max_results),
    plan.negotiated.filters,
    plan.negotiated.warnings,
    plan.now,
  );
  const priced = plan.product.price.cost({
    sent: plan.sent,
    bodies: replies.map((reply) => reply.body),
    delivered: read.found.length,
    keyless: plan.chosen.upstream.key === undefined,
    rates: plan.rates,
  });
  const cost = checkCost(house, plan.chosen.provider.id, priced, plan.maxCost);
  const late = outcomes.flatMap((outcome) =>
    outcome.kind === 'answered' && outcome.warning ? [outcome.warning] : [],
  );
  const odd = leftOutWarning(read.leftOut, read.of);
  const told = [...warnings, ...odd, ...late, ...theirs(plan, replies)];
  return { ok: true, found: kept, warnings: told, cost, body: replies[0]?.body };
}

/** What the vendor itself warns of. */
function theirs({ chosen, product }: SearchPlan, replies: readonly Reply[]): Warning[] {
  const { warnings } = product;
  if (!warnings) return [];
  return replies.flatMap(({ body }) => vendorWarnings(chosen.provider.id, body, warnings));
}

export function withOptions(wire: WireRequest, options: Record<string, unknown>): WireRequest {
  if (wire.body) return { ...wire, body: mergeBody(wire.body, options) };
  return { ...wire, query: mergeQuery(wire.query ?? {}, options) };
}

interface ReadPages {
  found: Found[];
  leftOut: number;
  of: number;
}

/** Throws when the answer is not what the vendor promises; an odd item is left out and counted. */
function readReply(plan: SearchPlan, reply: Reply): ReadPages {
  const { product } = plan;
  const read = readAnswer([reply.body], product.raw_at, ([body]) =>
    withAddresses(product.fromReply(body, plan)),
  );
  if (!read) throw new Error('not a search answer');
  const items = sliceItems(reply, product.raw_at);
  const found = read.value.map((hit) => {
    hit.item = read.originalItem(0, hit.item);
    return withRaw(hit, items);
  });
  return { found, leftOut: read.leftOut, of: read.of };
}

/** All pages as one list without repeats. */
function joinPages(plan: SearchPlan, replies: readonly ReadPages[]): ReadPages {
  const pages: ReadPages = {
    found: replies.flatMap(({ found }) => found),
    leftOut: replies.reduce((sum, { leftOut }) => sum + leftOut, 0),
    of: replies.reduce((sum, { of }) => sum + of, 0),
  };
  const from = plan.product.skip?.(plan.ask) ?? 0;
  if (replies.length === 1 && from === 0) return pages;
  const seen = new Set<string>();
  const found = pages.found.slice(from).filter((hit) => !seen.has(hit.url) && seen.add(hit.url));
  return { ...pages, found };
}

/** A result without an address is nothing to a caller. */
function withAddresses(hits: Hit[]): Hit[] {
  if (hits.some(({ url }) => url.trim() === '')) throw new Error('a result has no address');
  return hits;
}

/** Told for search and extraction alike. */
export function leftOutWarning(leftOut: number, of: number): Warning[] {
  if (leftOut === 0) return [];
  const which = `${leftOut} of ${of} items of the provider's answer`;
  const message = `${which} could not be read and were left out.`;
  return [{ code: 'results_post_filtered', message }];
}

/** The adapter made the hit for us alone, so it is added to rather than copied. */
function withRaw(hit: Hit & { raw?: string }, items: readonly string[]): Found {
  hit.raw = items[hit.item] ?? 'null';
  return hit as Found;
}

function snippetCaps(ask: SearchAsk): SnippetCaps {
  return {
    max_per_result: ask['content.snippets.max_per_result'],
    max_chars_per_snippet: ask['content.snippets.max_chars_per_snippet'],
  };
}
