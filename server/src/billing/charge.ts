// Pays for a request: the gateway holds the maximum price before it calls a provider, and settles
// the real one before the answer leaves.
import type { ProviderId, Usage, Warning } from '@trivium/contract';
import { noRoom, uncountedBytes } from '../platform/byte-budget.ts';
import { lesserOf, zeroAmount } from './core/amount.ts';
import type { Amount } from './core/amount.ts';
import type { HoldEntry } from './core/entries.ts';
import type { CostPart } from './core/request-detail.ts';
import type { AskedCost } from './core/cost-words.ts';
import { usageOf } from './core/money.ts';
import type { TimeLimits } from '../platform/time-limits.ts';
import { checkProviders } from './policy-checks.ts';
import type { BillingContext } from './context.ts';
import type { Caller, RequestContext, Served } from './request-context.ts';
import { answerToKeep, takenOver } from './idempotency.ts';
import { withoutText } from './answer-parts.ts';
import { storageFull } from './stored-bytes.ts';
import { keepForRetry, takeKept } from './kept-answers.ts';
import { requestRow, servedStatus } from './request-log.ts';
import { orLater } from './retry-later.ts';
import type { CheckedCost } from './price-call.ts';
import { checkMaxCost, declined, howToTopUp, tookTooLong } from './declined.ts';

/** A request that is ready to run: its price is bounded, and no provider has been called yet. */
export interface Work {
  /** The provider that serves, as the answer names it. */
  provider: string;
  /** Every provider that may be called. */
  calls: readonly ProviderId[];
  /** The most it can cost. */
  maxCost: Amount;
  time: TimeLimits;
  /** Calls the provider. Throws when there is nothing to charge for. */
  perform: () => Promise<Done>;
}

export interface Done {
  cost: CheckedCost;
  warnings: readonly Warning[];
  /** What each provider cost, where several were paid. */
  parts?: readonly CostPart[];
  /** How many results or pages the answer has. */
  delivered: number;
  /** The response body, which states what was charged. */
  write: (usage: Usage, latencyMs: number) => string;
  /** The results as the body has them, in its order. */
  pieces?: readonly string[];
  headers?: Record<string, string>;
  /** Nothing of the answer was fetched for this request. */
  fromCache?: boolean;
}

export async function charge(
  context: BillingContext,
  requestContext: RequestContext,
  work: Work,
): Promise<Served> {
  requestContext.seen.provider = work.provider;
  checkProviders(requestContext.caller.policy, work.calls);
  checkMaxCost(requestContext, exactly(work.maxCost));
  checkRoom(context, requestContext);
  checkStorage(context, requestContext);
  context.writes?.check();
  const heldAt = context.clock.now().getTime();
  await holdMaxCost(context, requestContext, work);
  const kept = takeKept(context, requestContext) as Done | undefined;
  const done = kept ?? (await performOrRelease(context, requestContext, work));
  return settle(context, requestContext, work, { done, heldAt });
}

/** Serves an answer that costs nothing: the limits of the key apply, and no money moves. */
export async function serveFree(
  context: BillingContext,
  requestContext: RequestContext,
  work: Work,
): Promise<Served> {
  const free = { ...work, maxCost: zeroAmount };
  // The answer is stored under the idempotency key in the transaction of its settlement.
  if (requestContext.claim) return charge(context, requestContext, free);
  requestContext.seen.provider = work.provider;
  checkProviders(requestContext.caller.policy, work.calls);
  await holdMaxCost(context, requestContext, free);
  const done = await performOrRelease(context, requestContext, free);
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
    }),
  );
  return { status: 200, text, ...(done.headers ? { headers: done.headers } : {}) };
}

/** A provider is not asked for what could not be read in time. */
function checkRoom({ bytes }: Pick<BillingContext, 'bytes'>, { caller }: RequestContext): void {
  const whose = bytes?.isCrowded(caller.account_id);
  if (whose !== undefined) throw noRoom(whose);
}

/** An answer that its caller can read only from the store must be stored. */
function checkStorage({ stored }: Pick<BillingContext, 'stored'>, context: RequestContext): void {
  const { long_answer: isLong, caller } = context;
  if (!isLong || !stored || stored.hasRoom(caller, 0)) return;
  throw storageFull(stored.maxBytes(caller));
}

/** A long answer is in memory beside what it was made of. */
function countedText({ room }: RequestContext, text: string): string {
  if (text.length > uncountedBytes) room?.add(text.length);
  return text;
}

async function holdMaxCost(
  { ledger, clock, dashboardUrl }: Pick<BillingContext, 'ledger' | 'clock' | 'dashboardUrl'>,
  { request_id: id, caller, claim, tags }: RequestContext,
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
}

/** All that a request can cost is held. */
function exactly(maxCost: Amount): AskedCost {
  return { hold: maxCost, worst: maxCost };
}

function taggedHold({ budgets }: Caller, tags: string): Pick<HoldEntry, 'tags' | 'budgeted'> {
  const budgeted = budgets !== undefined && tags.split(',').some((tag) => budgets.has(tag));
  return budgeted ? { tags, budgeted } : { tags };
}

async function performOrRelease(
  context: Pick<BillingContext, 'ledger' | 'log' | 'clock'>,
  requestContext: RequestContext,
  work: Work,
): Promise<Done> {
  try {
    return await work.perform();
  } catch (error) {
    await releaseHold(context, requestContext);
    throw error;
  }
}

/** If this fails, the hold expires by itself. */
function releaseHold(
  context: Pick<BillingContext, 'ledger' | 'log' | 'clock'>,
  { request_id: id, caller }: RequestContext,
): Promise<void> {
  return orLater(context, 'a hold could not be released', () =>
    context.ledger.release({ id, account_id: caller.account_id }),
  );
}

/** The answer may leave once its settlement is on disk, also when its hold has ended meanwhile. */
async function settle(
  context: BillingContext,
  requestContext: RequestContext,
  { maxCost }: Work,
  { done, heldAt }: { done: Done; heldAt: number },
): Promise<Served> {
  const { request_id: id, caller, claim, started, long_answer: isLong = false } = requestContext;
  const { account_id, key_id } = caller;
  const { amount, reported } = done.cost;
  // Only a price that the vendor itself reported may exceed the hold.
  const cost = reported === undefined ? lesserOf(amount, maxCost) : amount;
  const latencyMs = Math.round(context.clock.ticks() - started);
  const text = countedText(requestContext, done.write(usageOf(cost), latencyMs));
  const request = requestRow(context, requestContext, {
    status: servedStatus(requestContext),
    error_type: null,
    warnings: done.warnings,
    held: maxCost,
    ...(done.parts ? { parts: done.parts } : {}),
    reported_cost: reported ?? null,
    paid_by: done.fromCache && cost === 0 ? 'cache' : 'settle',
    delivered: done.delivered,
  });
  const refused = (error: unknown): never => {
    void releaseHold(context, requestContext);
    keepForRetry(context, requestContext, { answer: done, chars: text.length, error });
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
  // A client that reads it from the store later needs no copy.
  const shown = isLong && kept ? (withoutText(kept, id) ?? text) : text;
  return { status: 200, text: shown, ...(done.headers ? { headers: done.headers } : {}) };
}
