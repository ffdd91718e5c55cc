// Can feedback alone tell engines apart? Callers of several accounts search with engines in turn,
// cite what is relevant, and sometimes click on what is not. No shadow is asked.
import {
  applyFeedback,
  countUseful,
  qualityByFeedback,
} from '../../server/src/quality/core/feedback.ts';
import type { Verdict } from '../../server/src/quality/core/feedback.ts';
import { emptyTally } from '../../server/src/quality/core/tally.ts';
import { makeRandom } from '../consensus/random.ts';
import { amend, observe, weighAccountsEqually } from './observe.ts';
import { kendallTau } from './kendall.ts';
import type { Market } from './market.ts';

/** How many searches each account makes with each engine; one is far louder than the others. */
const searches = [400, 60, 60, 60, 60];
/** The share of results that a caller opens though they are of no use. */
const mistaken = 0.05;
/** The share of feedback that is corrected later. */
const corrected = 0.1;

interface FeedbackStudy {
  /** Kendall's tau of the order by feedback against the order by judgements. */
  tau: number;
  /** The same where the loud account cites only one engine, which is not the best. */
  tauWithLoudAccount: number;
  /** What a useful result of each engine cost, in USD. */
  usefulUsd: (number | undefined)[];
}

/** `gradesOf` are the judgements of a question. */
export function studyFeedback(
  market: Market,
  gradesOf: (question: number) => ReadonlyMap<string, number>,
  seed: number,
): FeedbackStudy {
  const truth = market.engines.map(
    (_, engine) =>
      market.truth.reduce((sum, byEngine) => sum + (byEngine[engine] ?? 0), 0) /
      market.truth.length,
  );
  const worst = truth.indexOf(Math.min(...truth));
  const honest = collect(market, gradesOf, seed);
  const loud = collect(market, gradesOf, seed, worst);
  return {
    tau: kendallTau(honest.qualities, truth),
    tauWithLoudAccount: kendallTau(loud.qualities, truth),
    usefulUsd: market.engines.map(({ price }, engine) => {
      const { asked = 0, useful = 0 } = honest.counts[engine] ?? {};
      return useful === 0 ? undefined : (asked * price) / useful / 1_000_000;
    }),
  };
}

function collect(
  market: Market,
  gradesOf: (question: number) => ReadonlyMap<string, number>,
  seed: number,
  favourite?: number,
) {
  const random = makeRandom(seed);
  const counts = market.engines.map(() => ({ asked: 0, useful: 0 }));
  const qualities = market.engines.map((_, engine) => {
    const byAccount = searches.map((count, account) => {
      let tally = emptyTally;
      for (let search = 0; search < count; search += 1) {
        const question = Math.floor(random() * market.answers.length);
        const results = market.answers[question]?.[engine] ?? [];
        const grades = gradesOf(question);
        const isBiased = favourite !== undefined && account === 0;
        const isUseful = (page: string) =>
          isBiased ? engine === favourite : (grades.get(page) ?? 0) > 0;
        const cited = results.filter((page) => isUseful(page) && random() < 0.8);
        const opened = results.filter(() => random() < mistaken);
        const first = applyFeedback(new Map<string, Verdict>(), { cited, opened });
        const quality = qualityByFeedback(results, first) ?? 0;
        tally = observe(tally, quality);
        const rejected = opened.filter((page) => !isUseful(page));
        const last = random() < corrected ? applyFeedback(first, { rejected }) : first;
        tally = amend(tally, quality, qualityByFeedback(results, last) ?? 0);
        const counted = counts[engine];
        if (!counted) continue;
        counted.asked += 1;
        counted.useful += countUseful(results, last);
      }
      return tally;
    });
    const { n, sum } = weighAccountsEqually(byAccount);
    return n === 0 ? 0 : sum / n;
  });
  return { qualities, counts };
}
