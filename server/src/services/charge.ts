// Pays for a request: no provider is called without a hold, no answer leaves before its settle.
import type { ProviderId, Usage } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { lesserOf } from '../domain/amount.ts';
import type { Amount } from '../domain/amount.ts';
import type { TooOften } from '../domain/ledger/pace.ts';
import { readUsd, usageOf, usd } from '../domain/money.ts';
import { checkAllowed } from './allow-list.ts';
import type { Asking, House } from './house.ts';
import { answerToKeep } from './idempotency.ts';
import { requestRow, servedStatus } from './log-request.ts';
import type { Posted } from './post-batch.ts';
import type { CheckedCost } from './price-call.ts';

/** A request ready to run: its price is bounded, and nobody has been called yet. */
export interface Work {
  /** Who serves, as the answer names it. */
  provider: string;
  /** Everyone who may be called. */
  calls: readonly ProviderId[];
  /** The most it can cost. */
  maxCost: Amount;
  /** The longest it can take. */
  lasts_ms: number;
  /** Throws when there is nothing to charge for. */
  perform: () => Promise<Done>;
}

export interface Done {
  cost: CheckedCost;
  warnings: number;
  /** How many results or pages the answer carries. */
  delivered: number;
  /** The response body, which states what was charged. */
  write: (usage: Usage, latency_ms: number) => string;
  headers?: Record<string, string>;
}

export interface Served {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

/** What a hold outlives its request by, so that a slow clock elsewhere does not sweep it away. */
const hold_margin_ms = 5000;

export async function charge(house: House, asking: Asking, work: Work): Promise<Served> {
  asking.seen.provider = work.provider;
  checkAllowed(asking.caller, work.calls);
  checkMaxCost(asking, work);
  const { request_id: id, caller, claim: under } = asking;
  const { account_id, key_id, uncapped = false } = caller;
  const rider = under ? { under } : {};
  const expires_at = house.clock.now().getTime() + work.lasts_ms + hold_margin_ms;
  const held = await house.ledger.hold(
    { id, account_id, key_id, uncapped, amount: work.maxCost, expires_at },
    rider,
  );
  if (held.kind !== 'held') throw declined(held, work.maxCost);
  const done = await performOrRelease(house, asking, work);
  const { amount, reported } = done.cost;
  // Only a price that the vendor itself reported may exceed what was held for it.
  const cost = reported === undefined ? lesserOf(amount, work.maxCost) : amount;
  const latency_ms = Math.round(house.clock.ticks() - asking.started);
  const text = done.write(usageOf(cost), latency_ms);
  const request = requestRow(house, asking, {
    status: servedStatus(asking),
    error_type: null,
    warnings: done.warnings,
    reported_cost: reported ?? null,
    paid_by: 'settle',
    delivered: done.delivered,
  });
  const answer = under ? { answer: answerToKeep(house, 200, text) } : {};
  const settled = await house.ledger.settle(
    { id, account_id, cost, may_exceed: reported !== undefined },
    { ...rider, ...answer, request },
  );
  if (settled.kind !== 'settled') throw tookTooLong();
  return { status: 200, text, ...(done.headers ? { headers: done.headers } : {}) };
}

async function performOrRelease(house: House, asking: Asking, work: Work): Promise<Done> {
  try {
    return await work.perform();
  } catch (error) {
    const { request_id: id, caller } = asking;
    // Should this fail as well, the hold expires by itself; the caller hears of the first trouble.
    await house.ledger.release({ id, account_id: caller.account_id }).catch((second: unknown) => {
      house.log.warn({ err: second, request_id: id }, 'a hold could not be released');
    });
    throw error;
  }
}

/** Refuses what may cost more than the caller allows. */
export function checkMaxCost({ max_cost_usd }: Asking, { maxCost }: Pick<Work, 'maxCost'>): void {
  if (max_cost_usd === undefined) return;
  const allowed = readUsd(max_cost_usd);
  if (maxCost <= allowed) return;
  throw new GatewayError(
    'insufficient_credits',
    `This request may cost ${usd(maxCost)} USD, more than the ${usd(allowed)} USD that ` +
      'x-max-cost-usd allows. Ask for less, choose a cheaper provider, or raise the limit.',
    { max_cost_usd: usd(allowed), needed_usd: usd(maxCost) },
  );
}

/** The refusal of a hold, in the caller's words. */
export function declined(outcome: Posted['outcome'], needed: number): Error {
  if (outcome.kind === 'closed') return tookTooLong();
  if (outcome.kind === 'too_often') return tooOften(outcome);
  if (outcome.kind !== 'declined') return new Error(`a hold ended as ${outcome.kind}`);
  const needed_usd = usd(needed);
  const left_usd = usd(outcome.available);
  if (outcome.because === 'balance') {
    return new GatewayError(
      'insufficient_credits',
      `The balance of ${left_usd} USD does not cover the ${needed_usd} USD that this request ` +
        'may cost. Top up the account, or ask for less.',
      { balance_usd: left_usd, needed_usd },
    );
  }
  const cap = outcome.because === 'daily_cap' ? 'daily' : 'monthly';
  return new GatewayError(
    'insufficient_credits',
    `The ${cap} cap of this key leaves ${left_usd} USD, and this request may cost ` +
      `${needed_usd} USD. Wait, ask for less, or have the cap raised.`,
    { cap, left_usd, needed_usd },
  );
}

function tooOften({ per_minute, retry_after_s }: TooOften): GatewayError {
  return new GatewayError(
    'rate_limited',
    `This key may make ${per_minute} requests a minute, and has made them. ` +
      `Try again in ${retry_after_s} s, or have the limit raised. Nothing was charged.`,
    { requests_per_minute: per_minute, retry_after_s },
    { headers: { 'retry-after': String(retry_after_s) } },
  );
}

function tookTooLong(): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The request took longer than it may, so it was given up. Nothing was charged; try again.',
    undefined,
    { status: 503 },
  );
}
