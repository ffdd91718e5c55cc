// One provider extracts a list of pages: batched or fanned out as it needs, and every address
// accounted for.
import type { Warning } from '@trivium/contract';
import { readAnswer } from '../domain/readable-items.ts';
import type { ReadAnswer } from '../domain/readable-items.ts';
import type { Refusal, Reply } from '../domain/refusal.ts';
import { vendorWarnings } from '../domain/vendor-warnings.ts';
import { sliceItems } from '../domain/verbatim.ts';
import type { Page, PageOutcome, WireRequest } from '../providers/provider.ts';
import { callProvider } from './call-provider.ts';
import type { Budget } from './call-provider.ts';
import { max_side_by_side } from './extract-plan.ts';
import type { ExtractCall, ExtractPlan } from './extract-plan.ts';
import type { House } from './house.ts';
import { unreadable } from './judge-call.ts';
import { checkCost, sumOfCosts } from './price-call.ts';
import type { CheckedCost } from './price-call.ts';
import { withOptions } from './search-one.ts';

/** A page with the vendor's own object as the text it came in. */
export type Extracted = Omit<Page, 'reply' | 'item'> & { raw: string };

export type PageAnswer = { ok: true; page: Extracted } | { ok: false; url: string; error: string };

export interface ExtractOutcome {
  /** One answer for each distinct address. */
  answers: Map<string, PageAnswer>;
  cost: CheckedCost;
  /** What the vendor itself warns of. */
  warnings: Warning[];
  /** How many items of the provider's answers could not be read, of how many. */
  leftOut: number;
  of: number;
  /** Set when no call got through, for a reason of the provider's own. */
  refusal?: Refusal;
}

/** What an answer may take once it has begun, and how large it may be. */
export const extract_bounds = { body_ms: 30_000, max_bytes: 32 * 1024 * 1024 };
export async function performExtract(
  house: House,
  plan: ExtractPlan,
  budget: Budget,
): Promise<ExtractOutcome> {
  const outcome: Recorded = { answers: new Map(), costs: [], warnings: [], leftOut: 0, of: 0 };
  for (const [url, error] of plan.addresses.unsent) failAll(outcome, [url], error);
  const refusals: Refusal[] = [];
  const waiting = [...plan.calls];
  const work = async () => {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      const refusal = await performCall(house, plan, call, budget, outcome);
      if (refusal) refusals.push(refusal);
    }
  };
  await Promise.all(Array.from({ length: Math.min(max_side_by_side, waiting.length) }, work));
  const [first] = refusals;
  const cost = sumOfCosts(house.settings, outcome.costs);
  const refused = first && refusals.length === plan.calls.length ? { refusal: first } : {};
  const { answers, warnings, leftOut, of } = outcome;
  return { answers, warnings, cost, leftOut, of, ...refused };
}

/** What the calls of one extraction have brought so far. */
interface Recorded {
  answers: ExtractOutcome['answers'];
  costs: CheckedCost[];
  warnings: Warning[];
  leftOut: number;
  of: number;
}

/**
 * Records what became of each address of one call; returns a refusal that was not the pages' fault.
 */
async function performCall(
  house: House,
  plan: ExtractPlan,
  call: ExtractCall,
  budget: Budget,
  outcome: Recorded,
): Promise<Refusal | undefined> {
  const { repeat, pageFault } = plan.product;
  const read = (reply: Reply) => readAlone(plan, call, reply);
  const manner = { repeat, pageFault, read, awaits };
  const heard = await Promise.all(
    call.sent.map((wire) => callProvider(house, plan.chosen, wire, budget, manner)),
  );
  const replies: Reply[] = [];
  let readAlready: ReadAnswer<PageOutcome[]> | undefined;
  for (const answer of heard) {
    if (answer.kind === 'answered') readAlready = answer.value;
    if (answer.kind !== 'refused') {
      replies.push(answer.reply);
      continue;
    }
    const fault = plan.product.pageFault?.(answer.refusal);
    failAll(outcome, call.urls, fault ?? answer.refusal.message);
    return fault === undefined ? answer.refusal : undefined;
  }
  const more = furtherRequests(plan, call, replies);
  const further = await Promise.all(
    more.map((wire) => callProvider(house, plan.chosen, wire, budget)),
  );
  // What a second round cannot bring is missing from pages that are there all the same.
  for (const answer of further) if (answer.kind !== 'refused') replies.push(answer.reply);
  const pages = replies.length === 1 && readAlready ? { read: readAlready } : {};
  const done = { ...call, ...pages, sent: [...call.sent, ...more] };
  return recordPages(house, plan, done, replies, outcome);
}

