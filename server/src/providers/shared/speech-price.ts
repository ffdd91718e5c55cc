// The price of a transcription: hourly rates of models, and of what is added to them. The two are
// kept apart, so that no add-on can be named as a model.
import type { TranscribeAsk } from '../../negotiation/index.ts';
import { hourlyRate, type Rates } from '../../billing/core/index.ts';

interface PricedAudio {
  ask: TranscribeAsk;
  /** The one that really ran, once that is known. */
  model: string;
  seconds: number;
  /** The rates that apply, where an operator has set others than the listed ones. */
  rates: Rates;
}

export interface SpeechPrice {
  /** As the vendor lists them, for an hour of audio. */
  rates: Rates;
  /** The native options that change the bill; all others that would are refused. */
  reads: readonly string[];
  /** Micro-USD for so many seconds of audio. */
  cost: (call: PricedAudio) => number;
}

type SpeechCall<AddOn extends string> = Omit<PricedAudio, 'rates'> & {
  /** The longest name that a model begins with is its price. */
  rateOf: (model: string) => number;
  addOns: Readonly<Record<AddOn, number>>;
};

export function speechPrice<const Model extends string, const AddOn extends string>({
  models,
  addOns,
  reads,
  cost,
}: {
  models: Readonly<Record<Model, number>>;
  addOns: Readonly<Record<AddOn, number>>;
  reads: readonly string[];
  cost: (call: SpeechCall<AddOn>) => number;
}): SpeechPrice {
  const listed = { ...models, ...addOns };
  const names = Object.keys(models) as Model[];
  return {
    rates: listed,
    reads,
    cost: ({ rates, ...call }) => {
      const inForce = { ...listed, ...rates };
      const rateOf = (model: string) => hourlyRate(inForce, names, model);
      return cost({ ...call, rateOf, addOns: inForce });
    },
  };
}
