// The quality of an engine for the deployment: in each week every account has one vote, however much
// it searches. What is kept are sums over accounts, so that reading them needs no account.
import { daysInWeek, mondayOf } from '../../requests/core/index.ts';
import { addTallies, type Tally } from './tally.ts';

/** With fewer observations in a week, each of them is this part of a vote. */
export const observationsOfVote = 5;

/** Sums over weighted observations, which are added to each other over accounts, classes and days. */
export interface Votes {
  /** An account with enough observations in a week has 1 of it. */
  weight: number;
  /** The sum of the squared weights, from which follows what the observations are worth. */
  weight_squares: number;
  /** The weighted sums of the qualities and of their squares. */
  sum: number;
  squares: number;
}

/** A part of what was observed for an account that has so many observations in the week. */
export function votesOf(part: Tally, ofWeek = part.n): Votes {
  const weight = 1 / Math.max(ofWeek, observationsOfVote);
  return {
    weight: weight * part.n,
    weight_squares: weight * weight * part.n,
    sum: weight * part.sum,
    squares: weight * part.squares,
  };
}

/**
 * The parts as tallies that can be added: together they have the mean of the votes, and as many
 * observations as a plain mean with the same uncertainty.
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

/** The tally of the deployment for one week. */
export function weighAccountsEqually(accounts: readonly Tally[]): Tally {
  return addTallies(scaleVotes(accounts.map((tally) => votesOf(tally))));
}

/** The running week counts by its days so far, else its first hours would weigh a whole week. */
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
