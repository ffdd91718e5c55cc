// POST /v1/transcriptions: plans a job, which is committed together with its hold, and its receipt.
import { minuteMs } from '@trivium/contract/durations';
import type { TranscriberId, TranscriptionRequest, Warning } from '@trivium/contract';
import { newJobId } from '../platform/ids.ts';
import type { NewJob } from './store/jobs.ts';
import { autoOrder, providersInTurn, strictRefusal } from '../upstream/index.ts';
import { uploadAt } from '../uploads/index.ts';
import { checkAudioUrl, checkProviders, type CurrentRequest } from '../requests/index.ts';
import type { JobPlan, Tool } from '../billing/index.ts';
import { uploadOf } from './uploaded-recording.ts';
import type { JobChange } from './job-ledger-rows.ts';
import type { JobContext } from './job-context.ts';
import { overdraftOf, priceJob, priceOfSeconds } from './job-price.ts';
import type { PriceContext } from './job-price.ts';
import { planTranscription } from './transcribe-plan.ts';
import type { TranscribePlan } from './transcribe-plan.ts';
import { holdId } from './job-transitions.ts';

export function makeTranscriptionTool(context: JobContext): Tool<TranscriptionRequest, JobPlan> {
  return {
    plan: (request, currentRequest) => plan(context, request, currentRequest),
    perform: () => Promise.reject(new Error('a transcription is performed by its job')),
    ended: () => context.nudge(),
  };
}

async function plan(
  context: JobContext,
  request: TranscriptionRequest,
  currentRequest: CurrentRequest,
): Promise<JobPlan> {
  const { settings, clock } = context;
  const { caller, webhook, is_estimate: isEstimate } = currentRequest;
  const asked = choose(context, currentRequest, request);
  const { provider, warnings } = asked;
  const upload = await uploadOf(context, caller, request.audio_url);
  const price = priceJob(context, caller.policy, asked, upload?.seconds);
  const createdAt = clock.now().getTime();
  // A language that the provider does not support was not sent, so the job reports the detected
  // one.
  const { language } = asked.ask;
  const job: NewJob = {
    id: newJobId(),
    account_id: caller.account_id,
    key_id: caller.key_id,
    request_id: currentRequest.request_id,
    provider,
    model: asked.ask.model,
    request: {
      audio_url: request.audio_url,
      ask: asked.ask,
      options: asked.options,
      ...(language === undefined ? {} : { language }),
      ...(webhook === undefined ? {} : { webhook }),
      ...(upload ? { upload } : {}),
      held_seconds: price.heldSeconds,
    },
    exposure: price.worst - price.hold,
    created_at: createdAt,
    deadline_at: createdAt + settings.job_deadline_minutes * minuteMs,
  };
  const linked: JobChange = { kind: 'begins', job };
  return {
    provider,
    calls: [provider],
    maxCost: price.worst,
    ...(isEstimate ? { hourCost: priceOfSeconds(context, asked, hourSeconds) } : {}),
    job: {
      holdId: holdId(job.id),
      price,
      overdraft: overdraftOf(settings, caller.policy),
      linked,
      warnings,
      text: receipt(job, warnings),
    },
  };
}

/** Throws if the caller may not make the transcription. */
function choose(
  context: JobContext,
  currentRequest: CurrentRequest,
  request: TranscriptionRequest,
): TranscribePlan {
  const { settings, providers } = context;
  const { policy, account_id } = currentRequest.caller;
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
  // A job stays with its provider.
  const choice = { providers, settings: { failover: 'off' } } as const;
  const [chosen] = providersInTurn(choice, 'transcribe', asked, order, account_id);
  const provider = chosen.provider.id as TranscriberId;
  currentRequest.seen.provider = provider;
  checkProviders(policy, [provider]);
  const plan = planTranscription(context, provider, request);
  if (request.strict) strictRefusal(provider, plan.warnings);
  return plan;
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
