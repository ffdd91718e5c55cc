// POST /v1/transcriptions: negotiates the request, commits the hold and the job together, and
// answers with a receipt.
import { minuteMs } from '@trivium/contract/durations';
import type { TranscriberId, TranscriptionRequest, Warning } from '@trivium/contract';
import type { Amount } from '../billing/core/index.ts';
import { newJobId } from '../platform/ids.ts';
import type { NewJob } from './store/jobs.ts';
import { autoOrder, providersInTurn, strictRefusal } from '../upstream/index.ts';
import { uploadAt } from '../uploads/index.ts';
import {
  answerToKeep,
  checkAudioUrl,
  checkProviders,
  type RequestContext,
  requestRow,
  type Served,
} from '../requests/index.ts';
import { checkMaxCost, declined, howToTopUp } from '../billing/index.ts';
import { uploadOf } from './uploaded-recording.ts';
import type { JobChange } from './job-ledger-rows.ts';
import type { JobContext } from './job-context.ts';
import { overdraftOf, priceJob, priceOfSeconds } from './job-price.ts';
import type { JobPrice, PriceContext } from './job-price.ts';
import { planTranscription } from './transcribe-plan.ts';
import type { TranscribePlan } from './transcribe-plan.ts';
import { holdId } from './job-transitions.ts';

export async function transcribe(
  context: JobContext,
  requestContext: RequestContext,
  request: TranscriptionRequest,
): Promise<Served> {
  const { settings, clock } = context;
  const plan = prepareTranscription(context, requestContext, request);
  const { provider } = plan;
  const upload = await uploadOf(context, requestContext.caller, request.audio_url);
  const price = priceJob(context, requestContext.caller.policy, plan, upload?.seconds);
  const createdAt = clock.now().getTime();
  // A language that the provider does not support was not sent, so the job reports the detected
  // one.
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
      held_seconds: price.heldSeconds,
    },
    exposure: price.worst - price.hold,
    created_at: createdAt,
    deadline_at: createdAt + settings.job_deadline_minutes * minuteMs,
  };
  const text = receipt(job, plan.warnings);
  await accept(context, requestContext, job, { plan, price, text });
  context.nudge();
  return { status: 202, text };
}

/** Plans the transcription. Throws if the caller may not make it. No provider is called. */
export function prepareTranscription(
  context: JobContext,
  requestContext: RequestContext,
  request: TranscriptionRequest,
): TranscribePlan {
  const { settings, providers } = context;
  const { policy, account_id } = requestContext.caller;
  // An uploaded recording is on no foreign host, so host rules do not apply.
  const isUpload = uploadAt(context.uploads.secret, request.audio_url) !== undefined;
  if (!isUpload) checkAudioUrl(policy, request.audio_url);
  const asked = request.provider;
  const order = autoOrder(
    context,
    'transcribe',
    asked,
    settings.auto_transcription,
    policy,
    (able) => priceOfTranscription(context, able.provider.id as TranscriberId, request),
  );
  const [chosen] = providersInTurn(providers, 'transcribe', asked, order, account_id);
  const provider = chosen.provider.id as TranscriberId;
  requestContext.seen.provider = provider;
  checkProviders(policy, [provider]);
  const plan = planTranscription(context, provider, request);
  if (request.strict) strictRefusal(provider, plan.warnings);
  return plan;
}

/** What a transcription holds and can cost, and what an hour of audio costs. No job is started. */
export async function estimateTranscription(
  context: JobContext,
  requestContext: RequestContext,
  request: TranscriptionRequest,
): Promise<{ provider: TranscriberId; maxCost: Amount; held: Amount; hourCost: Amount }> {
  const { caller } = requestContext;
  const plan = prepareTranscription(context, requestContext, request);
  const upload = await uploadOf(context, caller, request.audio_url);
  const { hold, worst } = priceJob(context, caller.policy, plan, upload?.seconds);
  const hourCost = priceOfSeconds(context, plan, hourSeconds);
  return { provider: plan.provider, maxCost: worst, held: hold, hourCost };
}

const hourSeconds = 3600;

/**
 * The price of an hour with the provider, for the order of `auto`. Throws if the provider cannot
 * serve the request.
 */
export function priceOfTranscription(
  context: PriceContext & Pick<JobContext, 'providers' | 'clock'>,
  provider: TranscriberId,
  request: TranscriptionRequest,
): number {
  const plan = planTranscription(context, provider, request);
  if (request.strict) strictRefusal(provider, plan.warnings);
  return priceOfSeconds(context, plan, hourSeconds);
}

/**
 * Commits the hold, the job and the request log entry in one transaction, so that a job exists if
 * and only if its receipt may be sent.
 */
async function accept(
  context: JobContext,
  requestContext: RequestContext,
  job: NewJob,
  { plan, price, text }: { plan: TranscribePlan; price: JobPrice; text: string },
): Promise<void> {
  checkMaxCost(requestContext, price);
  context.writes?.check();
  const { claim: under, caller } = requestContext;
  const { policy } = caller;
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
    held: price.hold,
  });
  const linked: JobChange = { kind: 'begins', job };
  const outcome = await context.ledger.hold(
    {
      id: paidBy,
      account_id: job.account_id,
      key_id: job.key_id,
      amount: price.hold,
      worst_case: price.worst,
      overdraft: overdraftOf(context.settings, policy),
      expires_at: null,
      ...(policy?.limits ? { limits: policy.limits } : {}),
      ...(requestContext.tags === undefined ? {} : { tags: requestContext.tags }),
    },
    {
      request,
      linked,
      ...(under
        ? { under, answer: await answerToKeep(context, caller, under, { status: 202, text }) }
        : {}),
    },
  );
  if (outcome.kind !== 'held') {
    throw declined(outcome, price, howToTopUp(job.account_id, context.dashboardUrl));
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
