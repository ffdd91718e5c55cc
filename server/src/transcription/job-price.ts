// What a transcription holds, and the most that it can cost. The length of a recording is known
// only if it was uploaded to this gateway; otherwise the longest allowed recording counts towards
// every limit.
import {
  type Amount,
  exactMicroUsd,
  greatestOf,
  highestCeiling,
  lesserOf,
  toAmount,
} from '../billing/core/index.ts';
import { type AskedCost, checkCeiling, policyCeiling } from '../billing/index.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import { optionsSent } from '../providers/index.ts';
import type { JobContext, JobSettings } from './job-context.ts';
import { plannedAttempt } from './transcribe-plan.ts';
import type { TranscribePlan } from './transcribe-plan.ts';

interface JobPrice extends AskedCost {
  hold: Amount;
  worst: Amount;
  /** The recording length whose price is held. */
  heldSeconds: number;
}

const secondsPerMinute = 60;

/**
 * Providers measure a recording by decoding it, so their length may differ slightly from the
 * header.
 */
const lengthMargin = 1.01;

/** Throws if the caller's policy or the deployment allows less. */
export function priceJob(
  context: PriceContext & { settings: JobSettings },
  policy: RequestPolicy | undefined,
  plan: TranscribePlan,
  knownSeconds: number | undefined,
): JobPrice {
  const price = priceOf(context, policy, plan, knownSeconds);
  const path = price.longestMinutes === undefined ? 'provider' : 'audio_url';
  checkCeiling(policyCeiling(context.settings, policy), price, path);
  return price;
}

function priceOf(
  context: PriceContext & { settings: JobSettings },
  policy: RequestPolicy | undefined,
  plan: TranscribePlan,
  knownSeconds: number | undefined,
): JobPrice {
  if (knownSeconds !== undefined) {
    const heldSeconds = Math.ceil(knownSeconds * lengthMargin);
    const hold = priceOfSeconds(context, plan, heldSeconds);
    return { hold, worst: hold, heldSeconds };
  }
  const { max_audio_minutes: most, job_hold_minutes: held } = context.settings;
  const longestMinutes = Math.min(most, policy?.max_audio_minutes ?? most);
  const heldSeconds = Math.min(held, longestMinutes) * secondsPerMinute;
  const hold = priceOfSeconds(context, plan, heldSeconds);
  const worst = priceOfSeconds(context, plan, longestMinutes * secondsPerMinute);
  return { hold, worst: greatestOf([hold, worst]), heldSeconds, longestMinutes };
}

/** How far below zero the open jobs of the caller's account may take its balance. */
export function overdraftOf(
  { overdraft_usd }: Pick<JobSettings, 'overdraft_usd'>,
  policy: RequestPolicy | undefined,
): Amount {
  const amountOf = (usd: number) => toAmount(exactMicroUsd(usd)) ?? highestCeiling;
  const ofAccount = amountOf(policy?.overdraft_usd ?? overdraft_usd);
  const ofKey = policy?.key_overdraft_usd;
  return ofKey === undefined ? ofAccount : lesserOf(ofAccount, amountOf(ofKey));
}

export type PriceContext = Pick<JobContext, 'prices'>;

export function priceOfSeconds(
  { prices }: PriceContext,
  plan: TranscribePlan,
  seconds: number,
): Amount {
  const { product, provider } = plan;
  const rates = prices[provider]?.transcribe ?? {};
  const sent = optionsSent(product, plannedAttempt(plan));
  return toAmount(product.price.cost({ sent, seconds, rates })) ?? highestCeiling;
}
