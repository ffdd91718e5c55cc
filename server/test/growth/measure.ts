// Compares the work for an input with the work for one twice as long: code whose work grows with
// the square of its input takes four times as long, and such an input delays every other caller.

export interface Growth {
  /** Work for twice the input, divided by the work for the input; about 2 for linear code. */
  ratio: number;
}

/** Between twice and four times, with room for a busy machine. */
export const maxGrowth = 3;

/** Below this many microseconds of processor time, noise is larger than the work. */
const leastMicros = 3000;
const rounds = 3;
const attempts = 5;
/** So far from the square that one round is enough. */
const clearGrowth = 2.5;

/**
 * Undefined when even the larger input takes too little work to be measured. Unless the first round
 * is clear, the least of several counts, because other programs can only add to it. What seems to grow
 * too fast is measured again: the compiler and the garbage collector run at any time.
 */
export function growthOf(work: (size: number) => unknown, size: number): Growth | undefined {
  // Most inputs take too little work even before the code is compiled.
  if (micros(work, 2 * size) < leastMicros) return undefined;
  work(size);
  const once = micros(work, 2 * size);
  let ratio = once / Math.max(micros(work, size), 1);
  if (ratio < clearGrowth) return { ratio };
  ratio = Infinity;
  for (let attempt = 0; attempt < attempts && ratio >= maxGrowth; attempt += 1) {
    const larger = least(work, 2 * size);
    if (larger < leastMicros) return undefined;
    ratio = Math.min(ratio, larger / Math.max(least(work, size), 1));
  }
  return { ratio };
}

function least(work: (size: number) => unknown, size: number): number {
  return Math.min(...Array.from({ length: rounds }, () => micros(work, size)));
}

function micros(work: (size: number) => unknown, size: number): number {
  const before = process.cpuUsage();
  work(size);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
