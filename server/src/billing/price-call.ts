// Prices a call: the most it can cost before the provider is called, and its cost afterwards. Only
// here a figure from a price rule or a vendor becomes a checked amount. Also the refusals to pay.
import type { RequestPolicy } from '../policy/core/index.ts';
import type { Settings } from '../settings/index.ts';
import { GatewayError, type ProviderId, type ValidationIssue, tryLater } from '@trivium/contract';
import {
  type Amount,
  exactMicroUsd,
  highestCeiling,
  lesserOf,
  readUsd,
  toAmount,
  usd,
} from './core/amount.ts';
import type { Cost } from './core/prices.ts';
import type { Log } from '../platform/log.ts';
import type { BillingContext } from './context.ts';
import { type Caller, countWithin, type CurrentRequest } from '../requests/index.ts';
import { minuteCounters, rateLimitError } from '../requests/core/index.ts';
import type { PostedOutcome } from './posting.ts';
import { lockAccounts } from './store/ledger.ts';

/** `by_policy` is set if the caller's policy lowers the ceiling. */
type Ceiling = Pick<Settings, 'max_request_usd'> & { by_policy?: true };

/** The most that one request may hold or cost on this deployment. */
function ceilingOf({ max_request_usd }: Ceiling): Amount {
  return toAmount(exactMicroUsd(max_request_usd)) ?? highestCeiling;
}

type Options = Readonly<Record<string, unknown>>;

/** A call to price before the provider is called. */
interface Priced {
  provider: ProviderId;
  /** The caller's native options, which may affect the price. */
  options: Options;
  /** The paths of the native options that the price rule reads: no other affects the price. */
  reads: readonly string[];
  /** The price in micro-USD. */
  price: number;
  /** The price with other native options, used to find the options that make it too expensive. */
  priceWith: (options: Options) => number;
  /** The request field to name if no native option is the cause. */
  otherwise?: string;
}

/** The most that a call can cost. Throws a 400 when that exceeds the ceiling. */
export function maxCostOf(settings: Ceiling, priced: Priced): Amount {
  const amount = toAmount(priced.price, ceilingOf(settings));
  if (amount !== undefined) return amount;
  const { provider, options, reads, price, priceWith, otherwise = 'provider' } = priced;
  // Each check prices the whole request again, so options without a price are skipped.
  const names = new Set(reads.map((path) => path.split('.')[0] ?? path));
  const isCheaperWithout = (name: string) => {
    const { [name]: _removed, ...others } = options;
    return !(priceWith(others) >= price);
  };
  const given = [...names].filter((name) => Object.hasOwn(options, name));
  const causes = given.filter(isCheaperWithout);
  const paths = causes.map((name) => `provider_options.${provider}.${name}`);
  throw aboveCeiling(
    settings,
    { hold: price, worst: price },
    paths.length > 0 ? paths : [otherwise],
  );
}

/** The most that several calls of one request can cost together. */
export function maxCostOfAll(settings: Ceiling, parts: readonly Amount[], path: string): Amount {
  const ceiling = ceilingOf(settings);
  const sum = parts.reduce<number>((total, part) => total + part, 0);
  const amount = toAmount(sum, ceiling);
  if (amount === undefined) throw aboveCeiling(settings, { hold: sum, worst: sum }, [path]);
  return amount;
}

/** Throws a 400 if a transcription can cost more than one request is allowed to. */
export function checkCeiling(settings: Ceiling, cost: AskedCost, path: string): void {
  if (cost.worst > ceilingOf(settings)) throw aboveCeiling(settings, cost, [path]);
}

function aboveCeiling(settings: Ceiling, cost: AskedCost, paths: readonly string[]): GatewayError {
  const whose = settings.by_policy
    ? 'max_cost_usd of the account or key'
    : 'TRIVIUM_MAX_REQUEST_USD';
  const asked = Number.isFinite(cost.worst)
    ? mayCost(cost)
    : 'this request may cost more than the gateway can count';
  const message =
    `One request may cost at most ${usd(ceilingOf(settings))} USD on this gateway, and ${asked}. ` +
    advice(cost, `Request less, or have the operator raise ${whose}.`);
  const issues: ValidationIssue[] = paths.map((path) => ({ path, code: 'too_expensive', message }));
  const details = paths.map((path) => `${path}: ${message}`).join(' ');
  return new GatewayError('invalid_request', `The request is not valid. ${details}`, { issues });
}

/** The cost of a call, ready to settle. */
export interface CheckedCost {
  amount: Amount;
  /** Set if the vendor itself reported the amount, which may then exceed the hold. */
  reported?: Amount;
}

/**
 * A valid reported price is charged as it is, even above the hold. Otherwise the table price is,
 * which never exceeds the hold.
 */
export function checkCost(
  { log, settings }: { log: Log; settings: Ceiling },
  provider: ProviderId,
  { table, reported }: Cost,
  maxCost: Amount,
): CheckedCost {
  const ceiling = ceilingOf(settings);
  // Checked before rounding, because rounding would turn -1e-9 into 0.
  const isNotNegative = reported !== undefined && reported >= 0;
  // Rounded up to whole micro-USD, after removing floating-point error.
  const report = isNotNegative
    ? toAmount(Math.ceil(Math.round(reported * 1000) / 1000), ceiling)
    : undefined;
  if (report !== undefined) return { amount: report, reported: report };
  if (reported !== undefined) {
    log.warn(
      { provider, reported_micro_usd: String(reported), table_micro_usd: table },
      'the provider reported an invalid price; the table price is charged',
    );
  }
  return { amount: lesserOf(toAmount(table, ceiling) ?? maxCost, maxCost) };
}

