// Drives every paid request: a tool plans it, the gateway holds the maximum price, the tool does what
// it planned, and the gateway settles the actual price before it sends the answer.
import type { ProviderId, Usage, Warning } from '@trivium/contract';
import { noRoom, uncountedBytes } from '../platform/byte-budget.ts';
import { type Amount, lesserOf, usageOf, zeroAmount } from './core/amount.ts';
import type { HoldEntry } from './core/entries.ts';
import {
  type AskedCost,
  type CheckedCost,
  checkMaxCost,
  declined,
  howToTopUp,
  tookTooLong,
} from './price-call.ts';
import {
  answerToKeep,
  type Caller,
  checkProviders,
  type CostPart,
  type CurrentRequest,
  keepForRetry,
  orLater,
  requestRow,
  type Served,
  servedStatus,
  type Shown,
  storageFull,
  takenOver,
  takeUncharged,
  withoutText,
} from '../requests/index.ts';
import type { TimeLimits } from '../platform/time-limits.ts';
import type { BillingContext } from './context.ts';
import type { LinkedChange, PostedOutcome, TransactionExtras } from './posting.ts';

/**
 * What a paid request will do. It is decided before anything is held or called: nothing that runs
 * later chooses, prices or looks up again.
 */
type Plan = CallPlan | JobPlan;

interface Planned {
  /** The provider that serves, as the answer names it. */
  provider: string;
  /** Every provider that may be called. */
  calls: readonly ProviderId[];
  /** The most it can cost. */
  maxCost: Amount;
}

/** Calls providers at once. */
export interface CallPlan extends Planned {
  time: TimeLimits;
  /** The whole answer is known and costs nothing, so nothing is held. */
  isFree?: boolean;
  job?: undefined;
}

/** Accepts a job, which is performed and paid later. */
export interface JobPlan extends Planned {
  job: PlannedJob;
  /** The price of an hour of audio, for an estimate. */
  hourCost?: Amount;
}

/** What is held, and the most that can be charged. */
type Price = AskedCost & { hold: Amount; worst: Amount };

interface PlannedJob {
  holdId: `job:${string}`;
  /** What is held, and what the job can cost, which is `maxCost`. */
  price: Price;
  overdraft: Amount;
  /** Rows that are written together with the hold. */
  linked: LinkedChange;
  warnings: readonly Warning[];
  /** The receipt. */
  text: string;
}

/** How a tool serves paid requests. */
export interface Tool<Request, P extends Plan = Plan> {
  /** Throws if the request would be refused. Calls no provider. */
  plan(request: Request, currentRequest: CurrentRequest): P | Promise<P>;
  /** Does what was planned. */
  perform(plan: P, currentRequest: CurrentRequest): Promise<Done>;
  /** Called after the payment, or without `done` if nothing was performed. */
  ended?(plan: P, currentRequest: CurrentRequest, done?: Done): void;
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
  /** What the tool notes once the answer is paid for. */
  whenPaid?: () => void;
}

/** Plans, holds the most it can cost, performs, and settles the actual cost. */
export async function runPaid<Request>(
  context: BillingContext,
  tool: Tool<Request>,
  request: Request,
  currentRequest: CurrentRequest,
): Promise<Served> {
  const planned = tool.plan(request, currentRequest);
  const plan = planned instanceof Promise ? await planned : planned;
  if (plan.job) {
    const served = await acceptJob(context, currentRequest, plan);
    tool.ended?.(plan, currentRequest);
    return served;
  }
  const holding = hold(context, currentRequest, plan);
  const held = holding instanceof Promise ? await holding : holding;
  // An answer that an earlier attempt could not charge.
  let done = takeUncharged(context, currentRequest) as Done | undefined;
  try {
    done ??= await tool.perform(plan, currentRequest);
  } catch (error) {
    await releaseHold(context, currentRequest);
    tool.ended?.(plan, currentRequest);
    throw error;
  }
  const served = await pay(context, currentRequest, held, done);
  tool.ended?.(plan, currentRequest, done);
  return served;
}

