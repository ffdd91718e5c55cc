// Measures each engine by the answers of an evaluation.
import type { SearchEngineId } from '@trivium/contract';
import { compareAnswers, opinionsOf } from '@trivium/shared/agreement';
import { measureRanking } from '@trivium/shared/ranking-metrics';
import type { RankingMetrics } from '@trivium/shared/ranking-metrics';
import type { EngineAnswer } from './answers.ts';
import { bootstrap, quantile } from './bootstrap.ts';
import type { Interval } from './bootstrap.ts';
import { judgedPage } from './input.ts';
import type { EvaluatedQuery, Judgements } from './input.ts';

/** Figures that are shown with their intervals. Shares are from 0 to 1. */
export const figureNames = [
  'ndcg',
  'recall',
  'mrr',
  'agreement',
  'unique',
  'empty',
  'failed',
  'dates',
  'latency',
  'cost',
] as const;
export type FigureName = (typeof figureNames)[number];

export interface EngineReport {
  engine: SearchEngineId;
  answers: number;
  /** Undefined if there is nothing to measure it by. */
  figures: Readonly<Record<FigureName, Interval | undefined>>;
  latencyP90: number | undefined;
  totalUsd: number;
  /** Undefined if its answers were free. */
  searchesPerUsd: number | undefined;
  /** Relevant pages if there are judgements, otherwise pages that another opinion has too. */
  usefulPerUsd: number | undefined;
  useful: number;
  /** The figure that decides, by query: nDCG if there are judgements, otherwise agreement. */
  byQuery: ReadonlyMap<string, number>;
}

export interface QueryReport {
  query: EvaluatedQuery;
  isJudged: boolean;
  answers: {
    answer: EngineAnswer;
    metrics: RankingMetrics | undefined;
    agreement: number | undefined;
    /** For each of its pages: whether it is judged relevant, and how many others returned it. */
    marks: { isRelevant: boolean; others: number }[];
  }[];
}

export interface Report {
  engines: EngineReport[];
  queries: QueryReport[];
  /** What the engines are compared by. */
  decides: 'ndcg' | 'agreement';
  /** Groups of engines that count as one opinion, because they share most of their pages. */
  sharing: SearchEngineId[][];
}

/**
 * With fewer queries, the share of common pages says more about the queries than about the engines.
 */
const leastCompared = 20;

