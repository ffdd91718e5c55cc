// One provider extracts a list of pages, in batches or one by one as the provider requires. Every
// URL gets an outcome.
import type { Warning } from '@trivium/contract';
import {
  type ExtractProduct,
  isUnreadable,
  type PageOutcome,
  readAnswer,
  type ReadAnswer,
  sliceItems,
  vendorWarnings,
  type WireRequest,
} from '../providers/index.ts';
import type { Refusal, Reply } from '../upstream/core/index.ts';
import {
  type Budget,
  callProvider,
  unreadable,
  type UpstreamContext,
  withOptions,
} from '../upstream/index.ts';
import { maxSideBySide } from '../platform/time-limits.ts';
import type { ExtractCall, ExtractPlan } from './extract-plan.ts';
import { checkCost, type CheckedCost, sumOfCosts } from '../billing/index.ts';
import { pageNotAllowed } from '../requests/index.ts';
import type { ExtractOutcome, PageAnswer } from './extract-answer.ts';

/** The time limit of a body once the answer has begun, and its size limit. */
export const extractBounds = { bodyMs: 30_000, maxBytes: 32 * 1024 * 1024 };

/** Extracts the pages that the plan calls for, or only some of them. */
export async function performExtract(
  context: UpstreamContext,
  plan: ExtractPlan,
  budget: Budget,
  only?: readonly string[],
): Promise<ExtractOutcome> {
  const { chosen, product } = plan;
  const { repeat, pageFault } = product;
  const outcome: Recorded = { answers: new Map(), costs: [], warnings: [], leftOut: 0, of: 0 };
  const { unsent } = plan.addresses;
  for (const [url, error] of unsent)
    if (only?.includes(url) ?? true) failAll(outcome, [url], error);
  const refusals: (Refusal | undefined)[] = [];
  const calls = only ? plan.callsFor(only.filter((url) => !unsent.has(url))) : plan.requests;
  const waiting = [...calls];
  const work = async () => {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      const read = { run: readOne, plan: { plan, call } };
      const handling = { repeat, pageFault, read, awaits };
      const answers = await Promise.all(
        call.sent.map((wire) => callProvider(context, chosen, wire, budget, handling)),
      );
      const refused = answers.find((answer) => answer.kind === 'refused');
      if (refused) {
        refusals.push(recordRefusal(product, call, refused.refusal, outcome));
        continue;
      }
      const replies = answers.flatMap(replyOf);
      const more = furtherRequests(context, plan, call, replies);
      const further = await Promise.all(
        more.map((wire) => callProvider(context, chosen, wire, budget)),
      );
      // If the follow-up fails, the pages of the first answers are served without it.
      replies.push(...further.flatMap(replyOf));
      const [first] = answers;
      const value = first?.kind === 'answered' ? first.value : undefined;
      const pages = replies.length === 1 && value ? { read: value } : {};
      const done = { ...call, ...pages, sent: [...call.sent, ...more] };
      refusals.push(recordPages(context, plan, done, replies, outcome));
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxSideBySide, waiting.length) }, work));
  const first = refusals.find((refusal) => refusal !== undefined);
  const { costs, ...recorded } = outcome;
  const refused = first && !refusals.includes(undefined) ? { refusal: first } : {};
  return { ...recorded, cost: sumOfCosts(context.settings, costs), ...refused };
}

/** The results of the calls of one extraction so far. */
type Recorded = Omit<ExtractOutcome, 'cost' | 'refusal'> & { costs: CheckedCost[] };

function replyOf(answer: Awaited<ReturnType<typeof callProvider>>): Reply[] {
  return answer.kind === 'refused' ? [] : [answer.reply];
}

/** Returns a refusal that is not, or may not be, about the pages. */
function recordRefusal(
  { pageFault, mayBeOwnFault }: ExtractProduct,
  { urls }: ExtractCall,
  refusal: Refusal,
  outcome: Recorded,
): Refusal | undefined {
  const fault = pageFault?.(refusal);
  failAll(outcome, urls, fault ?? refusal.message);
  return fault === undefined || mayBeOwnFault?.(refusal) === true ? refusal : undefined;
}

const awaits = 'an extraction answer';

function readPages(
  { product, ask, now }: ExtractPlan,
  { urls }: ExtractCall,
  bodies: readonly unknown[],
): ReadAnswer<PageOutcome[]> {
  return readAnswer(bodies, product.raw_at, (some) =>
    product.fromReplies(some, { urls, ask, now }),
  );
}

