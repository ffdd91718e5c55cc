// Routing simulated on a market: the same stream of questions for every way to choose an engine.
import { compareAnswers, opinionsOf } from '@trivium/shared/agreement';
import { choose } from '../../server/src/quality/core/choose.ts';
import { classOfSearch, narrowestEvidence } from '../../server/src/quality/core/choose.ts';
import type { EvidenceRow } from '../../server/src/quality/core/choose.ts';
import { emptyTally } from '../../server/src/quality/core/tally.ts';
import { makeRandom } from '../consensus/random.ts';
import type { Market } from './market.ts';
import { observe } from './observe.ts';

export interface Stream {
  /** The market before and after a query; the second is the same where nothing is spoiled. */
  marketAt: (query: number) => Market;
  queries: number;
  queriesPerDay: number;
  seed: number;
}

export interface QualityRouting {
  /** The share of queries that all engines are asked as well. */
  shadows: number;
  bar: number;
  exploration: number;
  /** Learn from the judgements of the shadows, as if there were any, instead of agreement. */
  judged?: boolean;
}

export interface Served {
  /** The mean nDCG@10 of the answers; a failed one counts 0. */
  ndcg: number;
  /** The mean price of an answer, in micro-USD. */
  price: number;
}

interface Simulated {
  /** By the name of the routing. */
  served: Record<string, Served>;
  /** The engine that would have been best for the whole stream. */
  best: Served;
  /** What `quality` has learned: one row for each engine and day. */
  rows: EvidenceRow[];
  /** The engine that `quality` has at its first place after each query, exploration aside. */
  firstPlaces: number[];
}

export function simulate(stream: Stream, rules: QualityRouting): Simulated {
  const { engines } = stream.marketAt(0);
  const random = makeRandom(stream.seed);
  const at = engines.keys().toArray();
  const least = (read: (engine: number) => number) =>
    at.reduce((best, engine) => (read(engine) < read(best) ? engine : best));
  const cheapest = least((engine) => engines[engine]?.price ?? 0);
  const fastest = least((engine) => engines[engine]?.latencyMs ?? 0);
  const weights = engines.map(({ price }) => 1 / price);
  const quality = makeQualityRouting(stream, rules);
  const ways: Record<string, (query: number, draw: number) => number> = {
    quality: () => quality.choose(),
    order: () => 0,
    cheapest: () => cheapest,
    fastest: () => fastest,
    weighted: (_, draw) => drawByWeight(weights, draw),
    random: (_, draw) => Math.floor(draw * engines.length),
  };
  const totals = new Map(
    [...Object.keys(ways), ...at.map(String)].map((name) => [name, { ndcg: 0, price: 0 }]),
  );
  for (let query = 0; query < stream.queries; query += 1) {
    const market = stream.marketAt(query);
    const question = Math.floor(random() * market.answers.length);
    const failed = engines.map(({ failures }) => random() < failures);
    const draw = random();
    const add = (name: string, engine: number) => {
      const total = totals.get(name);
      if (!total) return;
      total.ndcg += failed[engine] ? 0 : (market.truth[question]?.[engine] ?? 0);
      total.price += engines[engine]?.price ?? 0;
    };
    for (const engine of at) add(String(engine), engine);
    for (const [name, way] of Object.entries(ways)) add(name, way(query, draw));
    quality.learn(
      query,
      (market.answers[question] ?? []).map((pages, engine) => (failed[engine] ? [] : pages)),
      (market.truth[question] ?? []).map((ndcg, engine) => (failed[engine] ? 0 : ndcg)),
    );
  }
  const meanOf = (name: string): Served => {
    const { ndcg = 0, price = 0 } = totals.get(name) ?? {};
    return { ndcg: ndcg / stream.queries, price: price / stream.queries };
  };
  return {
    served: Object.fromEntries(Object.keys(ways).map((name) => [name, meanOf(name)])),
    best: at
      .map((engine) => meanOf(String(engine)))
      .reduce((one, other) => (other.ndcg > one.ndcg ? other : one)),
    rows: [...quality.rows.values()],
    firstPlaces: quality.firstPlaces,
  };
}

/** A pair is compared in so many searches before its overlap counts, as in the gateway. */
const leastSearches = 20;

function makeQualityRouting(stream: Stream, rules: QualityRouting) {
  const { engines } = stream.marketAt(0);
  const random = makeRandom(stream.seed + 1);
  const sample = makeRandom(stream.seed + 2);
  const rows = new Map<string, EvidenceRow>();
  const plain = classOfSearch({});
  const overlaps = new Map<string, { shared: number; compared: number; searches: number }>();
  const firstPlaces: number[] = [];
  let day = 0;
  const ids = engines.map((_, at) => String(at));
  const overlapOf = (one: string, other: string) => {
    const found = overlaps.get([one, other].toSorted().join(' '));
    return found && found.searches >= leastSearches ? found.shared / found.compared : undefined;
  };
  const candidates = () => {
    const tallies = narrowestEvidence([...rows.values()], plain, day);
    return engines.map(({ price }, at) => ({
      ...{ engine: String(at), price, tally: tallies.get(String(at)) },
    }));
  };
  let known = candidates();
  return {
    firstPlaces,
    rows,
    choose: (): number => {
      const { order } = choose(known, rules, random);
      return Number(order[0]?.engine);
    },
    learn: (query: number, answers: readonly (readonly string[])[], truth: readonly number[]) => {
      day = Math.floor(query / stream.queriesPerDay);
      if (sample() < rules.shadows) {
        const lists = answers.map((pages, at) => ({ engine: String(at), pages }));
        countOverlaps(lists, overlaps);
        for (const [engine, { agreement }] of compareAnswers(lists, opinionsOf(ids, overlapOf))) {
          const quality = rules.judged ? truth[Number(engine)] : agreement;
          if (quality === undefined) continue;
          const name = `${engine} ${day}`;
          const { tally } = rows.get(name) ?? { tally: emptyTally };
          rows.set(name, { engine, class: plain, day, tally: observe(tally, quality) });
        }
        known = candidates();
      }
      const { order } = choose(known, { ...rules, exploration: 0 }, () => 1);
      firstPlaces.push(Number(order[0]?.engine));
    },
  };
}

function countOverlaps(
  lists: readonly { engine: string; pages: readonly string[] }[],
  overlaps: Map<string, { shared: number; compared: number; searches: number }>,
): void {
  for (const [index, one] of lists.entries()) {
    for (const other of lists.slice(index + 1)) {
      const compared = Math.min(one.pages.length, other.pages.length);
      if (compared === 0) continue;
      const name = [one.engine, other.engine].toSorted().join(' ');
      const known = overlaps.get(name) ?? { shared: 0, compared: 0, searches: 0 };
      known.shared += one.pages.filter((page) => other.pages.includes(page)).length;
      known.compared += compared;
      known.searches += 1;
      overlaps.set(name, known);
    }
  }
}

function drawByWeight(weights: readonly number[], draw: number): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let rest = draw * sum;
  const found = weights.findIndex((weight) => (rest -= weight) < 0);
  return found < 0 ? weights.length - 1 : found;
}
