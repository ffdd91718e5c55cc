// Seeded random numbers, the same on every run: a benchmark must be repeatable.

/** A sequence of numbers from 0 up to 1, fixed by its seed (Mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number from 0 up to 1 derived from a text; the same text gives the same number (FNV-1a). */
export function drawFor(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  // The hash alone changes little with the last character; one step of the sequence spreads it.
  return makeRandom(hash)();
}
