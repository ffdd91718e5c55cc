// The price of a transcription: hourly rates of models, and of add-ons. The two are kept apart, so
// that no add-on can be named as a model. A rule reads the submission as it is sent, including the
// caller's native options.
import type { Rates } from '../../billing/core/index.ts';
import { isOn } from './speech-words.ts';
import { highestRate, sumOver } from './price-rule.ts';

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

interface SpeechCall<AddOn extends string, Option extends string> {
  model: string | undefined;
  seconds: number;
  /** The value of an option that the rule has listed. */
  read: (option: Option) => unknown;
  /** The rate whose name is the longest prefix of the model's name. */
  rateOf: (model: unknown) => number;
  /** The sum of the rates of enabled add-ons, without those that the model includes. */
  added: (included?: readonly AddOn[]) => number;
  /** A recording whose number of channels is not known yet counts as stereo. */
  channelsOf: (option: Option) => number;
}

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
  /** The rate of each, and the native options that enable it. */
  addOns: Readonly<Record<AddOn, readonly [number, ...string[]]>>;
  unlisted: number;
  /** The other options that affect the price. */
  reads: readonly Option[];
  /** The names of the free options, in one text. */
  free: string;
  /** The hourly rate, and how many seconds are billed. */
  cost: (call: SpeechCall<AddOn, Option>) => { seconds: number; rate: number };
}): SpeechPrice {
  const enabledBy = Object.entries<readonly [number, ...string[]]>(addOns);
  const rateOfEach = Object.fromEntries(enabledBy.map(([name, [rate]]) => [name, rate]));
  const surcharges: Rates = { ...rateOfEach, [unlistedOption]: unlisted };
  const listed = { ...models, ...surcharges };
  const names = Object.keys(models) as Model[];
  const priced = [...reads, ...enabledBy.flatMap(([, [, ...options]]) => options)];
  const known = new Set<string>([...priced, ...free.split(/\s+/)]);
  return {
    rates: listed,
    surcharges: Object.keys(surcharges),
    reads: priced,
    cost: ({ rates, sent, model, seconds, channels }) => {
      const inForce: Readonly<Record<string, number>> = { ...listed, ...rates };
      const read = (option: string) => (Object.hasOwn(sent, option) ? sent[option] : undefined);
      const hasUnlisted = Object.keys(sent).some((name) => !known.has(name) && isOn(sent[name]));
      const { rate, seconds: billed } = cost({
        seconds,
        read,
        model,
        rateOf: (name) => hourlyRate(inForce, names, name),
        added: (included: readonly string[] = []) =>
          sumOver(enabledBy, ([name, [, ...options]]) =>
            !included.includes(name) && options.some((option) => isOn(read(option)))
              ? Number(inForce[name])
              : 0,
          ),
        channelsOf: (option) => (isOn(read(option)) ? Math.max(1, channels ?? stereo) : 1),
      });
      const perHour = rate + (hasUnlisted ? Number(inForce[unlistedOption]) : 0);
      // Prorated by the second, rounded up to whole micro-USD.
      return Math.ceil(Math.round((billed * perHour * 1000) / secondsPerHour) / 1000);
    },
  };
}

/** Of a model, or of its family. An unknown model costs as much as the most expensive one. */
function hourlyRate<Model extends string>(
  rates: Readonly<Record<Model, number>>,
  models: readonly Model[],
  model: unknown,
): number {
  const wanted = typeof model === 'string' ? model : '';
  const [family] = models
    .filter(
      (name) => wanted === name || wanted.startsWith(`${name}-`) || wanted.startsWith(`${name}_`),
    )
    .toSorted((one, other) => other.length - one.length);
  return family === undefined ? highestRate(rates, models) : rates[family];
}

const secondsPerHour = 3600;
