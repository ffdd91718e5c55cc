// Finds the word at a moment of a recording.
import type { Word } from '@trivium/contract';

/** A player may seek to a moment slightly before the requested one. */
const toleranceS = 0.005;

/** The index of the last word that has begun, or -1. The words of several speakers may overlap. */
export function makeWordFinder(words: readonly Pick<Word, 'start'>[]): (seconds: number) => number {
  const order = words
    .map(({ start }, at) => ({ start, at }))
    .sort((one, other) => one.start - other.start);
  return (seconds) => {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((order[middle]?.start ?? 0) <= seconds + toleranceS) low = middle + 1;
      else high = middle;
    }
    return order[low - 1]?.at ?? -1;
  };
}
