// The study of measured choice on one collection: does the order without judgements agree with the
// true one, what does routing by quality lose against the best engine, and does it notice decay?
import { compareAnswers, opinionsOf } from '@trivium/shared/agreement';
import { findChanges, weeklyTrend } from '../../server/src/quality/core/tally.ts';
import type { Collection } from '../consensus/judged-collection.ts';
import { studyFeedback } from './feedback-study.ts';
import { kendallTau } from './kendall.ts';
import { drawMarket, plainMarket, rankAll, spoil } from './market.ts';
import type { Market, Rankings } from './market.ts';
import { simulate } from './routing.ts';
import type { QualityRouting, Served } from './routing.ts';

/** The rule was chosen on lots 1 to 20; these are others. */
const firstLot = 201;
const lots = 20;
const routedLots = 5;
const queries = 1000;
const queriesPerDay = 100;
export const shadowShares = [0.05, 0.1, 0.2];
export const rules = { bar: 0.02, exploration: 0.02 };

export interface CollectionResult {
  name: string;
  questions: number;
  /** Kendall's tau where the retrievers are as they are. */
  tauPlain: number;
  /** Kendall's tau of each market by lot. */
  taus: number[];
  /** Of the pairs of engines whose difference by the judgements is beyond chance: those in the right order less the others. */
  certain: number[];
  /** Kendall's tau of the judgements of one half of the questions against the other half. */
  halves: number[];
  /** The share of nDCG that the engine with the most agreement on all questions loses. */
  lostByAgreement: number[];
  /** The same if a copy of an engine counted as an opinion of its own. */
  tausWithoutOpinions: number[];
  feedback: { tau: number; tauWithLoudAccount: number };
  /** For each share of shadows, and each market: what the ways to choose served. */
  routing: { shadows: number; served: Record<string, Served>; best: Served }[];
  /** For each share of shadows and each market: when a spoiled engine lost the first place. */
  spoiled: { shadows: number; queriesUntilLost: number | null; marked: boolean; weeks: number }[];
}

export function studyCollection(collection: Collection): CollectionResult {
  const rankings = rankAll(collection);
  const markets = Array.from({ length: lots }, (_, at) => drawMarket(rankings, firstLot + at));
  const studied = markets.map((market) => studyOrder(market));
  const routed = markets.slice(0, routedLots);
  const gradesOf = (question: number) => rankings.grades[question] ?? new Map<string, number>();
  const feedback = routed.map((market, at) => studyFeedback(market, gradesOf, at + 1));
  return {
    name: collection.name,
    questions: collection.questions.length,
    tauPlain: studyOrder(plainMarket(rankings)).tau,
    ...{ taus: studied.map(({ tau }) => tau), certain: studied.map(({ certain }) => certain) },
    halves: markets.map(tauOfHalves),
    lostByAgreement: studied.map(({ lost }) => lost),
    tausWithoutOpinions: markets.map((market) => studyOrder(market, false).tau),
    feedback: {
      tau: mean(feedback.map(({ tau }) => tau)),
      tauWithLoudAccount: mean(feedback.map(({ tauWithLoudAccount }) => tauWithLoudAccount)),
    },
    routing: shadowShares.flatMap((shadows) =>
      routed.map((market, at) => {
        const stream = { marketAt: () => market, queries, queriesPerDay, seed: at + 1 };
        const { served, best } = simulate(stream, { ...rules, shadows });
        const judged = simulate(stream, { ...rules, shadows, judged: true }).served['quality'];
        return { shadows, served: { ...served, ...(judged ? { judged } : {}) }, best };
      }),
    ),
    spoiled: shadowShares.flatMap((shadows) =>
      routed.map((market, at) => ({
        shadows,
        ...studySpoiling(market, rankings, { ...rules, shadows }, at + 1),
      })),
    ),
  };
}

/** All questions, every engine asked: what a scorecard would show. */
function studyOrder(market: Market, withOpinions = true) {
  const ids = market.engines.map((_, at) => String(at));
  const overlapOf = (one: string, other: string) => {
    const [first, second] = [Number(one), Number(other)];
    let shared = 0;
    let compared = 0;
    for (const lists of market.answers) {
      const theirs = lists[second] ?? [];
      shared += (lists[first] ?? []).filter((page) => theirs.includes(page)).length;
      compared += Math.min(lists[first]?.length ?? 0, theirs.length);
    }
    return shared / compared;
  };
  const opinions = withOpinions ? opinionsOf(ids, overlapOf) : ids.map((id) => [id]);
  const agreement = ids.map(() => 0);
  for (const lists of market.answers) {
    const answers = lists.map((pages, at) => ({ engine: String(at), pages }));
    const found = compareAnswers(answers, opinions);
    ids.forEach((id, at) => {
      agreement[at] = (agreement[at] ?? 0) + (found.get(id)?.agreement ?? 0);
    });
  }
  const truth = truthOf(market);
  const first = agreement.indexOf(Math.max(...agreement));
  return {
    tau: kendallTau(agreement, truth),
    certain: orderOfCertain(market, agreement),
    lost: 1 - (truth[first] ?? 0) / Math.max(...truth),
  };
}

function truthOf(
  { engines, truth }: Market,
  isCounted: (question: number) => boolean = () => true,
): number[] {
  const counted = truth.filter((_, question) => isCounted(question));
  return engines.map((_, at) => mean(counted.map((byEngine) => byEngine[at] ?? 0)));
}

function tauOfHalves(market: Market): number {
  return kendallTau(
    truthOf(market, (question) => question % 2 === 0),
    truthOf(market, (question) => question % 2 === 1),
  );
}

/** A difference of two engines beyond chance: the usual 1.96 standard errors, query by query. */
const beyondChance = 1.96;

function orderOfCertain({ engines, truth }: Market, agreement: readonly number[]): number {
  const signs: number[] = [];
  for (let one = 0; one < engines.length; one += 1) {
    for (let other = one + 1; other < engines.length; other += 1) {
      const differences = truth.map((byEngine) => (byEngine[one] ?? 0) - (byEngine[other] ?? 0));
      const middle = mean(differences);
      const variance = mean(differences.map((difference) => (difference - middle) ** 2));
      if (Math.abs(middle) <= beyondChance * Math.sqrt(variance / truth.length)) continue;
      const apart = (agreement[one] ?? 0) - (agreement[other] ?? 0);
      signs.push(Math.sign(middle) * Math.sign(apart));
    }
  }
  return mean(signs);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The engine that has the first place half-way is spoiled then. */
function studySpoiling(market: Market, rankings: Rankings, routing: QualityRouting, seed: number) {
  const half = queries / 2;
  const before = simulate({ marketAt: () => market, queries: half, queriesPerDay, seed }, routing);
  const first = before.firstPlaces.at(-1) ?? 0;
  const worse = spoil(market, first, rankings);
  const marketAt = (query: number) => (query < half ? market : worse);
  const { firstPlaces, rows } = simulate({ marketAt, queries, queriesPerDay, seed }, routing);
  // Lost for good: it may not come back later.
  const last = firstPlaces.lastIndexOf(first);
  const days = rows.filter(({ engine }) => engine === String(first));
  const spoiledDay = half / queriesPerDay;
  return {
    queriesUntilLost: last === queries - 1 ? null : Math.max(0, last + 1 - half),
    marked: findChanges(days).some(
      ({ day, after, before: was }) => after < was && Math.abs(day - spoiledDay) <= 1,
    ),
    weeks: weeklyTrend(days).length,
  };
}
