// Does consensus help? Judged questions over the sandbox: each engine alone, fusion and plain lists.
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

type Lists = ReadonlyMap<SearchEngineId, readonly Found[]>;

/** Each way to make one list of keys out of the lists of the engines. */
const ways: [string, (lists: Lists) => string[]][] = [
  ...search_engine_ids.map((id): [string, (lists: Lists) => string[]] => [
    panel.includes(id) ? `${id} (panel)` : id,
    (lists) => keysOf(lists.get(id)),
  ]),
  ['fusion, top_k 3', (lists) => fused(panel, lists, 3)],
  ['fusion, top_k 10', (lists) => fused(panel, lists, 10)],
  ['fusion of all engines', (lists) => fused(search_engine_ids, lists, 3)],
  ['panel, round-robin', roundRobin],
  ['panel, one list after another', (lists) => panel.flatMap((id) => keysOf(lists.get(id)))],
];

const sandbox = await startSandboxHouse();
const house = sandbox.house(search_engine_ids);
const sums = ways.map(() => ({ gain: 0, recall: 0 }));
const gains: number[][] = [];
for (const judgement of judgements) {
  const lists = await askAll(house, judgement.query);
  const row = ways.map(([, way]) => [...new Set(way(lists))].slice(0, depth));
  row.forEach((keys, index) => {
    const sum = sums[index];
    if (!sum) return;
    sum.gain += normalisedGain(keys, judgement);
    sum.recall += recall(keys, judgement);
  });
  gains.push(row.map((keys) => normalisedGain(keys, judgement)));
}
await sandbox.stop();
print();

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

function print(): void {
  const count = judgements.length;
  const names = ways.map(([name]) => name);
  const lines = [`${count} questions        nDCG@${depth}  recall@${depth}`];
  names.forEach((name, index) => {
    const { gain: total = 0, recall: found = 0 } = sums[index] ?? {};
    const [order, share] = [total / count, found / count].map((mean) => mean.toFixed(3));
    lines.push(`${name.padEnd(30)} ${order}      ${share}`);
  });
  const fusion = names.indexOf('fusion, top_k 3');
  const best = panel
    .map((id) => names.indexOf(`${id} (panel)`))
    .reduce((one, other) => ((sums[one]?.gain ?? 0) >= (sums[other]?.gain ?? 0) ? one : other));
  const against = (sign: number) =>
    gains.filter((row) => Math.sign((row[fusion] ?? 0) - (row[best] ?? 0)) === sign).length;
  lines.push(
    `fusion against ${names[best]}, its best member: better on ${against(1)} questions, ` +
      `equal on ${against(0)}, worse on ${against(-1)}`,
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}
