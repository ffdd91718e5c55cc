// Does consensus help? Judged questions over the sandbox: engines alone, fusion and plain lists.
import { default_fusion_panel, search_engine_ids, SearchRequest } from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import { judgements } from '../sandbox/src/corpus/judgements.ts';
import type { Judgement } from '../sandbox/src/corpus/judgements.ts';
import { fuse } from '../server/src/domain/fusion.ts';
import { pageKey } from '../server/src/domain/page-key.ts';
import type { House } from '../server/src/services/house.ts';
import { performSearch, planSearch } from '../server/src/services/search-one.ts';
import type { Found } from '../server/src/services/search-one.ts';
import { startSandboxHouse } from '../server/test/services/sandbox-house.ts';

const depth = 10;
const budget = { timeout_ms: 30_000, max_bytes: 10_000_000 };
const panel: readonly SearchEngineId[] = default_fusion_panel;
const shown = 'fusion, top_k 3';

/** How one question went, one figure for each way. */
interface Score {
  gains: number[];
  recalls: number[];
  /** How many members of the panel list a page that answers the question. */
  known_to: number;
}

type Lists = ReadonlyMap<SearchEngineId, readonly Found[]>;

/** Each way to make one list of keys out of the lists of the engines. */
const ways: [string, (lists: Lists) => string[]][] = [
  ...search_engine_ids.map((id): [string, (lists: Lists) => string[]] => [
    panel.includes(id) ? `${id} (panel)` : id,
    (lists) => keysOf(lists.get(id)),
  ]),
  [shown, (lists) => fused(panel, lists, 3)],
  ['fusion, top_k 10', (lists) => fused(panel, lists, 10)],
  ['fusion of all engines', (lists) => fused(search_engine_ids, lists, 3)],
  ['panel, by the sum of 1/rank', byReciprocalRank],
  ['panel, round-robin', roundRobin],
  ['panel, one list after another', (lists) => panel.flatMap((id) => keysOf(lists.get(id)))],
];

const sandbox = await startSandboxHouse();
const house = sandbox.house(search_engine_ids);
const scores: Score[] = [];
for (const judgement of judgements) {
  const lists = await askAll(house, judgement.query);
  const made = ways.map(([, way]) => [...new Set(way(lists))].slice(0, depth));
  scores.push({
    gains: made.map((keys) => normalisedGain(keys, judgement)),
    recalls: made.map((keys) => recall(keys, judgement)),
    known_to: knownTo(lists, judgement),
  });
}
await sandbox.stop();
process.stdout.write(`${[...table(), '', ...duel(), '', ...split()].join('\n')}\n`);

async function askAll(asked: House, query: string): Promise<Lists> {
  const request = SearchRequest.parse({ query, max_results: depth });
  const answers = await Promise.all(
    search_engine_ids.map(async (id): Promise<[SearchEngineId, Found[]]> => {
      const station = asked.stations[id];
      if (!station.upstream) throw new Error(`${id} is not configured`);
      const plan = planSearch(asked, { ...station, upstream: station.upstream }, request);
      const outcome = await performSearch(asked, plan, budget);
      if (!outcome.ok) throw new Error(`${id} refused "${query}": ${outcome.refusal.message}`);
      return [id, outcome.found];
    }),
  );
  return new Map(answers);
}

function keysOf(list: readonly Found[] = []): string[] {
  return list.map(({ url }) => pageKey(url));
}

function fused(members: readonly SearchEngineId[], lists: Lists, top_k: number): string[] {
  return fuse(members, lists, { top_k }).results.map(({ key }) => key);
}

function roundRobin(lists: Lists): string[] {
  const rows = panel.map((id) => keysOf(lists.get(id)));
  return Array.from({ length: depth }, (_, rank) => rows.map((row) => row[rank] ?? [])).flat(2);
}

function byReciprocalRank(lists: Lists): string[] {
  const sums = new Map<string, number>();
  for (const id of panel) {
    keysOf(lists.get(id)).forEach((key, at) => sums.set(key, (sums.get(key) ?? 0) + 1 / (at + 1)));
  }
  return [...sums].toSorted(([, one], [, other]) => other - one).map(([key]) => key);
}

function knownTo(lists: Lists, { relevant }: Judgement): number {
  const answers = Object.keys(relevant).filter((url) => relevant[url] === 3);
  const counts = answers.map(
    (url) => panel.filter((id) => keysOf(lists.get(id)).includes(pageKey(url))).length,
  );
  return Math.max(...counts);
}

function gradesOf({ relevant }: Judgement): Map<string, number> {
  return new Map(Object.entries(relevant).map(([url, grade]) => [pageKey(url), grade]));
}

/** How good the order is, from 0 to 1: an early page that answers the question counts most. */
function normalisedGain(keys: readonly string[], judgement: Judgement): number {
  const grades = gradesOf(judgement);
  const ideal = [...grades.values()].toSorted((one, other) => other - one).slice(0, depth);
  return gain(keys.map((key) => grades.get(key) ?? 0)) / gain(ideal);
}

function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

function recall(keys: readonly string[], judgement: Judgement): number {
  const grades = gradesOf(judgement);
  return keys.filter((key) => grades.has(key)).length / Math.min(depth, grades.size);
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

function gainOf(name: string, among: readonly Score[] = scores): number {
  const index = ways.findIndex(([way]) => way === name);
  return mean(among.map(({ gains }) => gains[index] ?? 0));
}

function table(): string[] {
  const head = `${`${judgements.length} questions`.padEnd(30)} nDCG@${depth}  recall@${depth}`;
  const rows = ways.map(([name], index) => {
    const found = mean(scores.map(({ recalls }) => recalls[index] ?? 0));
    return `${name.padEnd(30)} ${gainOf(name).toFixed(3)}    ${found.toFixed(3)}`;
  });
  return [head, ...rows];
}

/** Fusion against the best of its members, question by question. */
function duel(): string[] {
  const names = panel.map((id) => `${id} (panel)`);
  const best = names.reduce((one, other) => (gainOf(one) >= gainOf(other) ? one : other));
  const gap = (score: Score) => gainOf(shown, [score]) - gainOf(best, [score]);
  const counts = [1, 0, -1].map((sign) => scores.filter((s) => Math.sign(gap(s)) === sign).length);
  const [better, equal, worse] = counts;
  return [`fusion against ${best}: better on ${better}, equal on ${equal}, worse on ${worse}`];
}

/** Whether it matters that all members know the answer. */
function split(): string[] {
  const columns = [shown, 'panel, by the sum of 1/rank', 'panel, round-robin', 'engine_a (panel)'];
  const rows = Array.from({ length: panel.length + 1 }, (_, count) => {
    const among = scores.filter(({ known_to }) => known_to === count);
    const figures = columns.map((name) => gainOf(name, among).toFixed(3));
    return `${count}           ${String(among.length).padStart(9)}   ${figures.join('   ')}`;
  });
  return [
    `members that list the answer, questions, nDCG@${depth} of: ${columns.join('; ')}`,
    ...rows,
  ];
}
