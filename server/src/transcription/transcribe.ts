// POST /v1/transcriptions: negotiates the request, commits the hold and the job together, and
// answers with a receipt.
import type { TranscriberId, TranscriptionRequest, Warning } from '@trivium/contract';
import { toAmount } from '../billing/core/amount.ts';
import type { Amount } from '../billing/core/amount.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import { transcribeAsks } from '../negotiation/transcribe-asks.ts';
import type { TranscribeAsk } from '../negotiation/transcribe-asks.ts';
import type { Clock } from '../platform/clock.ts';
import { newJobId } from '../platform/ids.ts';
import type { TranscribeProduct } from '../providers/shared/transcribe-product.ts';
import type { NewJob } from './store/jobs.ts';
import { autoOrder } from '../upstream/auto-order.ts';
import { chooseProvider } from '../upstream/choose-provider.ts';
import { uploadAt } from '../uploads/audio-url.ts';
import { checkAudioUrl, checkProviders, policyCeiling } from '../billing/policy-checks.ts';
import { checkMaxCost, declined, howToTopUp } from '../billing/charge.ts';
import { answerToKeep } from '../billing/idempotency.ts';
import type { RequestContext } from '../billing/request-context.ts';
import { uploadOf } from './uploaded-recording.ts';
import { productOf } from './job-context.ts';
import type { JobChange } from './job-ledger-rows.ts';
import type { AttemptContext, JobContext } from './job-context.ts';
import { requestRow } from '../billing/request-log.ts';
import { holdId } from './job-transitions.ts';
import { aboveCeiling, ceilingOf } from '../billing/price-call.ts';
import { badOptions, refuseOptions, strictRefusal } from '../upstream/errors.ts';
import type { Served } from '../billing/request-context.ts';

interface TranscribePlan {
  provider: TranscriberId;
  product: TranscribeProduct;
  ask: TranscribeAsk;
  options: Record<string, unknown>;
  warnings: Warning[];
}

const secondsPerMinute = 60;

export async function transcribe(
  context: JobContext,
  requestContext: RequestContext,
  request: TranscriptionRequest,
): Promise<Served> {
  const { settings, clock } = context;
  const plan = prepareTranscription(context, requestContext, request);
  const { provider } = plan;
  const upload = await uploadOf(context, requestContext.caller, request.audio_url);
  const createdAt = clock.now().getTime();
  // A language that the provider does not support was not sent; the job reports the detected one.
  const { language } = plan.ask;
  const job: NewJob = {
    id: newJobId(),
    account_id: requestContext.caller.account_id,
    key_id: requestContext.caller.key_id,
    request_id: requestContext.request_id,
    provider,
    model: plan.ask.model,
    request: {
      audio_url: request.audio_url,
      ask: plan.ask,
      options: plan.options,
      ...(language === undefined ? {} : { language }),
      ...(requestContext.webhook === undefined ? {} : { webhook: requestContext.webhook }),
      ...(upload ? { upload } : {}),
    },
    created_at: createdAt,
    deadline_at: createdAt + settings.job_deadline_minutes * secondsPerMinute * 1000,
  };
  const text = receipt(job, plan.warnings);
  await accept(context, requestContext, job, plan, text);
  context.nudge();
  return { status: 202, text };
}

function prepareTranscription(
  context: JobContext,
  requestContext: RequestContext,
  request: TranscriptionRequest,
): TranscribePlan {
  const { settings, providers } = context;
  const { policy } = requestContext.caller;
  // A recording that was uploaded here is of no other host.
  const isUpload = uploadAt(context.uploads.secret, request.audio_url) !== undefined;
  if (!isUpload) checkAudioUrl(policy, request.audio_url);
  const order =
    request.provider === 'auto'
      ? autoOrder(context, 'transcribe', settings.auto_transcription, policy, (able) =>
          priceOfTranscription(context, able.provider.id as TranscriberId, request),
        )
      : [];
  const chosen = chooseProvider(providers, 'transcribe', request.provider, order);
  const provider = chosen.provider.id as TranscriberId;
  requestContext.seen.provider = provider;
  checkProviders(policy, [provider]);
  const plan = planTranscription(context, provider, request);
  if (request.strict) strictRefusal(provider, plan.warnings);
  return plan;
}

/** What a transcription will hold, and what an hour of audio costs; no provider is called. */
export function estimateTranscription(
  context: JobContext,
  requestContext: RequestContext,
  request: TranscriptionRequest,
): { provider: TranscriberId; maxCost: Amount; hourCost: Amount } {
  const plan = prepareTranscription(context, requestContext, request);
  const maxCost = priceOfHold(context, requestContext, plan);
  return { provider: plan.provider, maxCost, hourCost: pricesOf(context, plan)(60) };
}

