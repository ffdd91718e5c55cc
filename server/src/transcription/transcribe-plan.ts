// What a transcription sends to its provider: the options that the provider supports, the model,
// and the warnings about the rest.
import type { TranscriberId, TranscriptionRequest, Warning } from '@trivium/contract';
import {
  type Asks,
  isNeutral,
  negotiate,
  transcribeAsk,
  type TranscribeAsk,
  transcribeAsks,
} from '../negotiation/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Attempt, TranscribeProduct } from '../providers/index.ts';
import { badOptions, refuseOptions, sentInstead } from '../upstream/index.ts';
import { productOf } from './job-context.ts';
import type { AttemptContext } from './job-context.ts';

export interface TranscribePlan {
  provider: TranscriberId;
  product: TranscribeProduct;
  ask: TranscribeAsk;
  options: Record<string, unknown>;
  warnings: Warning[];
}

/** What will be sent to the provider. Throws if the options contain transport settings. */
export function planTranscription(
  context: Pick<AttemptContext, 'providers'> & { clock: Pick<Clock, 'now'> },
  provider: TranscriberId,
  request: TranscriptionRequest,
): TranscribePlan {
  const product = productOf(context, provider);
  const given = request.provider_options?.[provider] ?? {};
  const model = readModel(provider, product, given);
  refuseOptions(provider, product.refused_options, given);
  const { asks, replaced } = withoutReplaced(transcribeAsks(request, model), product, given);
  const { granted, warnings } = negotiate(product.supports, asks, context.clock.now());
  const options = { ...given };
  delete options[product.model.option];
  const ask = transcribeAsk(granted);
  const instead = replaced.map(({ param, name }) => sentInstead(provider, param, name));
  return { provider, product, ask, options, warnings: [...instead, ...warnings] };
}

/**
 * A parameter whose native option the caller has set is not sent: the native option takes
 * precedence.
 */
function withoutReplaced(
  asks: Asks,
  { supports }: TranscribeProduct,
  given: Readonly<Record<string, unknown>>,
): { asks: Asks; replaced: { param: string; name: string }[] } {
  const kept = { ...asks };
  const replaced: { param: string; name: string }[] = [];
  for (const [param, { replaced_by: names = [] }] of Object.entries(supports)) {
    const name = names.find((one) => Object.hasOwn(given, one));
    if (name === undefined || !(param in kept)) continue;
    if (!isNeutral(param, kept[param])) replaced.push({ param, name });
    delete kept[param];
  }
  return { asks: kept, replaced };
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
