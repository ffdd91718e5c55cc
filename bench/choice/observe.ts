// Observations of the studies, one by one, as tallies of the gateway.
import {
  addTallies,
  scaleVotes,
  type Tally,
  votesOf,
} from '../../server/src/quality/core/tally.ts';

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

/** The tally of the deployment for one week. */
export function weighAccountsEqually(accounts: readonly Tally[]): Tally {
  return addTallies(scaleVotes(accounts.map((tally) => votesOf(tally))));
}
