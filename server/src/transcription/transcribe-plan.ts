// What a transcription sends to its provider: the options that were granted, the model, and the
// warnings about the rest.
import type { TranscriberId, TranscriptionRequest, Warning } from '@trivium/contract';
import {
  negotiate,
  transcribeAsk,
  type TranscribeAsk,
  transcribeAsks,
} from '../negotiation/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { TranscribeProduct } from '../providers/index.ts';
import { badOptions, refuseOptions } from '../upstream/index.ts';
import { productOf } from './job-context.ts';
import type { AttemptContext } from './job-context.ts';

export interface TranscribePlan {
  provider: TranscriberId;
  product: TranscribeProduct;
  ask: TranscribeAsk;
  options: Record<string, unknown>;
  warnings: Warning[];
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
  const ask = transcribeAsk(granted);
  return { provider, product, ask, options, warnings };
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
