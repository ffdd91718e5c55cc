// A market of engines on a judged collection: retrievers that differ, each with pages that it has
// not crawled, results that are wrong, a price, a latency, and answers that fail.
import { measureRanking } from '@trivium/shared/ranking-metrics';
import type { Collection } from '../consensus/judged-collection.ts';
import { drawFor, makeRandom } from '../consensus/random.ts';
import { makeRetrievers } from '../consensus/retrievers.ts';

const depth = 10;

/** The whole rankings of every retriever for every question, made once for a collection. */
export interface Rankings {
  collection: Collection;
  retrievers: string[];
  /** By question and retriever: documents by position, the best first. */
  lists: number[][][];
  grades: Map<string, number>[];
}

interface MarketEngine {
  name: string;
  /** Which retriever ranks for it. */
  retriever: number;
  /** The share of the documents that it does not know. */
  missing: number;
  /** The share of its results that are replaced by any other document. */
  wrong: number;
  /** How many results it returns at most. */
  results: number;
  /** In micro-USD. */
  price: number;
  latencyMs: number;
  /** The share of requests that fail. */
  failures: number;
}

export interface Market {
  name: string;
  engines: MarketEngine[];
  /** By question and engine: the pages of an answer. */
  answers: string[][][];
  /** By question and engine: the nDCG@10 by the judgements. */
  truth: number[][];
}

export function rankAll(collection: Collection): Rankings {
  const retrievers = [...makeRetrievers(collection.documents)];
  return {
    collection,
    retrievers: retrievers.map(([name]) => name),
    lists: collection.questions.map(({ text }) =>
      retrievers.map(([, retrieve]) => retrieve(text).slice(0, depth * 10)),
    ),
    grades: collection.questions.map(({ grades }) => grades),
  };
}

/** The retrievers as they are: every one knows every page, and some are nearly alike. */
export function plainMarket(rankings: Rankings): Market {
  const engines = rankings.retrievers.map((name, retriever) => ({
    ...{ name, retriever, missing: 0, wrong: 0, results: depth },
    ...{ price: 1000, latencyMs: 100, failures: 0 },
  }));
  return assemble('as they are', engines, rankings);
}

const missingShares = [0, 0.1, 0.25, 0.4];
const wrongShares = [0, 0, 0.1, 0.3];
const lengths = [depth, depth, depth, 5];
const failureShares = [0, 0, 0.01, 0.05];

/**
 * A market by lot: each retriever once with its own faults, and a ninth engine on the index of one
 * of them, which is nearly a copy. Prices run from 1 to 9 thousandths of a dollar, in any order.
 */
export function drawMarket(rankings: Rankings, lot: number): Market {
  const random = makeRandom(lot * 7919 + 1);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const engines: MarketEngine[] = rankings.retrievers.map((name, retriever) => ({
    ...{ name, retriever, missing: pick(missingShares), wrong: pick(wrongShares) },
    ...{ results: pick(lengths), failures: pick(failureShares) },
    ...{ latencyMs: Math.round(50 + 950 * random()), price: 0 },
  }));
  const copied = engines[Math.floor(random() * engines.length)] as MarketEngine;
  engines.push({
    ...copied,
    name: `${copied.name}, resold`,
    latencyMs: Math.round(50 + 950 * random()),
  });
  const prices = shuffle(
    engines.map((_, at) => (at + 1) * 1000),
    random,
  );
  const priced = shuffle(engines, random).map((engine, at) => ({
    ...engine,
    price: prices[at] ?? 0,
  }));
  return assemble(`lot ${lot}`, priced, rankings, lot);
}

/** The same market in which one engine answers with pages of no use. */
export function spoil(market: Market, engine: number, rankings: Rankings): Market {
  const engines = market.engines.map((one, at) => (at === engine ? { ...one, wrong: 0.8 } : one));
  return assemble(market.name, engines, rankings, 1);
}

function shuffle<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ value }) => value);
}

function assemble(name: string, engines: MarketEngine[], rankings: Rankings, lot = 0): Market {
  const { documents } = rankings.collection;
  const idOf = (position: number) => documents[position]?.id ?? '';
  const answers = rankings.lists.map((byRetriever, question) =>
    engines.map((engine) =>
      answerOf(engine, byRetriever[engine.retriever] ?? [], {
        question,
        lot,
        documents: documents.length,
      }).map(idOf),
    ),
  );
  const truth = answers.map((byEngine, question) =>
    byEngine.map((pages) => measureRanking(pages, rankings.grades[question] ?? new Map()).ndcg),
  );
  return { name, engines, answers, truth };
}

/** A resold engine has the gaps and faults of its source, but for one result in twenty. */
function answerOf(
  engine: MarketEngine,
  ranking: readonly number[],
  { question, lot, documents }: { question: number; lot: number; documents: number },
): number[] {
  const source = engine.name.replace(', resold', '');
  const isResold = source !== engine.name;
  const list: number[] = [];
  for (const page of ranking) {
    if (list.length === engine.results) break;
    if (drawFor(`${lot}/${source}/${page}`) < engine.missing) continue;
    if (isResold && drawFor(`${lot}/${engine.name}/${page}`) < 0.05) continue;
    const isWrong = drawFor(`${lot}/${source}/${question}/${page}`) < engine.wrong;
    const other = Math.floor(drawFor(`${lot}/${source}/${question}/${page}/other`) * documents);
    list.push(isWrong ? other : page);
  }
  return [...new Set(list)];
}
