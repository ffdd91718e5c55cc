// Decides which groups account for the change of usage between two ranges. Groups that changed little,
// or against the change, are not its cause.
import type { UsageSums } from './request-row.ts';

export interface Change {
  now: Pick<UsageSums, 'requests' | 'cost'>;
  before: Pick<UsageSums, 'requests' | 'cost'>;
}

const leastShare = 1 / 3;
const mostNamed = 2;

/** The largest first. */
export function causesOf<G extends Change>(
  groups: readonly G[],
  total: Change,
  measure: 'requests' | 'cost',
): G[] {
  const changeOf = ({ now, before }: Change) => now[measure] - before[measure];
  const change = changeOf(total);
  /** A group to which everything belongs, in both ranges, explains nothing. */
  const isAll = ({ now, before }: Change) =>
    before[measure] > 0 &&
    now[measure] === total.now[measure] &&
    before[measure] === total.before[measure];
  return groups
    .filter((one) => change !== 0 && changeOf(one) / change >= leastShare && !isAll(one))
    .toSorted((one, other) => (changeOf(other) - changeOf(one)) / change)
    .slice(0, mostNamed);
}
