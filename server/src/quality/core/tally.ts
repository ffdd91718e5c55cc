// What is kept of many observations of one engine: their number, their sum, and the sum of their
// squares. Tallies can be added, so that the number of rows depends on days and not on searches.

/** For observations from 0 to 1. Weighted tallies contain fractions of observations. */
export interface Tally {
  n: number;
  sum: number;
  squares: number;
}

/** A mean, with the bounds between which it lies with 95 percent confidence. */
export interface Estimate {
  n: number;
  mean: number;
  lower: number;
  upper: number;
}

export const emptyTally: Tally = { n: 0, sum: 0, squares: 0 };

const normalQuantile = 1.96;
/**
 * A few equal observations have no variance. These imaginary ones, spread evenly from 0 to 1, keep
 * the interval of such a tally wide.
 */
const imagined = { n: 2, variance: 1 / 12 };

/** Any value other than a number from 0 to 1 is a fault of the caller. */
export function observe(tally: Tally, value: number): Tally {
  if (!(value >= 0 && value <= 1)) throw new Error(`${value} is not a quality from 0 to 1`);
  return { n: tally.n + 1, sum: tally.sum + value, squares: tally.squares + value * value };
}

/** Replaces an observation when feedback corrects an earlier one. */
export function amend(tally: Tally, before: number, after: number): Tally {
  const { n, sum, squares } = observe(tally, after);
  return { n: n - 1, sum: sum - before, squares: squares - before * before };
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, { n, sum, squares }) => ({
      n: total.n + n,
      sum: total.sum + sum,
      squares: total.squares + squares,
    }),
    emptyTally,
  );
}

/** Undefined without observations. */
export function estimate(tally: Tally): Estimate | undefined {
  if (!(tally.n > 0)) return undefined;
  const mean = tally.sum / tally.n;
  const margin = normalQuantile * Math.sqrt(varianceOf(tally) / tally.n);
  return {
    n: tally.n,
    mean,
    lower: Math.max(0, mean - margin),
    upper: Math.min(1, mean + margin),
  };
}

/** Never zero, however equal the observations are. */
export function varianceOf({ n, sum, squares }: Tally): number {
  const spread = n > 0 ? Math.max(0, squares - (sum * sum) / n) : 0;
  return (spread + imagined.n * imagined.variance) / Math.max(n - 1 + imagined.n, imagined.n);
}

/** One day of an engine in one class of searches. */
export interface DayTally {
  /** Days since 1970-01-01, in UTC. */
  day: number;
  tally: Tally;
}

/** Observations from this many days ago weigh half. */
const halfLifeDays = 14;

/** All days as one tally for today. Its `n` is the total weight of the observations. */
export function discountByAge(days: readonly DayTally[], today: number): Tally {
  let weight = 0;
  let weightOfSquares = 0;
  let sum = 0;
  let squares = 0;
  for (const { day, tally } of days) {
    const share = 0.5 ** (Math.max(0, today - day) / halfLifeDays);
    weight += share * tally.n;
    weightOfSquares += share * share * tally.n;
    sum += share * tally.sum;
    squares += share * tally.squares;
  }
  if (weight === 0) return emptyTally;
  const n = (weight * weight) / weightOfSquares;
  return { n, sum: (sum / weight) * n, squares: (squares / weight) * n };
}