/** The hold of a running request. */
interface Held {
  amount: Amount;
  at: number;
  /** Nothing is charged or stored. The limits of the key still apply. */
  isFree: boolean;
}

/** Holds the most that the plan can cost, before any provider is called. */
function hold(
  context: BillingContext,
  currentRequest: CurrentRequest,
  { provider, calls, isFree: isKnown = false, maxCost, time }: CallPlan,
): Held | Promise<Held> {
  const { caller, claim, seen } = currentRequest;
  const amount = isKnown ? zeroAmount : maxCost;
  const price = { hold: amount, worst: amount };
  seen.provider = provider;
  checkProviders(caller.policy, calls);
  // An answer under an idempotency key is stored in the transaction of its settlement.
  const isFree = isKnown && claim === undefined;
  if (!isFree) {
    checkMaxCost(currentRequest, price);
    checkMemory(context, currentRequest);
    checkStorage(context, currentRequest);
    context.writes?.check();
  }
  const at = context.clock.now().getTime();
  const entry = { id: currentRequest.request_id, expires_at: at + time.sumMs };
  const held = { amount, at, isFree };
  const holding = holdAmount(context, currentRequest, entry, price);
  return holding ? holding.then(() => held) : held;
}

/**
 * Commits the hold, the job and the row of the request log in one transaction, so that a job exists
 * if and only if its receipt may be sent.
 */
async function acceptJob(
  context: BillingContext,
  currentRequest: CurrentRequest,
  { provider, calls, job }: JobPlan,
): Promise<Served> {
  const { holdId, price, overdraft, linked, warnings, text } = job;
  const { caller, claim, seen } = currentRequest;
  seen.provider = provider;
  checkProviders(caller.policy, calls);
  checkMaxCost(currentRequest, price);
  context.writes?.check();
  const accepted = { status: 202, text };
  const request = requestRow(context, currentRequest, {
    status: accepted.status,
    error_type: null,
    warnings,
    held: price.hold,
    reported_cost: null,
    paid_by: holdId,
    delivered: null,
  });
  const answer = claim && (await answerToKeep(context, caller, claim, accepted));
  const entry = { id: holdId, worst_case: price.worst, overdraft, expires_at: null };
  const extras = { request, linked, ...(answer ? { answer } : {}) };
  await holdAmount(context, currentRequest, entry, price, extras);
  return accepted;
}

/** Refuses before a provider is called if the caller's answers could not be read in time. */
function checkMemory({ bytes }: Pick<BillingContext, 'bytes'>, { caller }: CurrentRequest): void {
  const whose = bytes?.isCrowded(caller.account_id);
  if (whose !== undefined) throw noRoom(whose);
}

/**
 * An answer that the caller can only read from the store has to be stored, so this refuses if
 * storage is full.
 */
function checkStorage({ stored }: Pick<BillingContext, 'stored'>, context: CurrentRequest): void {
  const { long_answer: isLong, caller } = context;
  if (!isLong || !stored || stored.hasRoom(caller, 0)) return;
  throw storageFull(stored.maxBytes(caller));
}

/** A promise if memory has not decided at once. Throws if nothing is held. */
function holdAmount(
  { ledger, dashboardUrl }: Pick<BillingContext, 'ledger' | 'dashboardUrl'>,
  { caller, claim, tags, seen }: CurrentRequest,
  entry: Pick<HoldEntry, 'id' | 'worst_case' | 'overdraft' | 'expires_at'>,
  price: Price,
  extras?: TransactionExtras,
): Promise<void> | undefined {
  const { account_id, key_id, uncapped = false, policy } = caller;
  const check = (outcome: PostedOutcome) => {
    if (outcome.kind !== 'held') {
      throw declined(outcome, price, howToTopUp(account_id, dashboardUrl));
    }
    seen.counted = true;
  };
  const holding = ledger.hold(
    {
      ...entry,
      amount: price.hold,
      account_id,
      key_id,
      uncapped,
      limits: policy?.limits,
      ...(tags === undefined ? {} : taggedHold(caller, tags)),
    },
    claim ? { ...extras, under: claim } : extras,
  );
  if (holding instanceof Promise) return holding.then(check);
  check(holding);
  return undefined;
}

