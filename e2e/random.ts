// A seeded random generator: the same seed gives the same choices.

export type Random = {
  /** An integer from 0 up to, but excluding, the limit. */
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
