// Chance that can be repeated: the same seed gives the same choices.

export type Random = {
  /** A whole number from 0 to below the limit. */
  below: (limit: number) => number;
  pick: <T>(from: readonly T[]) => T;
};

export function makeRandom(seed: number): Random {
  let state = (seed * 2654435761 + 1) >>> 0;
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
}
