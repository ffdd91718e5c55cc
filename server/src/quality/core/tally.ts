// What is known about an engine from many observations: their number, their sum, and the sum of
// their squares. Tallies can be added, so the number of rows depends on days and not on searches.
// They are weighed by votes of accounts and by age, and show how the quality develops.
import { daysInWeek, mondayOf } from '../../requests/core/index.ts';

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

export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce((one, other) => combine(one, other, 1), emptyTally);
}

function combine(one: Tally, other: Tally, sign: 1 | -1): Tally {
  return {
    n: one.n + sign * other.n,
    sum: one.sum + sign * other.sum,
    squares: one.squares + sign * other.squares,
  };
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
function varianceOf({ n, sum, squares }: Tally): number {
  const spread = n > 0 ? Math.max(0, squares - (sum * sum) / n) : 0;
  return (spread + imagined.n * imagined.variance) / Math.max(n - 1 + imagined.n, imagined.n);
}

/** With fewer observations in a week, an account has only a part of a vote. */
export const observationsOfVote = 5;

/**
 * What accounts observed, with one vote for each account in each week, however much it searches.
 * Votes are added over accounts, classes and days.
 */
export interface Votes {
  /** An account with enough observations in a week has 1 of it. */
  weight: number;
  /** The sum of the squared weights, which says how many observations the votes are worth. */
  weight_squares: number;
  /** The weighted sums of the qualities and of their squares. */
  sum: number;
  squares: number;
}

/** The votes of some observations of an account that has `ofWeek` observations in their week. */
export function votesOf(part: Tally, ofWeek = part.n): Votes {
  const one = 1 / Math.max(ofWeek, observationsOfVote);
  const { n, sum, squares } = part;
  return { weight: one * n, weight_squares: one * one * n, sum: one * sum, squares: one * squares };
}

/**
 * Tallies that can be added: together they have the mean of the votes, and as many observations as
 * a plain mean with the same uncertainty.
 */
export function scaleVotes(parts: readonly Votes[]): Tally[] {
  let [weight, weightSquares] = [0, 0];
  for (const part of parts) {
    weight += part.weight;
    weightSquares += part.weight_squares;
  }
  const scale = weightSquares > 0 ? weight / weightSquares : 0;
  return parts.map((part) => ({
    n: part.weight * scale,
    sum: part.sum * scale,
    squares: part.squares * scale,
  }));
}

/** The current week counts by its days so far. Otherwise its first hours would weigh a week. */
export function shareOfWeek(day: number, today: number): number {
  const passed = today - mondayOf(day) + 1;
  return Math.min(daysInWeek, Math.max(1, passed)) / daysInWeek;
}

export function reduceVotes({ weight, weight_squares, sum, squares }: Votes, share: number): Votes {
  return {
    weight: weight * share,
    weight_squares: weight_squares * share * share,
    sum: sum * share,
    squares: squares * share,
  };
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

/**
 * How many standard errors apart the two sides of a change must be. Every day of every engine is
 * tested, so the usual two would find changes where there are none.
 */
const clearlyApart = 4;
/** With fewer observations on a side, the result says more about the queries than the engine. */
const leastOfSide = 12;
/** A smaller change is too small to act on. */
const leastChange = 0.02;
/** The search for changes covers at most this many of the newest days. */
const maxDays = 400;

/**
 * The days on which the quality changed, in chronological order, with the means before that day and
 * from it on, each up to the next change. `days` may have gaps and any order.
 */
export function findChanges(days: readonly DayTally[]) {
  const sorted = inOrder(days);
  const starts = splitPoints(sorted, 0, sorted.length);
  const bounds = [0, ...starts, sorted.length];
  return starts.map((start, at) => ({
    day: sorted[start]?.day ?? 0,
    before: meanOf(sorted.slice(bounds[at], start)),
    after: meanOf(sorted.slice(start, bounds[at + 2])),
  }));
}

/**
 * The evidence that describes the engine today: the days since its last change, with less weight
 * for older ones. An engine that became worse does not benefit from its better past.
 */
export function currentEvidence(days: readonly DayTally[], today: number): Tally {
  const sorted = inOrder(days).filter(({ day }) => day <= today);
  const start = splitPoints(sorted, 0, sorted.length).at(-1) ?? 0;
  return discountByAge(sorted.slice(start), today);
}

/** The weeks that have observations, by their Mondays, in chronological order. */
export function weeklyTrend(days: readonly DayTally[]) {
  return [...Map.groupBy(inOrder(days), ({ day }) => mondayOf(day))].flatMap(([day, ofWeek]) => {
    const found = estimate(sumOfDays(ofWeek));
    return found ? [{ day, ...found }] : [];
  });
}

export function sumOfDays(days: readonly DayTally[]): Tally {
  return addTallies(days.map(({ tally }) => tally));
}

function inOrder(days: readonly DayTally[]): DayTally[] {
  return days
    .filter(({ tally }) => tally.n > 0)
    .toSorted((one, other) => one.day - other.day)
    .slice(-maxDays);
}

/** The clearest split first, then each side separately. */
function splitPoints(days: readonly DayTally[], from: number, to: number): number[] {
  let after = sumOfDays(days.slice(from, to));
  let before = emptyTally;
  let best = { at: -1, distance: clearlyApart };
  for (let at = from + 1; at < to; at += 1) {
    const moved = days[at - 1]?.tally;
    if (!moved) continue;
    before = combine(before, moved, 1);
    after = combine(after, moved, -1);
    const distance = distanceOf(before, after);
    if (distance > best.distance) best = { at, distance };
  }
  if (best.at < 0) return [];
  return [...splitPoints(days, from, best.at), best.at, ...splitPoints(days, best.at, to)];
}

/** In standard errors. Zero if too little is known about a side. */
function distanceOf(one: Tally, other: Tally): number {
  if (one.n < leastOfSide || other.n < leastOfSide) return 0;
  const apart = Math.abs(one.sum / one.n - other.sum / other.n);
  if (apart < leastChange) return 0;
  return apart / Math.sqrt(varianceOf(one) / one.n + varianceOf(other) / other.n);
}

function meanOf(days: readonly DayTally[]): number {
  const { n, sum } = sumOfDays(days);
  return n === 0 ? 0 : sum / n;
}
