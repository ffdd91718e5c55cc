// The usual metrics of a ranked list against graded judgements, as trec_eval, ir_measures and ranx
// define them: a gain is the grade itself, and a page that is not judged is not relevant.

/** How many results of a list are measured by default. */
export const usualDepth = 10;

/** The grade of each judged page; 0 and below is not relevant. */
export type Grades = ReadonlyMap<string, number>;

export interface RankingMetrics {
  /** How good the order is: 1 is the best order that the judged pages allow. */
  ndcg: number;
  /** The share of all relevant pages that are in the list. */
  recall: number;
  /** One divided by the position of the first relevant page, and 0 without one. */
  reciprocalRank: number;
}

/** All are 0 if no page is relevant. If a page is listed twice, its first position counts. */
export function measureRanking(
  pages: readonly string[],
  grades: Grades,
  depth = usualDepth,
): RankingMetrics {
  const gains = [...new Set(pages)]
    .slice(0, depth)
    .map((page) => Math.max(0, grades.get(page) ?? 0));
  const relevant = [...grades.values()].filter((grade) => grade > 0);
  const best = relevant.toSorted((one, other) => other - one).slice(0, depth);
  const ideal = discountedGain(best);
  const first = gains.findIndex((gain) => gain > 0);
  return {
    ndcg: ideal === 0 ? 0 : discountedGain(gains) / ideal,
    recall: relevant.length === 0 ? 0 : gains.filter((gain) => gain > 0).length / relevant.length,
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  };
}

/** The sum of gains, each divided by the logarithm of its position. */
export function discountedGain(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}
