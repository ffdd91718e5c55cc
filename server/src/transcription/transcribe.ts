// POST /v1/transcriptions: plans a job, which is committed together with its hold, and its receipt.
import {
  GatewayError,
  invalidPart,
  type TranscriberId,
  type TranscriptionRequest,
  type Warning,
} from '@trivium/contract';
import { minuteMs } from '@trivium/contract/durations';
import {
  type Amount,
  exactMicroUsd,
  greatestOf,
  highestCeiling,
  lesserOf,
  toAmount,
} from '../billing/core/index.ts';
import {
  type AskedCost,
  type JobPlan,
  type Tool,
  checkCeiling,
  policyCeiling,
} from '../billing/index.ts';
import {
  type TranscribeAsk,
  isNeutral,
  negotiate,
  transcribeAsk,
  transcribeAsks,
} from '../negotiation/index.ts';
import type { Clock } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import { type Attempt, type TranscribeProduct, optionsSent } from '../providers/index.ts';
import {
  type Caller,
  type CurrentRequest,
  checkAudioUrl,
  checkProviders,
} from '../requests/index.ts';
import { isFilesUrl, readUpload, uploadAt } from '../uploads/index.ts';
import {
  type UpstreamContext,
  badOptions,
  providersInTurn,
  refuseOptions,
  sentInstead,
  strictRefusal,
} from '../upstream/index.ts';
import type { JobChange } from './job-changes.ts';
import { type JobContext, holdId, productOf } from './job-context.ts';
import type { JobRow, NewJob } from './store/jobs.ts';

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
    id: `job_${machine.newUuid()}`,
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
  const receipt = {
    id: job.id,
    tool: 'transcription',
    status: 'queued',
    provider: job.provider,
    model: job.model,
    warnings,
    created_at: new Date(job.created_at).toISOString(),
  };
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
      text: JSON.stringify(receipt),
    },
  };
}

/** Throws if the caller may not make the transcription. */
function choose(
  context: JobContext,
  currentRequest: CurrentRequest,
  request: TranscriptionRequest,
): TranscribePlan {
  const { caller } = currentRequest;
  const { policy } = caller;
  // An uploaded recording is on no foreign host, so host rules do not apply.
  const isUpload = uploadAt(context.uploads.secret, request.audio_url) !== undefined;
  if (!isUpload) checkAudioUrl(policy, request.audio_url);
  const asked = request.provider;
  const { auto_transcription: fixed } = context.settings;
  // A job stays with its provider.
  const [chosen] = providersInTurn(context, 'transcribe', asked, fixed, caller, (able) =>
    priceOfTranscription(context, able.provider.id as TranscriberId, request),
  );
  const provider = chosen.provider.id as TranscriberId;
  currentRequest.seen.provider = provider;
  checkProviders(policy, [provider]);
  return planStrictly(context, provider, request);
}

/** Undefined if the caller gave no address of this gateway. */
async function uploadOf(
  { uploads }: JobContext,
  caller: Caller,
  url: string,
): Promise<JobRow['request']['upload']> {
  const id = uploadAt(uploads.secret, url);
  if (id === undefined) {
    if (isFilesUrl(uploads, url)) throw unknownUpload();
    return undefined;
  }
  const upload = await readUpload(uploads, caller, id).catch((error: unknown) => {
    const isUnknown = error instanceof GatewayError && error.type === 'not_found';
    throw isUnknown ? unknownUpload() : error;
  });
  const { type, bytes, seconds, name } = upload;
  return {
    ...{ id, type, bytes },
    ...(seconds === null ? {} : { seconds }),
    ...(name === null ? {} : { name }),
  };
}

function unknownUpload(): GatewayError {
  const message = 'There is no upload at this address on this account, or it has expired.';
  return invalidPart('audio_url', 'unknown_upload', message);
}

const hourSeconds = 3600;

/** Of an hour, for the order of `auto`. Throws if the provider cannot serve the request. */
export function priceOfTranscription(
  context: UpstreamContext,
  provider: TranscriberId,
  request: TranscriptionRequest,
): number {
  return priceOfSeconds(context, planStrictly(context, provider, request), hourSeconds);
}

function planStrictly(
  context: UpstreamContext,
  provider: TranscriberId,
  request: TranscriptionRequest,
): TranscribePlan {
  const plan = planTranscription(context, provider, request);
  if (request.strict) strictRefusal(provider, plan.warnings);
  return plan;
}

export interface TranscribePlan {
  provider: TranscriberId;
  product: TranscribeProduct;
  ask: TranscribeAsk;
  options: Record<string, unknown>;
  warnings: Warning[];
}

