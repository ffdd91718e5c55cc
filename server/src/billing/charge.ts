// Pays for a request: the gateway holds the maximum price before it calls a provider, and settles
// the actual price before it sends the answer.
import type { ProviderId, Usage, Warning } from '@trivium/contract';
import { noRoom, uncountedBytes } from '../platform/byte-budget.ts';
import { lesserOf, zeroAmount, usageOf } from './core/amount.ts';
import type { Amount } from './core/amount.ts';
import type { HoldEntry } from './core/entries.ts';
import {
  answerToKeep,
  type Caller,
  checkProviders,
  type CostPart,
  keepForRetry,
  orLater,
  type RequestContext,
  requestRow,
  type Served,
  servedStatus,
  type Shown,
  storageFull,
  takeKept,
  takenOver,
  withoutText,
} from '../requests/index.ts';
import type { AskedCost } from './core/cost-words.ts';
import type { TimeLimits } from '../platform/time-limits.ts';
import type { BillingContext } from './context.ts';
import type { CheckedCost } from './price-call.ts';
import { checkMaxCost, declined, howToTopUp, tookTooLong } from './declined.ts';

/** A request whose maximum price is known and for which no provider has been called yet. */
export interface Work {
  /** The provider that serves, as the answer names it. */
  provider: string;
  /** Every provider that may be called. */
  calls: readonly ProviderId[];
  /** The most it can cost. */
  maxCost: Amount;
  time: TimeLimits;
}

/** An answer to be paid for. */
export interface Done {
  cost: CheckedCost;
  warnings: readonly Warning[];
  /** The cost of each provider, if several were paid. */
  parts?: readonly CostPart[];
  /** The results that a search returned, for feedback from its caller. */
  shown?: Shown;
  /** How many results or pages the answer has. */
  delivered: number;
  /** The response body, which states what was charged. */
  write: (usage: Usage, latencyMs: number) => string;
  /** The results as the body contains them, in the same order. */
  pieces?: readonly string[];
  headers?: Record<string, string>;
  /** True if the whole answer came from the cache. */
  fromCache?: boolean;
  /** What the caller of `settle` notes once the answer is paid for. */
  whenPaid?: () => void;
}

/** The money of a running request. */
interface Held {
  maxCost: Amount;
  at: number;
  /** Nothing is charged or stored. The limits of the key still apply. */
  isFree: boolean;
  /** The answer of an earlier attempt that could not be charged. */
  kept?: Done;
}

/** Holds the most that the work can cost, before any provider is called. */
export async function hold(
  context: BillingContext,
  requestContext: RequestContext,
  work: Work,
): Promise<Held> {
  const { maxCost } = work;
  requestContext.seen.provider = work.provider;
  checkProviders(requestContext.caller.policy, work.calls);
  if (requestContext.max_cost_usd !== undefined) checkMaxCost(requestContext, exactly(maxCost));
  checkRoom(context, requestContext);
  checkStorage(context, requestContext);
  context.writes?.check();
  const at = context.clock.now().getTime();
  await holdMaxCost(context, requestContext, work);
  if (!requestContext.retry_id) return { maxCost, at, isFree: false };
  const kept = takeKept(context, requestContext) as Done | undefined;
  return { maxCost, at, isFree: false, ...(kept ? { kept } : {}) };
}

/** Like `hold`, for an answer that costs nothing. */
export async function holdNothing(
  context: BillingContext,
  requestContext: RequestContext,
  work: Work,
): Promise<Held> {
  const free = { ...work, maxCost: zeroAmount };
  // The answer is stored under the idempotency key in the same transaction as its settlement.
  if (requestContext.claim) return hold(context, requestContext, free);
  requestContext.seen.provider = work.provider;
  checkProviders(requestContext.caller.policy, work.calls);
  const at = context.clock.now().getTime();
  await holdMaxCost(context, requestContext, free);
  return { maxCost: zeroAmount, at, isFree: true };
}

/** Waits for the answer. If there is none, releases the hold and charges nothing. */
export async function orRelease(
  context: BillingContext,
  requestContext: RequestContext,
  performed: Promise<Done>,
): Promise<Done> {
  try {
    return await performed;
  } catch (error) {
    await releaseHold(context, requestContext);
    throw error;
  }
}

/** Charges for the answer, and writes the response body. */
export function settle(
  context: BillingContext,
  requestContext: RequestContext,
  held: Held,
  done: Done,
): Promise<Served> {
  return held.isFree
    ? settleNothing(context, requestContext, done)
    : settleCost(context, requestContext, held, done);
}

async function settleNothing(
  context: BillingContext,
  requestContext: RequestContext,
  done: Done,
): Promise<Served> {
  await releaseHold(context, requestContext);
  const latencyMs = Math.round(context.clock.ticks() - requestContext.started);
  const text = countedText(requestContext, done.write(usageOf(zeroAmount), latencyMs));
  context.ledger.record(
    requestRow(context, requestContext, {
      status: servedStatus(requestContext),
      error_type: null,
      warnings: done.warnings,
      reported_cost: null,
      paid_by: 'cache',
      delivered: done.delivered,
      ...(done.shown ? { shown: done.shown } : {}),
    }),
  );
  return { status: 200, text, isFree: true, ...(done.headers ? { headers: done.headers } : {}) };
}

