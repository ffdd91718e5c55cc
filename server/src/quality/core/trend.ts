// How the quality of an engine develops: its weeks, the days on which it changed, and the evidence
// that still describes it.
import { mondayOf } from '../../requests/core/index.ts';
import { addTallies, discountByAge, estimate, varianceOf } from './tally.ts';
import type { DayTally, Estimate, Tally } from './tally.ts';

/** A day on which the quality changed. */
interface Change {
  day: number;
  /** The means before that day and from it on, each up to the next change. */
  before: number;
  after: number;
}

/**
 * How many standard errors apart the two sides of a change must be. Every day of every engine is
 * tested, so the usual two would find changes where there are none.
 */
const clearlyApart = 4;
/**
 * With fewer observations on a side, the result says more about the queries than about the engine.
 */
const leastOfSide = 12;
/** A smaller change is too small to act on. */
const leastChange = 0.02;
/** The search for changes covers at most this many of the newest days. */
const maxDays = 400;

/** Changes in chronological order. `days` may have gaps and any order. */
export function findChanges(days: readonly DayTally[]): Change[] {
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

interface Week extends Estimate {
  /** The first day of the week, a Monday. */
  day: number;
}

/** The weeks that have observations, in chronological order. */
export function weeklyTrend(days: readonly DayTally[]): Week[] {
  const weeks = new Map<number, Tally[]>();
  for (const { day, tally } of inOrder(days)) {
    const monday = mondayOf(day);
    weeks.set(monday, [...(weeks.get(monday) ?? []), tally]);
  }
  return [...weeks].flatMap(([day, tallies]) => {
    const found = estimate(addTallies(tallies));
    return found === undefined ? [] : [{ day, ...found }];
  });
}

function inOrder(days: readonly DayTally[]): DayTally[] {
  return days
    .filter(({ tally }) => tally.n > 0)
    .toSorted((one, other) => one.day - other.day)
    .slice(-maxDays);
}

/** The clearest split first, then each side separately. */
function splitPoints(days: readonly DayTally[], from: number, to: number): number[] {
  let after = addTallies(days.slice(from, to).map(({ tally }) => tally));
  let before: Tally = { n: 0, sum: 0, squares: 0 };
  let best = { at: -1, distance: clearlyApart };
  for (let at = from + 1; at < to; at += 1) {
    const moved = days[at - 1]?.tally;
    if (!moved) continue;
    before = addTallies([before, moved]);
    after = {
      n: after.n - moved.n,
      sum: after.sum - moved.sum,
      squares: after.squares - moved.squares,
    };
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
  const { n, sum } = addTallies(days.map(({ tally }) => tally));
  return n === 0 ? 0 : sum / n;
}
