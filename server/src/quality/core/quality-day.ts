// What is kept about one engine in one class of searches on one day. Sums can be added in any
// order, and whole numbers can be subtracted again without loss.
import type { SearchClass } from './choose.ts';

/** Agreement with other engines, or feedback from callers: two scales, which are never mixed. */
export type QualitySource = 'agreement' | 'feedback';

export interface QualitySums {
  observations: number;
  /** The sums of the qualities and of their squares, in millionths. */
  quality: number;
  squares: number;
  calls: number;
  failures: number;
  /** Totals of the calls, in micro-USD and in milliseconds. */
  cost: number;
  latency_ms: number;
  /** Results that were cited or opened. */
  useful: number;
}

export interface QualityDay extends QualitySums {
  account_id: string;
  day: number;
  source: QualitySource;
  engine: string;
  class: SearchClass;
}

export const noSums: Readonly<QualitySums> = {
  observations: 0,
  quality: 0,
  squares: 0,
  calls: 0,
  failures: 0,
  cost: 0,
  latency_ms: 0,
  useful: 0,
};

const millionths = 1_000_000;

/**
 * One observation of a quality from 0 to 1. Undefined for a call that says nothing about quality.
 */
export function observed(quality: number | undefined): QualitySums {
  if (quality === undefined) return noSums;
  const whole = Math.round(quality * millionths);
  const square = Math.round((whole * whole) / millionths);
  return { ...noSums, observations: 1, quality: whole, squares: square };
}

export function addSums(one: QualitySums, other: QualitySums, sign: 1 | -1 = 1): QualitySums {
  const sums = { ...noSums };
  for (const name of Object.keys(sums) as (keyof QualitySums)[]) {
    sums[name] = one[name] + sign * other[name];
  }
  return sums;
}

export function isNothing(sums: QualitySums): boolean {
  return Object.values(addSums(noSums, sums)).every((value) => value === 0);
}
