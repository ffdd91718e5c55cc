// The price of a transcription: hourly rates of models, and of add-ons. The two are kept apart, so
// that no add-on can be named as a model. A rule reads the submission as it is sent, including the
// caller's native options.
import { audioCost, hourlyRate, type Rates } from '../../billing/core/index.ts';
import { isOn } from './option-value.ts';

interface PricedAudio {
  /** The options of the submission, as they are sent. */
  sent: Readonly<Record<string, unknown>>;
  /** The model that was used, if the vendor names it. */
  model?: string | undefined;
  seconds: number;
  /** How many channels were transcribed separately, if the answer says so. */
  channels?: number | undefined;
  /** The applicable rates: those of the operator, or else the listed ones. */
  rates: Rates;
}

export interface SpeechPrice {
  /** As listed by the vendor, for an hour of audio. */
  rates: Rates;
  /** The names of the rates that are added to the rate of a model. */
  surcharges: readonly string[];
  /** The native options that affect the price. */
  reads: readonly string[];
  /** The price of this many seconds of audio in micro-USD. */
  cost: (call: PricedAudio) => number;
}

type SpeechCall<AddOn extends string, Option extends string> = Pick<
  PricedAudio,
  'model' | 'seconds'
> & {
  /** The value of an option that the rule has listed. */
  read: (option: Option) => unknown;
  /** The rate whose name is the longest prefix of the model's name. */
  rateOf: (model: string) => number;
  /** The sum of the rates of enabled add-ons, each counted once. */
  sumOf: (options: Readonly<Partial<Record<Option, AddOn>>>) => number;
  /** A recording whose number of channels is not known yet counts as stereo. */
  channelsOf: (option: Option) => number;
};

/** The rate for an option that is not on our list, because the vendor may charge for it. */
const unlistedOption = 'unlisted option';
const stereo = 2;

export function speechPrice<
  const Model extends string,
  const AddOn extends string,
  const Option extends string,
>({
  models,
  addOns,
  unlisted,
  reads,
  free,
  cost,
}: {
  models: Readonly<Record<Model, number>>;
  addOns: Readonly<Record<AddOn, number>>;
  unlisted: number;
  reads: readonly Option[];
  /** The names of the free options, in one text. */
  free: string;
  /** The hourly rate, and how many seconds are billed. */
  cost: (call: SpeechCall<AddOn, Option>) => { seconds: number; rate: number };
}): SpeechPrice {
  const added = { ...addOns, [unlistedOption]: unlisted };
  const listed = { ...models, ...added };
  const names = Object.keys(models) as Model[];
  const known = new Set<string>([...reads, ...free.split(/\s+/)]);
  return {
    rates: listed,
    surcharges: Object.keys(added),
    reads,
    cost: ({ rates, sent, model, seconds, channels }) => {
      const inForce = { ...listed, ...rates };
      const read = (option: Option) => (Object.hasOwn(sent, option) ? sent[option] : undefined);
      const hasUnlisted = Object.keys(sent).some((name) => !known.has(name) && isOn(sent[name]));
      const priced = cost({
        seconds,
        read,
        model,
        rateOf: (name) => hourlyRate(inForce, names, name),
        sumOf: (options) => {
          const on = (Object.keys(options) as Option[]).filter((option) => isOn(read(option)));
          const each = new Set(on.map((option) => options[option]));
          return [...each].reduce((sum, name) => sum + (name ? inForce[name] : 0), 0);
        },
        channelsOf: (option) => (isOn(read(option)) ? Math.max(1, channels ?? stereo) : 1),
      });
      const rate = priced.rate + (hasUnlisted ? inForce[unlistedOption] : 0);
      return audioCost(priced.seconds, rate);
    },
  };
}
