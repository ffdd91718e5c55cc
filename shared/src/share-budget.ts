// Shares a budget among the texts of an answer by rank: tokens in the gateway, characters in the
// tools for agents.

/**
 * How much each text gets: the first results get the most, and what one does not need is shared
 * among the others.
 */
export function shareBudget(
  texts: readonly { length: number; rank: number }[],
  budget: number,
): number[] {
  const shares = texts.map(() => 0);
  const weights = texts.map(({ rank }) => weightOf(rank));
  // A text that needs the least for its weight is satisfied first, so one pass is enough.
  const order = texts
    .map(({ length }, at) => ({ at, length, need: length / (weights[at] ?? 1) }))
    .sort((one, other) => one.need - other.need);
  let left = budget;
  let sum = weights.reduce((total, weight) => total + weight, 0);
  for (const { at, length } of order) {
    const weight = weights[at] ?? 0;
    const share = Math.max(0, Math.min(length, Math.floor((left * weight) / sum)));
    shares[at] = share;
    left -= share;
    sum -= weight;
  }
  return shares;
}

/** The tenth result gets a quarter of what the first one gets. */
function weightOf(rank: number): number {
  return 1 / (1 + rank / 3);
}
