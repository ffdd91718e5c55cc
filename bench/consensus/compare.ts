// Evaluates every way of merging, question by question, over many panels and many draws.
import { depth, mean, measure } from './metrics.ts';
import type { Quality } from './metrics.ts';
import { gatherStandings, orderBy, rules, twoPlusRank } from './rules.ts';

/** The lists of one draw: for each question and each member, at most ten pages. */
export type Lists = readonly (readonly (readonly number[])[])[];

export interface Setting {
  members: readonly string[];
  /** Each is a choice of members, by position. */
  panels: readonly (readonly number[])[];
  /** The relevant pages of each question with their grades. */
  grades: readonly ReadonlyMap<number, number>[];
  lots: readonly Lists[];
}

export interface PanelResult {
  /** The share of their first ten that two members have in common, on average. */
  overlap: number;
  fused: number;
  /** The nDCG@10 of its members, on average. */
  alone: number;
}

export interface Comparison {
  /** For each way of merging, one figure per question: the mean over panels and draws. */
  ways: Map<string, Quality[]>;
  panels: PanelResult[];
}

export const bestMember = 'best member afterwards';

export function compare(setting: Setting): Comparison {
  const questions = setting.grades.keys().toArray();
  const alone = setting.members.map((_, member) =>
    questions.map((question) =>
      meanQuality(
        setting.lots.map((lists) => judge(setting, question, listOf(lists, question, member))),
      ),
    ),
  );
  const perPanel = setting.panels.map((panel) => judgePanel(setting, panel));
  const ways = new Map<string, Quality[]>();
  for (const { name } of rules) {
    const figures = questions.map((question) =>
      meanQuality(perPanel.flatMap((panel) => panel.get(name)?.[question] ?? [])),
    );
    ways.set(name, figures);
  }
  const chosen = setting.panels.map((panel) => bestOf(panel, alone));
  ways.set(
    bestMember,
    questions.map((question) =>
      meanQuality(chosen.flatMap((member) => alone[member]?.[question] ?? [])),
    ),
  );
  setting.members.forEach((name, member) => ways.set(name, alone[member] ?? []));
  const overlaps = overlapOfPairs(setting);
  const panels = setting.panels.map((panel, at) => ({
    overlap: mean(pairsOf(panel).map(([one, other]) => overlaps.get(`${one} ${other}`) ?? 0)),
    fused: meanGain(perPanel[at]?.get(twoPlusRank.name) ?? []),
    alone: mean(panel.map((member) => meanGain(alone[member] ?? []))),
  }));
  return { ways, panels };
}

/** All combinations of this many members, in the order of the members. */
export function choices(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  return Array.from({ length: Math.max(0, count - from) }, (_, at) => from + at).flatMap((first) =>
    choices(count, size - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

function judgePanel(setting: Setting, panel: readonly number[]): Map<string, Quality[]> {
  const results = new Map<string, Quality[]>(rules.map(({ name }) => [name, []]));
  for (const question of setting.grades.keys()) {
    const standings = setting.lots.map((lists) =>
      gatherStandings(panel.map((member) => listOf(lists, question, member))),
    );
    for (const rule of rules) {
      const found = standings.map((each) => judge(setting, question, orderBy(rule, each)));
      results.get(rule.name)?.push(meanQuality(found));
    }
  }
  return results;
}

function judge({ grades }: Setting, question: number, list: readonly number[]): Quality {
  return measure(list, grades[question] ?? new Map<number, number>());
}

function listOf(lists: Lists, question: number, member: number): readonly number[] {
  return lists[question]?.[member] ?? [];
}

function bestOf(panel: readonly number[], alone: readonly Quality[][]): number {
  return panel.reduce((best, member) =>
    meanGain(alone[member] ?? []) > meanGain(alone[best] ?? []) ? member : best,
  );
}

function meanGain(figures: readonly Quality[]): number {
  return mean(figures.map(({ ndcg }) => ndcg));
}

function meanQuality(figures: readonly Quality[]): Quality {
  return {
    ndcg: mean(figures.map(({ ndcg }) => ndcg)),
    recall: mean(figures.map(({ recall }) => recall)),
    reciprocalRank: mean(figures.map(({ reciprocalRank }) => reciprocalRank)),
  };
}

function overlapOfPairs({ members, lots }: Setting): Map<string, number> {
  const pairs = pairsOf([...members.keys()]);
  return new Map(
    pairs.map(([one, other]) => [
      `${one} ${other}`,
      mean(
        lots.flatMap((lists) => lists.map((each) => overlap(each[one] ?? [], each[other] ?? []))),
      ),
    ]),
  );
}

function pairsOf(members: readonly number[]): [number, number][] {
  return members.flatMap((one, at) =>
    members.slice(at + 1).map((other): [number, number] => [one, other]),
  );
}

/** The share of the shorter list that is also in the other one. */
export function overlap(one: readonly number[], other: readonly number[]): number {
  const shorter = Math.min(one.length, other.length, depth);
  if (shorter === 0) return 0;
  const known = new Set(other.slice(0, depth));
  return one.slice(0, depth).filter((page) => known.has(page)).length / shorter;
}
