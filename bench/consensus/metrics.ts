// Quality metrics of a result list, and confidence intervals for the difference of two methods.
import { makeRandom } from './random.ts';

export const depth = 10;
const resamples = 10_000;
const confidence = 0.95;

export interface Quality {
  /** How good the order of the first ten is: 1 is the best order possible. */
  ndcg: number;
  /** The share of the relevant pages among the first ten (of ten of them, if there are more). */
  recall: number;
  /** One divided by the position of the first relevant page of the first ten, else 0. */
  reciprocalRank: number;
}

export function measure<Page>(list: readonly Page[], grades: ReadonlyMap<Page, number>): Quality {
  const first = list.slice(0, depth).map((page) => grades.get(page) ?? 0);
  const ideal = [...grades.values()].toSorted((one, other) => other - one).slice(0, depth);
  const found = first.filter((grade) => grade > 0).length;
  const position = first.findIndex((grade) => grade > 0) + 1;
  return {
    ndcg: gain(first) / gain(ideal),
    recall: found / Math.min(depth, grades.size),
    reciprocalRank: position === 0 ? 0 : 1 / position,
  };
}

function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

export function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

export interface Difference {
  mean: number;
  low: number;
  high: number;
}

/**
 * The mean of paired differences with its bootstrap interval (95 percent). Each group is resampled
 * separately and has the same weight, so that a large collection does not dominate a small one.
 */
export function bootstrapMean(groups: readonly (readonly number[])[], seed = 1): Difference {
  const random = makeRandom(seed);
  const resampled = Array.from({ length: resamples }, () =>
    mean(groups.map((differences) => resampledMean(differences, random))),
  ).toSorted((one, other) => one - other);
  const cut = Math.floor(((1 - confidence) / 2) * resamples);
  return {
    mean: mean(groups.map(mean)),
    low: resampled[cut] ?? Number.NaN,
    high: resampled[resamples - 1 - cut] ?? Number.NaN,
  };
}

function resampledMean(differences: readonly number[], random: () => number): number {
  let sum = 0;
  for (let drawn = 0; drawn < differences.length; drawn += 1) {
    sum += differences[Math.floor(random() * differences.length)] ?? 0;
  }
  return sum / differences.length;
}