/** Throws where the policy of the caller allows less. */
function priceOfHold(
  context: JobContext,
  { caller: { policy } }: RequestContext,
  plan: TranscribePlan,
): Amount {
  const amount = pricesOf(context, plan)(context.settings.job_hold_minutes);
  const most = policyCeiling(context.settings, policy);
  if (amount > ceilingOf(most)) throw aboveCeiling(most, amount, ['provider']);
  return amount;
}

/** The price of a job by the length of its audio in minutes. */
function pricesOf(
  context: Pick<PriceContext, 'prices' | 'settings'>,
  plan: TranscribePlan,
): (minutes: number) => Amount {
  const { ask, product, provider } = plan;
  const rates = context.prices[provider]?.transcribe ?? {};
  const ceiling = ceilingOf(context.settings);
  // A job is settled by the real length of its audio, so a hold capped at the ceiling is enough.
  return (minutes) => {
    const seconds = minutes * secondsPerMinute;
    return (
      toAmount(product.price.cost({ ask, model: ask.model, seconds, rates }), ceiling) ?? ceiling
    );
  };
}

/** What will be sent to the provider. Throws for options that callers may not set. */
export function planTranscription(
  context: Pick<AttemptContext, 'providers'> & { clock: Pick<Clock, 'now'> },
  provider: TranscriberId,
  request: TranscriptionRequest,
): TranscribePlan {
  const product = productOf(context, provider);
  const given = request.provider_options?.[provider] ?? {};
  const model = readModel(provider, product, given);
  refuseOptions(provider, product.refused_options, given);
  const asks = transcribeAsks(request, model);
  const { granted, warnings } = negotiate(product.supports, asks, context.clock.now());
  const options = { ...given };
  delete options[product.model.option];
  const ask = granted as unknown as TranscribeAsk;
  return { provider, product, ask, options, warnings };
}

/** What the hold covers; throws if the provider cannot serve the request. */
export function priceOfTranscription(
  context: PriceContext,
  provider: TranscriberId,
  request: TranscriptionRequest,
): number {
  const plan = planTranscription(context, provider, request);
  if (request.strict) strictRefusal(provider, plan.warnings);
  return pricesOf(context, plan)(context.settings.job_hold_minutes);
}

type PriceContext = Pick<JobContext, 'providers' | 'clock' | 'prices'> & {
  settings: Pick<JobContext['settings'], 'job_hold_minutes' | 'max_request_usd'>;
};

/**
 * Commits the hold, the job and the request log entry in one transaction, so that a job exists if
 * and only if its receipt may be sent.
 */
async function accept(
  context: JobContext,
  requestContext: RequestContext,
  job: NewJob,
  plan: TranscribePlan,
  text: string,
): Promise<void> {
  const amount = priceOfHold(context, requestContext, plan);
  checkMaxCost(requestContext, { maxCost: amount });
  const least = pricesOf(context, plan)(1);
  const {
    claim: under,
    caller: { policy },
  } = requestContext;
  const paidBy = holdId(job.id);
  const known = {
    status: 202,
    error_type: null,
    reported_cost: null,
    paid_by: paidBy,
    delivered: null,
  };
  const request = requestRow(context, requestContext, {
    ...known,
    warnings: plan.warnings,
    held: amount,
  });
  const linked: JobChange = { kind: 'begins', job };
  const outcome = await context.ledger.hold(
    {
      id: paidBy,
      account_id: job.account_id,
      key_id: job.key_id,
      amount,
      at_least: least,
      expires_at: null,
      ...(policy?.limits ? { limits: policy.limits } : {}),
      ...(requestContext.tags === undefined ? {} : { tags: requestContext.tags }),
    },
    {
      request,
      linked,
      ...(under ? { under, answer: answerToKeep(context, 202, text) } : {}),
    },
  );
  if (outcome.kind !== 'held') {
    throw declined(outcome, least, howToTopUp(job.account_id, context.dashboardUrl));
  }
}

function receipt(job: NewJob, warnings: readonly Warning[]): string {
  return JSON.stringify({
    id: job.id,
    tool: 'transcription',
    status: 'queued',
    provider: job.provider,
    model: job.model,
    warnings,
    created_at: new Date(job.created_at).toISOString(),
  });
}

function readModel(
  provider: TranscriberId,
  { model }: TranscribeProduct,
  given: Record<string, unknown>,
): string {
  const named = given[model.option] ?? model.default;
  const path = `provider_options.${provider}.${model.option}`;
  if (typeof named !== 'string' || named === '') {
    throw badOptions([{ path, code: 'invalid_type', message: 'Must be the name of a model.' }]);
  }
  const reason = model.refuse?.(named);
  if (reason === undefined) return named;
  throw badOptions([{ path, code: 'unsupported_model', message: `${named} ${reason}.` }]);
}