/** What will be sent to the provider. Throws if the options contain transport settings. */
export function planTranscription(
  context: Pick<UpstreamContext, 'providers'> & { clock: Pick<Clock, 'now'> },
  provider: TranscriberId,
  request: TranscriptionRequest,
): TranscribePlan {
  const product = productOf(context, provider);
  const given = request.provider_options?.[provider] ?? {};
  const model = readModel(provider, product, given);
  refuseOptions(provider, product.refused_options, given);
  const asks = { ...transcribeAsks(request, model) };
  const warnings: Warning[] = [];
  // A native option of the caller takes precedence over the parameter that it replaces.
  for (const [param, { replaced_by: names = [] }] of Object.entries(product.supports)) {
    const name = names.find((one) => Object.hasOwn(given, one));
    if (name === undefined || !(param in asks)) continue;
    if (!isNeutral(param, asks[param])) warnings.push(sentInstead(provider, param, name));
    delete asks[param];
  }
  const negotiated = negotiate(product.supports, asks, context.clock.now());
  const options = { ...given };
  delete options[product.model.option];
  const ask = transcribeAsk(negotiated.granted);
  return { provider, product, ask, options, warnings: [...warnings, ...negotiated.warnings] };
}

/** The attempt that a plan will make, with the fields that affect the price. */
export function plannedAttempt({ ask, options }: Pick<TranscribePlan, 'ask' | 'options'>): Attempt {
  return { audio_url: '', ask, options, token: '', submitted_at: new Date(0), extras: {} };
}

function readModel(
  provider: TranscriberId,
  { model }: TranscribeProduct,
  given: Record<string, unknown>,
): string {
  const named = model.named?.(given) ?? given[model.option] ?? model.default;
  const path = `provider_options.${provider}.${model.option}`;
  if (typeof named !== 'string' || named === '') {
    throw badOptions([{ path, code: 'invalid_type', message: 'Must be the name of a model.' }]);
  }
  const reason = model.refuse?.(named);
  if (reason === undefined) return named;
  throw badOptions([{ path, code: 'unsupported_model', message: `${named} ${reason}.` }]);
}

interface JobPrice extends AskedCost {
  hold: Amount;
  worst: Amount;
  /** The recording length whose price is held. */
  heldSeconds: number;
}

const secondsPerMinute = 60;

/** Providers decode a recording, so the length that they measure may differ slightly. */
const lengthMargin = 1.01;

/** Throws if the caller's policy or the deployment allows less. */
function priceJob(
  context: JobContext,
  policy: RequestPolicy | undefined,
  plan: TranscribePlan,
  knownSeconds: number | undefined,
): JobPrice {
  const { max_audio_minutes: maxMinutes, job_hold_minutes: held } = context.settings;
  const longestMinutes = Math.min(maxMinutes, policy?.max_audio_minutes ?? maxMinutes);
  const costOf = (seconds: number) => priceOfSeconds(context, plan, seconds);
  let price: JobPrice;
  if (knownSeconds === undefined) {
    const heldSeconds = Math.min(held, longestMinutes) * secondsPerMinute;
    const hold = costOf(heldSeconds);
    const worst = greatestOf([hold, costOf(longestMinutes * secondsPerMinute)]);
    price = { hold, worst, heldSeconds, longestMinutes };
  } else {
    const heldSeconds = Math.ceil(knownSeconds * lengthMargin);
    const hold = costOf(heldSeconds);
    price = { hold, worst: hold, heldSeconds };
  }
  const path = knownSeconds === undefined ? 'audio_url' : 'provider';
  checkCeiling(policyCeiling(context.settings, policy), price, path);
  return price;
}

/** How far below zero the open jobs of the caller's account may take its balance. */
function overdraftOf(
  { overdraft_usd }: JobContext['settings'],
  policy: RequestPolicy | undefined,
): Amount {
  const amountOf = (usd: number) => toAmount(exactMicroUsd(usd)) ?? highestCeiling;
  const ofAccount = amountOf(policy?.overdraft_usd ?? overdraft_usd);
  const ofKey = policy?.key_overdraft_usd;
  return ofKey === undefined ? ofAccount : lesserOf(ofAccount, amountOf(ofKey));
}

function priceOfSeconds(
  { prices }: UpstreamContext,
  plan: TranscribePlan,
  seconds: number,
): Amount {
  const { product, provider } = plan;
  const rates = prices[provider]?.transcribe ?? {};
  const sent = optionsSent(product, plannedAttempt(plan));
  return toAmount(product.price.cost({ sent, seconds, rates })) ?? highestCeiling;
}