/** Compares only queries that were sent to every engine. */
export function measureEngines(
  queries: readonly EvaluatedQuery[],
  engines: readonly SearchEngineId[],
  answers: readonly EngineAnswer[],
  judgements: Judgements | undefined,
): Report {
  const found = new Map(
    answers.map((answer) => [JSON.stringify([answer.query, answer.engine]), answer]),
  );
  const complete = queries.flatMap((query) => {
    const ofQuery = engines.flatMap(
      (engine) => found.get(JSON.stringify([query.id, engine])) ?? [],
    );
    const isWhole =
      ofQuery.length === engines.length && ofQuery.every(({ outcome }) => outcome !== 'lost');
    return isWhole ? [{ query, ofQuery }] : [];
  });
  const opinions = opinionsOf(engines, overlapsOf(complete.map(({ ofQuery }) => ofQuery)));
  const reports = complete.map(
    ({ query, ofQuery }): QueryReport & { useful: number[]; unique: number[] } => {
      const compared = compareAnswers(
        ofQuery.map(({ engine, pages }) => ({ engine, pages: pages.map(({ id }) => id) })),
        opinions,
      );
      const grades = judgements?.get(query.id);
      const isRelevant = (page: EngineAnswer['pages'][number]) =>
        Math.max(grades?.get(page.id) ?? 0, grades?.get(judgedPage(page.url)) ?? 0) > 0;
      const finders = new Map<string, Set<string>>();
      for (const { engine, pages } of ofQuery) {
        for (const { id } of pages) finders.set(id, (finders.get(id) ?? new Set()).add(engine));
      }
      return {
        query,
        isJudged: grades !== undefined,
        answers: ofQuery.map((answer) => ({
          answer,
          metrics:
            grades &&
            measureRanking(
              answer.pages.map((page) => nameIn(grades, page)),
              grades,
            ),
          agreement: compared.get(answer.engine)?.agreement,
          marks: answer.pages.map((page) => ({
            isRelevant: isRelevant(page),
            others: (finders.get(page.id)?.size ?? 1) - 1,
          })),
        })),
        useful: ofQuery.map(({ engine, pages }) => {
          const { unique = 0, compared: all = 0 } = compared.get(engine) ?? {};
          const relevant = new Set(pages.filter(isRelevant).map(({ id }) => id));
          return judgements ? relevant.size : all - unique;
        }),
        unique: ofQuery.map(({ engine }) => {
          const { unique = 0, compared: all = 0 } = compared.get(engine) ?? {};
          return all === 0 ? Number.NaN : unique / all;
        }),
      };
    },
  );
  const decides = judgements ? 'ndcg' : 'agreement';
  return {
    decides,
    queries: reports,
    sharing: opinions.filter((group) => group.length > 1),
    engines: engines.map((engine, at) => {
      const own = reports.flatMap(({ answers: all }) => all[at] ?? []);
      const served = own.filter(({ answer }) => answer.outcome === 'served');
      const judged = own.flatMap(({ metrics }) => metrics ?? []);
      const some = (read: (one: EngineAnswer) => number) =>
        served.map(({ answer }) => read(answer));
      const dates = served.flatMap(({ answer: { pages } }) =>
        pages.length === 0 ? [] : [pages.filter(({ date }) => date !== '').length / pages.length],
      );
      const totalUsd = some(({ cost_usd }) => cost_usd).reduce((sum, cost) => sum + cost, 0);
      const useful = reports.reduce((sum, report) => sum + (report.useful[at] ?? 0), 0);
      const latencies = some(({ latency_ms }) => latency_ms);
      return {
        engine,
        answers: own.length,
        figures: {
          ndcg: bootstrap(judged.map(({ ndcg }) => ndcg)),
          recall: bootstrap(judged.map(({ recall }) => recall)),
          mrr: bootstrap(judged.map(({ reciprocalRank }) => reciprocalRank)),
          agreement: bootstrap(own.flatMap(({ agreement }) => agreement ?? [])),
          unique: bootstrap(
            reports
              .map(({ unique }) => unique[at] ?? Number.NaN)
              .filter((share) => !Number.isNaN(share)),
          ),
          empty: bootstrap(some(({ pages }) => (pages.length === 0 ? 1 : 0))),
          failed: bootstrap(own.map(({ answer }) => (answer.outcome === 'failed' ? 1 : 0))),
          dates: bootstrap(dates),
          latency: bootstrap(latencies, quantile(0.5)),
          cost: bootstrap(some(({ cost_usd }) => cost_usd)),
        },
        latencyP90: latencies.length === 0 ? undefined : quantile(0.9)(latencies),
        totalUsd,
        searchesPerUsd: totalUsd > 0 ? served.length / totalUsd : undefined,
        usefulPerUsd: totalUsd > 0 ? useful / totalUsd : undefined,
        useful,
        byQuery: new Map(
          reports.flatMap(({ query, answers: all }): [string, number][] => {
            const one = all[at];
            const value = judgements ? one?.metrics?.ndcg : one?.agreement;
            return value === undefined ? [] : [[query.id, value]];
          }),
        ),
      };
    }),
  };
}

/** A judged page may be given by its address or by the id of its results. */
function nameIn(
  grades: ReadonlyMap<string, number>,
  { id, url }: EngineAnswer['pages'][number],
): string {
  return grades.has(id) ? id : judgedPage(url);
}

function overlapsOf(queries: readonly (readonly EngineAnswer[])[]) {
  return (one: SearchEngineId, other: SearchEngineId): number | undefined => {
    let shared = 0;
    let compared = 0;
    let searches = 0;
    for (const answers of queries) {
      const [first, second] = [one, other].map(
        (engine) =>
          new Set(answers.find((answer) => answer.engine === engine)?.pages.map(({ id }) => id)),
      );
      const most = Math.min(first?.size ?? 0, second?.size ?? 0);
      if (!first || !second || most === 0) continue;
      searches += 1;
      compared += most;
      shared += [...first].filter((page) => second.has(page)).length;
    }
    return searches >= leastCompared ? shared / compared : undefined;
  };
}

/** The difference of two engines, query by query, where both have a figure. */
export function pairedDifference(one: EngineReport, other: EngineReport): Interval | undefined {
  const differences = [...one.byQuery].flatMap(([query, value]) => {
    const theirs = other.byQuery.get(query);
    return theirs === undefined ? [] : [value - theirs];
  });
  return bootstrap(differences);
}
