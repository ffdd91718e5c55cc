// The errors for a request that is not paid for: it exceeds a limit, a balance, a cap or a budget.
import { GatewayError } from '@trivium/contract';
import type { LedgerOutcome } from './core/ledger-outcome.ts';
import { advice, mayCost } from './core/cost-words.ts';
import type { AskedCost } from './core/cost-words.ts';
import { readUsd, usd } from './core/amount.ts';
import type { BillingContext } from './context.ts';
import type { RequestContext } from '../requests/index.ts';
import { rateLimitError } from '../requests/core/index.ts';
import type { Posted } from './posting.ts';

/** Refuses a request that may cost more than the caller allows. */
export function checkMaxCost({ max_cost_usd }: RequestContext, cost: AskedCost): void {
  if (max_cost_usd === undefined) return;
  const allowed = readUsd(max_cost_usd);
  if (cost.worst <= allowed) return;
  throw new GatewayError(
    'insufficient_credits',
    `The header x-max-cost-usd allows ${usd(allowed)} USD, and ${mayCost(cost)}. ` +
      advice(cost, 'Request less, choose a cheaper provider, or raise the limit.'),
    { max_cost_usd: usd(allowed), needed_usd: usd(cost.worst) },
  );
}

/** Suggested to a caller whose balance is empty. */
const topUpUsd = 10;

/** The command works only with an operator's token, so any caller may read it. */
export function howToTopUp(
  accountId: string,
  dashboardUrl: BillingContext['dashboardUrl'],
): string {
  const dashboard = dashboardUrl === undefined ? '' : `, or in the dashboard at ${dashboardUrl()}/`;
  return `trivium topup ${topUpUsd} --account ${accountId} --reason 'top-up'${dashboard}`;
}

/** The error that the caller receives if the hold was not made. */
export function declined(outcome: Posted['outcome'], cost: AskedCost, topUp: string): Error {
  if (outcome.kind === 'closed') return tookTooLong();
  if (outcome.kind === 'rate_limited') return rateLimitError(outcome);
  if (outcome.kind !== 'declined') return new Error(`a hold ended as ${outcome.kind}`);
  if (outcome.because === 'exposure') return overExposed(outcome, cost, topUp);
  const leftUsd = usd(outcome.available);
  if (outcome.because === 'balance') {
    const isHeld = cost.longestMinutes === undefined ? 'may cost' : 'holds at first';
    const others = `Request less, or have an operator top up the account: ${topUp}`;
    return new GatewayError(
      'insufficient_credits',
      `The balance of ${leftUsd} USD does not cover the ${usd(cost.hold)} USD that this request ` +
        `${isHeld}. ${advice(cost, others)}`,
      { balance_usd: leftUsd, needed_usd: usd(cost.hold) },
    );
  }
  if ('budget' in outcome) return overBudget(outcome, cost);
  const cap = outcome.because === 'daily_cap' ? 'daily' : 'monthly';
  return new GatewayError(
    'insufficient_credits',
    `The ${cap} cap of this key leaves ${leftUsd} USD, and ${mayCost(cost)}. ` +
      advice(cost, 'Wait, request less, or have the cap raised.'),
    { cap, left_usd: leftUsd, needed_usd: usd(cost.worst) },
  );
}

type OverExposed = Extract<LedgerOutcome, { because: 'exposure' }>;

/** All open jobs together could take the balance below the overdraft limit. */
function overExposed(outcome: OverExposed, cost: AskedCost, topUp: string): GatewayError {
  const { available, exposed, overdraft } = outcome;
  const open = exposed === 0 ? '' : `, and open jobs up to ${usd(exposed)} USD beyond their holds`;
  const others = `Wait until open jobs end, or have an operator top up the account: ${topUp}`;
  return new GatewayError(
    'insufficient_credits',
    `The balance of ${usd(available)} USD with the overdraft limit of ${usd(overdraft)} USD does ` +
      `not cover the most that transcriptions can cost: ${mayCost(cost)}${open}. ` +
      advice(cost, others),
    {
      balance_usd: usd(available),
      overdraft_usd: usd(overdraft),
      exposed_usd: usd(exposed),
      needed_usd: usd(cost.worst),
    },
  );
}

type OverBudget = Extract<LedgerOutcome, { budget: string }>;

function overBudget({ because, budget, available }: OverBudget, cost: AskedCost): GatewayError {
  const cap = because === 'daily_budget' ? 'daily' : 'monthly';
  return new GatewayError(
    'insufficient_credits',
    `The ${cap} budget of the tag ${budget} leaves ${usd(available)} USD, and ` +
      `${mayCost(cost)}. ${advice(cost, 'Wait, request less, or have the budget raised.')}`,
    { budget, cap, left_usd: usd(available), needed_usd: usd(cost.worst) },
  );
}

export function tookTooLong(): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The request took longer than its time limit. Nothing was charged; try again.',
    undefined,
    { status: 503, headers: { 'retry-after': '1' } },
  );
}