const awaits = 'an extraction answer';

/** Throws for an answer that could not stand in any place among the answers of its call. */
function readAlone(
  { product, ask, now }: ExtractPlan,
  { urls, sent }: ExtractCall,
  { body }: Reply,
): ReadAnswer<PageOutcome[]> {
  const bodies = sent.map(() => body);
  const read = readAnswer(bodies, product.raw_at, (some) =>
    product.fromReplies(some, { urls, ask, now }),
  );
  if (!read) throw new Error('not an extraction answer');
  return read;
}

/** An answer that cannot be read asks for nothing; reading it as pages says so. */
function furtherRequests(
  plan: ExtractPlan,
  { urls }: ExtractCall,
  replies: readonly Reply[],
): WireRequest[] {
  try {
    const bodies = replies.map((reply) => reply.body);
    const more = plan.product.followUp?.(bodies, { urls, ask: plan.ask, now: plan.now }) ?? [];
    return more.map((wire) => withOptions(wire, plan.options));
  } catch {
    return [];
  }
}

function recordPages(
  house: House,
  plan: ExtractPlan,
  call: ExtractCall,
  replies: readonly Reply[],
  outcome: Recorded,
): Refusal | undefined {
  const bodies = replies.map((reply) => reply.body);
  const input = { urls: call.urls, ask: plan.ask, now: plan.now };
  const { raw_at } = plan.product;
  const read =
    call.read ?? readAnswer(bodies, raw_at, (some) => plan.product.fromReplies(some, input));
  if (!read) {
    const [first] = replies;
    const refusal = first
      ? unreadable(first, awaits)
      : { kind: 'uncertain' as const, message: 'the provider answered nothing' };
    failAll(outcome, call.urls, refusal.message);
    return refusal;
  }
  outcome.leftOut += read.leftOut;
  outcome.of += read.of;
  const items = replies.map((reply) => sliceItems(reply, raw_at));
  for (const page of read.value) {
    if (page.ok) page.item = read.originalItem(page.reply, page.item);
    outcome.answers.set(page.url, answerOf(page, items));
  }
  const unanswered = call.urls.filter((url) => !outcome.answers.has(url));
  failAll(outcome, unanswered, 'the provider returned nothing for this address');
  const delivered = call.urls.filter((url) => outcome.answers.get(url)?.ok).length;
  // A page that failed is told of where it failed.
  if (delivered > 0) outcome.warnings.push(...theirs(plan, call, bodies));
  const { sent } = call;
  const keyless = plan.chosen.upstream.key === undefined;
  const { product, rates, ask } = plan;
  const priced = product.price.cost({ sent, bodies, delivered, keyless, rates, ask });
  outcome.costs.push(checkCost(house, plan.chosen.provider.id, priced, call.maxCost));
  return undefined;
}

/** What the vendor itself warns of; where it reads one page a call, the page is named. */
function theirs(
  { product: { warnings, batch }, chosen }: ExtractPlan,
  { urls: [first] }: ExtractCall,
  bodies: readonly unknown[],
): Warning[] {
  if (!warnings) return [];
  const page = batch === 1 ? first : undefined;
  return bodies.flatMap((body) => vendorWarnings(chosen.provider.id, body, warnings, page));
}

function answerOf(page: PageOutcome, items: readonly (readonly string[])[]): PageAnswer {
  if (!page.ok) return { ok: false, url: page.url, error: page.error };
  const { ok: _ok, reply, item, ...shown } = page;
  return { ok: true, page: { ...shown, raw: items[reply]?.[item] ?? 'null' } };
}

function failAll(outcome: Recorded, urls: readonly string[], error: string): void {
  for (const url of urls) outcome.answers.set(url, { ok: false, url, error });
}