/** Refuses before a provider is called if the caller's answers could not be read in time. */
function checkRoom({ bytes }: Pick<BillingContext, 'bytes'>, { caller }: RequestContext): void {
  const whose = bytes?.isCrowded(caller.account_id);
  if (whose !== undefined) throw noRoom(whose);
}

/**
 * An answer that the caller can only read from the store has to be stored, so this refuses if
 * storage is full.
 */
function checkStorage({ stored }: Pick<BillingContext, 'stored'>, context: RequestContext): void {
  const { long_answer: isLong, caller } = context;
  if (!isLong || !stored || stored.hasRoom(caller, 0)) return;
  throw storageFull(stored.maxBytes(caller));
}

/** A long answer is in memory at the same time as the data it was made from. */
function countedText({ room }: RequestContext, text: string): string {
  if (text.length > uncountedBytes) room?.add(text.length);
  return text;
}

async function holdMaxCost(
  { ledger, clock, dashboardUrl }: Pick<BillingContext, 'ledger' | 'clock' | 'dashboardUrl'>,
  { request_id: id, caller, claim, tags, seen }: RequestContext,
  { maxCost, time }: Work,
): Promise<void> {
  const { account_id, key_id, uncapped = false, policy } = caller;
  const expiresAt = clock.now().getTime() + time.sumMs;
  const held = await ledger.hold(
    {
      id,
      account_id,
      key_id,
      uncapped,
      amount: maxCost,
      expires_at: expiresAt,
      ...(policy?.limits ? { limits: policy.limits } : {}),
      ...(tags === undefined ? {} : taggedHold(caller, tags)),
    },
    claim ? { under: claim } : {},
  );
  if (held.kind !== 'held')
    throw declined(held, exactly(maxCost), howToTopUp(account_id, dashboardUrl));
  seen.counted = true;
}

/** Holds everything that the request can cost. */
function exactly(maxCost: Amount): AskedCost {
  return { hold: maxCost, worst: maxCost };
}

function taggedHold({ budgets }: Caller, tags: string): Pick<HoldEntry, 'tags' | 'budgeted'> {
  const budgeted = budgets !== undefined && tags.split(',').some((tag) => budgets.has(tag));
  return budgeted ? { tags, budgeted } : { tags };
}

/** If the release fails, the hold expires. */
function releaseHold(
  context: Pick<BillingContext, 'ledger' | 'log' | 'clock'>,
  { request_id: id, caller }: RequestContext,
): Promise<void> {
  return orLater(context, 'a hold could not be released', () =>
    context.ledger.release({ id, account_id: caller.account_id }),
  );
}

/**
 * Once the settlement is on disk the answer may be sent, even if the hold has ended in the
 * meantime.
 */
async function settleCost(
  context: BillingContext,
  requestContext: RequestContext,
  { maxCost, at: heldAt }: Held,
  done: Done,
): Promise<Served> {
  const { request_id: id, caller, claim, started, long_answer: isLong = false } = requestContext;
  const { account_id, key_id } = caller;
  const { amount, reported } = done.cost;
  // Only a price reported by the vendor may exceed the hold.
  const cost = reported === undefined ? lesserOf(amount, maxCost) : amount;
  const isFree = done.fromCache === true && cost === 0;
  const latencyMs = Math.round(context.clock.ticks() - started);
  const text = countedText(requestContext, done.write(usageOf(cost), latencyMs));
  const request = requestRow(context, requestContext, {
    status: servedStatus(requestContext),
    error_type: null,
    warnings: done.warnings,
    held: maxCost,
    ...(done.parts ? { parts: done.parts } : {}),
    ...(done.shown ? { shown: done.shown } : {}),
    reported_cost: reported ?? null,
    paid_by: isFree ? 'cache' : 'settle',
    delivered: done.delivered,
  });
  const refused = (error: unknown): never => {
    void releaseHold(context, requestContext);
    keepForRetry(context, requestContext, { answer: done, chars: text.length, isFree, error });
    throw error;
  };
  const answered = { status: 200, text, isLong, pieces: done.pieces ?? [] };
  const kept = claim && (await answerToKeep(context, caller, claim, answered).catch(refused));
  const keyed = claim && kept ? { under: claim, answer: kept } : {};
  const held = { key_id, amount: maxCost, created_at: heldAt };
  const unheld = requestContext.tags === undefined ? held : { ...held, tags: requestContext.tags };
  const settled = await context.ledger
    .settle(
      { id, account_id, cost, may_exceed: reported !== undefined, unheld },
      { ...keyed, request },
    )
    .catch(refused);
  if (settled.kind !== 'settled') throw claim ? takenOver() : tookTooLong();
  if (!done.fromCache) {
    const { tool, seen } = requestContext;
    context.latencies?.note(tool, seen.provider ?? '', latencyMs);
  }
  // A client that can read the answer from the store later needs no copy of the text.
  const sentText = isLong && kept ? (withoutText(kept, id) ?? text) : text;
  const { headers } = done;
  return {
    ...{ status: 200, text: sentText },
    ...(isFree ? { isFree } : {}),
    ...(headers ? { headers } : {}),
  };
}