/** The cost of several calls. If only some were reported, table prices count for the others. */
export function sumOfCosts(settings: Ceiling, costs: readonly CheckedCost[]): CheckedCost {
  const ceiling = ceilingOf(settings);
  const sum = costs.reduce<number>((total, { amount }) => total + amount, 0);
  const amount = toAmount(sum, ceiling) ?? ceiling;
  return costs.some(({ reported }) => reported !== undefined)
    ? { amount, reported: amount }
    : { amount };
}

/** The most that a request may hold: the limit of the deployment, or less if the policy says so. */
export function policyCeiling(
  settings: Pick<Settings, 'max_request_usd'>,
  policy: RequestPolicy | undefined,
): Ceiling {
  const ownUsd = policy?.max_cost_usd;
  if (ownUsd === undefined || ownUsd >= settings.max_request_usd) return settings;
  return { max_request_usd: ownUsd, by_policy: true };
}

/** Refuses a request that may cost more than the caller allows. */
export function checkMaxCost({ max_cost_usd }: CurrentRequest, cost: AskedCost): void {
  if (max_cost_usd === undefined) return;
  const allowed = readUsd(max_cost_usd);
  if (cost.worst <= allowed) return;
  throw insufficient(
    `The header x-max-cost-usd allows ${usd(allowed)} USD, and ${mayCost(cost)}.`,
    cost,
    'Request less, choose a cheaper provider, or raise the limit.',
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

/** A request that is not paid for. `others` is what any caller can do. */
function insufficient(
  message: string,
  cost: AskedCost,
  others: string,
  detail: object,
): GatewayError {
  return new GatewayError('insufficient_credits', `${message} ${advice(cost, others)}`, detail);
}

/** The error that the caller receives if the hold was not made. */
export function declined(outcome: PostedOutcome, cost: AskedCost, topUp: string): Error {
  if (outcome.kind === 'closed') return tookTooLong();
  if (outcome.kind === 'rate_limited') return rateLimitError(outcome);
  if (outcome.kind !== 'declined') return new Error(`a hold ended as ${outcome.kind}`);
  const leftUsd = usd(outcome.available);
  if (outcome.because === 'balance') {
    const isHeld = cost.longestMinutes === undefined ? 'may cost' : 'holds at first';
    return insufficient(
      `The balance of ${leftUsd} USD does not cover the ${usd(cost.hold)} USD that this request ` +
        `${isHeld}.`,
      cost,
      `Request less, or have an operator top up the account: ${topUp}`,
      { balance_usd: leftUsd, needed_usd: usd(cost.hold) },
    );
  }
  const needed = usd(cost.worst);
  if (outcome.because === 'exposure') {
    // All open jobs together could take the balance below the overdraft limit.
    const exposed = usd(outcome.exposed);
    const overdraft = usd(outcome.overdraft);
    const open = exposed === 0 ? '' : `, and open jobs up to ${exposed} USD beyond their holds`;
    return insufficient(
      `The balance of ${leftUsd} USD with the overdraft limit of ${overdraft} USD does not cover ` +
        `the most that transcriptions can cost: ${mayCost(cost)}${open}.`,
      cost,
      `Wait until open jobs end, or have an operator top up the account: ${topUp}`,
      {
        balance_usd: leftUsd,
        overdraft_usd: overdraft,
        exposed_usd: exposed,
        needed_usd: needed,
      },
    );
  }
  const cap = outcome.because.startsWith('daily') ? 'daily' : 'monthly';
  const budget = 'budget' in outcome ? outcome.budget : undefined;
  const whose =
    budget === undefined ? `${cap} cap of this key` : `${cap} budget of the tag ${budget}`;
  return insufficient(
    `The ${whose} leaves ${leftUsd} USD, and ${mayCost(cost)}.`,
    cost,
    `Wait, request less, or have the ${budget === undefined ? 'cap' : 'budget'} raised.`,
    { ...(budget === undefined ? {} : { budget }), cap, left_usd: leftUsd, needed_usd: needed },
  );
}

export function tookTooLong(): GatewayError {
  const message = 'The request took longer than its time limit. Nothing was charged; try again.';
  return tryLater('provider_not_available', message, 1);
}

/** In micro-USD. */
export interface AskedCost {
  /** The amount to hold. */
  hold: number;
  /** The most that the request can cost. Limits are compared with it. */
  worst: number;
  /** The longest allowed recording, if the length of this one is unknown. */
  longestMinutes?: number;
}

function mayCost({ worst, longestMinutes }: AskedCost): string {
  const what =
    longestMinutes === undefined
      ? 'this request'
      : `a recording of up to ${longestMinutes} minutes`;
  return `${what} may cost ${usd(worst)} USD`;
}

/** What the caller can do. `others` applies to every request. */
function advice({ longestMinutes }: AskedCost, others: string): string {
  if (longestMinutes === undefined) return others;
  const known = 'Upload the recording, so that its real length counts, or have the longest length';
  return `${known} lowered. Otherwise: ${others.charAt(0).toLowerCase()}${others.slice(1)}`;
}

/** Counts a request that holds nothing, such as an estimate, towards its rate limits. */
export async function countUnpaid(
  { database, clock, settings }: BillingContext,
  { account_id, key_id, policy }: Caller,
): Promise<void> {
  const by = { account_id, key_id, limits: policy?.limits };
  const perKeyMinute = settings.key_requests_per_minute;
  const counters = minuteCounters(perKeyMinute, by);
  if (counters.length === 0) return;
  const now = clock.now().getTime();
  const limited = await database.transaction(async (tx) => {
    // Locked like in the ledger, so that no request is counted between the two statements.
    await lockAccounts(tx, [account_id]);
    return countWithin(tx, { perKeyMinute, by, counters }, now);
  });
  if (limited) throw rateLimitError(limited);
}