/** An answer that cannot be valid at any position of its call is refused at once. */
function readOne(
  { plan, call }: { plan: ExtractPlan; call: ExtractCall },
  { body }: Reply,
): ReadAnswer<PageOutcome[]> {
  return readPages(
    plan,
    call,
    call.sent.map(() => body),
  );
}

function reportDefect({ metrics }: UpstreamContext, { chosen }: ExtractPlan, error: unknown): void {
  const isDefect = error !== undefined && !isUnreadable(error);
  if (isDefect) metrics?.adapterFailed(chosen.provider.id, error);
}

/** An unreadable answer needs no follow-up. Reading its pages reports the failure. */
function furtherRequests(
  context: UpstreamContext,
  plan: ExtractPlan,
  { urls }: ExtractCall,
  replies: readonly Reply[],
): WireRequest[] {
  try {
    const bodies = replies.map((reply) => reply.body);
    const more = plan.product.followUp?.(bodies, { urls, ask: plan.ask, now: plan.now }) ?? [];
    return more.map((wire) => withOptions(wire, plan.options));
  } catch (error) {
    reportDefect(context, plan, error);
    return [];
  }
}

function recordPages(
  context: UpstreamContext,
  plan: ExtractPlan,
  call: ExtractCall,
  replies: readonly Reply[],
  outcome: Recorded,
): Refusal | undefined {
  const bodies = replies.map((reply) => reply.body);
  const { raw_at } = plan.product;
  let read: ReadAnswer<PageOutcome[]>;
  try {
    read = call.read ?? readPages(plan, call, bodies);
  } catch (error) {
    reportDefect(context, plan, error);
    const [first] = replies;
    const refusal = first
      ? unreadable(first, awaits)
      : { kind: 'uncertain' as const, message: 'the provider returned nothing' };
    failAll(outcome, call.urls, refusal.message);
    return refusal;
  }
  reportDefect(context, plan, read.defect);
  outcome.leftOut += read.leftOut;
  outcome.of += read.of;
  const items = replies.map((reply) => sliceItems(reply, raw_at));
  for (const [at, url] of call.urls.entries()) {
    const page = read.value[at] ?? 'the provider returned nothing for this address';
    outcome.answers.set(url, allowedAnswer(answerOf(url, page, read, items), plan));
  }
  const delivered = call.urls.filter((url) => outcome.answers.get(url)?.ok).length;
  // A failed page is reported in `failed`, not in a warning.
  if (delivered > 0) {
    const { urls } = call;
    outcome.warnings.push(
      ...warningsOfVendor(plan, call, bodies).map((warning) => ({ urls, warning })),
    );
  }
  const { sent } = call;
  const keyless = plan.chosen.upstream.key === undefined;
  const { product, rates, ask } = plan;
  const priced = product.price.cost({ sent, bodies, delivered, keyless, rates, ask });
  outcome.costs.push(checkCost(context, plan.chosen.provider.id, priced, call.maxCost));
  return undefined;
}

/** The vendor's own warnings. With one page per call, the warning names the page. */
function warningsOfVendor(
  { product: { warnings, batch }, chosen }: ExtractPlan,
  { urls: [first] }: ExtractCall,
  bodies: readonly unknown[],
): Warning[] {
  if (!warnings) return [];
  const page = batch === 1 ? first : undefined;
  return bodies.flatMap((body) => vendorWarnings(chosen.provider.id, body, warnings, page));
}

function answerOf(
  url: string,
  page: PageOutcome,
  { originalItem }: ReadAnswer<unknown>,
  items: readonly (readonly string[])[],
): PageAnswer {
  if (typeof page === 'string') return { ok: false, url, error: page };
  const { reply = 0, item = 0, ...fields } = page;
  const raw = items[reply]?.[originalItem(reply, item)] ?? 'null';
  return { ok: true, page: { url, ...fields, raw } };
}

/** A page may lead to another domain than its address. */
function allowedAnswer(answer: PageAnswer, { allowsPage }: ExtractPlan): PageAnswer {
  if (!allowsPage || !answer.ok) return answer;
  const { url, final_url: finalUrl } = answer.page;
  if (finalUrl === undefined || allowsPage(finalUrl)) return answer;
  return { ok: false, url, error: `the page redirects to another one, and ${pageNotAllowed}` };
}

function failAll(outcome: Recorded, urls: readonly string[], error: string): void {
  for (const url of urls) outcome.answers.set(url, { ok: false, url, error });
}