function taggedHold({ budgets }: Caller, tags: string): Pick<HoldEntry, 'tags' | 'budgeted'> {
  const budgeted = budgets !== undefined && tags.split(',').some((tag) => budgets.has(tag));
  return budgeted ? { tags, budgeted } : { tags };
}

/** If the release fails, the hold expires. */
function releaseHold(
  context: Pick<BillingContext, 'ledger' | 'log' | 'clock'>,
  { request_id: id, caller }: CurrentRequest,
): Promise<void> {
  return orLater(context, 'a hold could not be released', () =>
    context.ledger.release({ id, account_id: caller.account_id }),
  );
}

/**
 * Writes the response body, and charges for it. Once the settlement is on disk the answer may be
 * sent, even if the hold has ended in the meantime.
 */
async function pay(
  context: BillingContext,
  currentRequest: CurrentRequest,
  { amount: held, at, isFree: isUnpaid }: Held,
  done: Done,
): Promise<Served> {
  const { request_id: id, caller, claim, started, tags, long_answer: isLong } = currentRequest;
  const { account_id, key_id } = caller;
  const { ledger, clock, latencies } = context;
  const { amount, reported } = done.cost;
  // Only a price reported by the vendor may exceed the hold.
  const mayExceed = reported !== undefined && !isUnpaid;
  const cost = mayExceed ? amount : lesserOf(amount, held);
  const isFree = isUnpaid || (done.fromCache === true && cost === 0);
  const latencyMs = Math.round(clock.ticks() - started);
  const text = done.write(usageOf(cost), latencyMs);
  // A long answer is in memory at the same time as the data it was made from.
  if (text.length > uncountedBytes) currentRequest.room?.add(text.length);
  const request = requestRow(context, currentRequest, {
    status: servedStatus(currentRequest),
    error_type: null,
    warnings: done.warnings,
    ...(isUnpaid ? {} : { held, ...(done.parts ? { parts: done.parts } : {}) }),
    ...(done.shown ? { shown: done.shown } : {}),
    reported_cost: reported ?? null,
    paid_by: isFree ? 'cache' : 'settle',
    delivered: done.delivered,
  });
  const abandon = (error: unknown): never => {
    void releaseHold(context, currentRequest);
    keepForRetry(context, currentRequest, { answer: done, chars: text.length, isFree, error });
    throw error;
  };
  const answered = { status: 200, text, isLong: isLong === true, pieces: done.pieces ?? [] };
  const answer = claim && (await answerToKeep(context, caller, claim, answered).catch(abandon));
  if (isUnpaid) {
    await releaseHold(context, currentRequest);
    ledger.record(request);
  } else {
    const ended = { key_id, amount: held, created_at: at };
    const unheld = tags === undefined ? ended : { ...ended, tags };
    const entry = { id, account_id, cost, may_exceed: mayExceed, unheld };
    const extras = claim && answer ? { under: claim, answer, request } : { request };
    const outcome = await ledger.settle(entry, extras).catch(abandon);
    if (outcome.kind !== 'settled') throw claim ? takenOver() : tookTooLong();
    currentRequest.seen.cost = cost;
  }
  if (!done.fromCache)
    latencies?.note(currentRequest.tool, currentRequest.seen.provider ?? '', latencyMs);
  return {
    status: 200,
    // A client that can read the answer from the store later needs no copy of the text.
    text: (isLong && answer && withoutText(answer, id)) ?? text,
    ...(isFree ? { isFree } : {}),
    ...(done.headers ? { headers: done.headers } : {}),
  };
}
