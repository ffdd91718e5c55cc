// POST /v1/transcriptions as a verb: negotiated, held and put on record in one commit, then
// answered with a receipt.
import type { TranscriberId, TranscriptionRequest, Warning } from '@trivium/contract';
import { toAmount } from '../domain/amount.ts';
import type { Amount } from '../domain/amount.ts';
import { negotiate } from '../domain/negotiation/negotiate.ts';
import { transcribeAsks } from '../domain/negotiation/transcribe-asks.ts';
import type { TranscribeAsk } from '../domain/negotiation/transcribe-asks.ts';
import { newJobId } from '../platform/ids.ts';
import type { TranscribeProduct } from '../providers/transcribe-product.ts';
import type { NewJob } from '../store/jobs.ts';
import { chooseProvider } from './choose-provider.ts';
import { allowedOrder, checkAllowed } from './allow-list.ts';
import { checkMaxCost, declined } from './charge.ts';
import type { Served } from './charge.ts';
import { answerToKeep } from './idempotency.ts';
import type { Asking, House } from './house.ts';
import { productOf } from './job-desk.ts';
import type { JobDesk } from './job-desk.ts';
import { requestRow } from './log-request.ts';
import { holdId } from './move-job.ts';
import { ceilingOf } from './price-call.ts';
import { badOptions, refuseOptions, strictRefusal } from './refuse.ts';

export interface TranscribePlan {
  provider: TranscriberId;
  product: TranscribeProduct;
  ask: TranscribeAsk;
  options: Record<string, unknown>;
  warnings: Warning[];
}

const seconds_per_minute = 60;

export async function transcribe(
  desk: JobDesk,
  asking: Asking,
  request: TranscriptionRequest,
): Promise<Served> {
  const { house } = desk;
  const { settings, stations, clock } = house;
  const order = allowedOrder(asking.caller, settings.auto_transcription);
  const chosen = chooseProvider(stations, 'transcribe', request.provider, order);
  const provider = chosen.provider.id as TranscriberId;
  asking.seen.provider = provider;
  checkAllowed(asking.caller, [provider]);
  const plan = planTranscription(house, provider, request);
  if (request.strict) strictRefusal(provider, plan.warnings);
  const created_at = clock.now().getTime();
  // A language that the provider does not have was not sent, so what it detects is answered.
  const { language } = plan.ask;
  const job: NewJob = {
    id: newJobId(),
    account_id: asking.caller.account_id,
    key_id: asking.caller.key_id,
    request_id: asking.request_id,
    provider,
    model: plan.ask.model,
    request: {
      audio_url: request.audio_url,
      ask: plan.ask,
      options: plan.options,
      ...(language === undefined ? {} : { language }),
    },
    created_at,
    deadline_at: created_at + settings.job_deadline_minutes * seconds_per_minute * 1000,
  };
  const text = receipt(job, plan.warnings);
  await accept(house, asking, job, plan, text);
  desk.nudge();
  return { status: 202, text };
}

/** What will be asked of the provider; throws for options that are not the caller's to set. */
export function planTranscription(
  house: House,
  provider: TranscriberId,
  request: TranscriptionRequest,
): TranscribePlan {
  const product = productOf(house, provider);
  const given = request.provider_options?.[provider] ?? {};
  const model = readModel(provider, product, given);
  refuseOptions(provider, product.refused_options, given);
  const asks = transcribeAsks(request, model);
  const { granted, warnings } = negotiate(product.supports, asks, house.clock.now());
  const options = { ...given };
  delete options[product.model.option];
  const ask = granted as unknown as TranscribeAsk;
  return { provider, product, ask, options, warnings };
}

/**
 * The hold, the row and the log in one transaction: a job that was answered for exists, and no
 * other does.
 */
async function accept(
  house: House,
  asking: Asking,
  job: NewJob,
  plan: TranscribePlan,
  text: string,
): Promise<void> {
  const { ask, product, provider } = plan;
  const rates = house.prices[provider]?.transcribe ?? {};
  const ceiling = ceilingOf(house.settings);
  // Audio is settled by its real length, so a hold cut at the ceiling still begins a job.
  const priceOf = (minutes: number): Amount => {
    const seconds = minutes * seconds_per_minute;
    return (
      toAmount(product.price.cost({ ask, model: ask.model, seconds, rates }), ceiling) ?? ceiling
    );
  };
  const amount = priceOf(house.settings.job_hold_minutes);
  checkMaxCost(asking, { maxCost: amount });
  const { claim: under } = asking;
  const paid_by = holdId(job.id);
  const known = { status: 202, error_type: null, reported_cost: null, paid_by, delivered: null };
  const request = requestRow(house, asking, { ...known, warnings: plan.warnings.length });
  const outcome = await house.ledger.hold(
    {
      id: paid_by,
      account_id: job.account_id,
      key_id: job.key_id,
      amount,
      at_least: priceOf(1),
      expires_at: null,
    },
    {
      request,
      job: { kind: 'begins', job },
      ...(under ? { under, answer: answerToKeep(house, 202, text) } : {}),
    },
  );
  if (outcome.kind !== 'held') throw declined(outcome, priceOf(1));
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
