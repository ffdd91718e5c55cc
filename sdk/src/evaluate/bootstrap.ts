// Bootstrap intervals: how far a figure would move with other queries of the same kind. The same
// figures always result in the same interval.

export interface Interval {
  value: number;
  lower: number;
  upper: number;
}

const resamples = 1000;
const confidence = 0.95;
const seed = 20_261_118;

type Statistic = (values: readonly number[]) => number;

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value that the given share of all values does not exceed. */
export function quantile(share: number): Statistic {
  return (values) => {
    const sorted = values.toSorted((one, other) => one - other);
    return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  };
}

/** The middle 95 percent of the figure over resamples of the values; undefined without any. */
export function bootstrap(
  values: readonly number[],
  statistic: Statistic = mean,
): Interval | undefined {
  if (values.length === 0) return undefined;
  const random = makeRandom(seed);
  const drawn = Array.from({ length: resamples }, () =>
    statistic(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  ).toSorted((one, other) => one - other);
  const cut = Math.floor(((1 - confidence) / 2) * resamples);
  return {
    value: statistic(values),
    lower: drawn[cut] ?? Number.NaN,
    upper: drawn[resamples - 1 - cut] ?? Number.NaN,
  };
}

/** Numbers from 0 up to 1, fixed by the seed (Mulberry32). */
function makeRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
