// The study as Markdown: the scores of every way, the confidence of the differences, the targets.
import { missingShares } from './collection-study.ts';
import type { Study } from './collection-study.ts';
import { bestMember } from './compare.ts';
import type { Comparison, PanelResult } from './compare.ts';
import { bootstrapMean, depth, mean } from './metrics.ts';
import type { Difference, Quality } from './metrics.ts';
import { countingFirst, rules, twoPlusRank } from './rules.ts';

type Metric = keyof Quality;
const metrics: readonly (readonly [Metric, string])[] = [
  ['ndcg', `nDCG@${depth}`],
  ['recall', `recall@${depth}`],
  ['reciprocalRank', `MRR@${depth}`],
];
/** The share of missing pages at which the targets are evaluated: a quarter. */
const judgedAt = missingShares.indexOf(0.25);

/** The scores of every way. One comparison for each column of every metric. */
export function qualityTable(columns: readonly (readonly [string, Comparison])[]): string[] {
  const ways = [...(columns[0]?.[1].ways.keys() ?? [])];
  const heads = metrics.flatMap(([, metric]) =>
    columns.map(([name]) => (name === '' ? metric : `${metric}, ${name}`)),
  );
  const rows = ways.map((way) => [
    way === twoPlusRank.name ? `**${way}**` : way,
    ...metrics.flatMap(([metric]) =>
      columns.map(([, { ways: figures }]) => meanOf(figures.get(way), metric).toFixed(3)),
    ),
  ]);
  return markdownTable(['List', ...heads], rows);
}

/** Fusion's order against the others, by nDCG, with intervals. */
export function differenceTable(
  columns: readonly (readonly [string, readonly Comparison[]])[],
): string[] {
  const others = [
    ...rules.filter((rule) => rule !== twoPlusRank).map(({ name }) => name),
    bestMember,
  ];
  const rows = others.map((other) => [
    other,
    ...columns.map(([, comparisons]) => formatDifference(differenceTo(other, comparisons))),
  ]);
  return markdownTable([`${twoPlusRank.name} minus`, ...columns.map(([name]) => name)], rows);
}

export function reportStudies(studies: readonly Study[]): string[] {
  const shares = missingShares.map((share) => `${share * 100} % missing`);
  const lines = studies.flatMap(({ collection, comparisons }) => [
    `### ${collection.name}`,
    '',
    `${collection.documents.length} documents, ${collection.questions.length} judged questions.`,
    ...collection.remarks.map((remark) => `- ${remark}`),
    '',
    ...qualityTable(comparisons.map((comparison, at) => [shares[at] ?? '', comparison])),
    '',
    ...differenceTable(comparisons.map((comparison, at) => [shares[at] ?? '', [comparison]])),
    '',
    ...overlapTable(comparisons[judgedAt]?.panels ?? []),
    '',
  ]);
  const together = missingShares.map(
    (_, at) =>
      [shares[at] ?? '', studies.flatMap(({ comparisons }) => comparisons[at] ?? [])] as const,
  );
  const all = [
    '### All collections, each with the same weight',
    '',
    ...differenceTable(together),
    '',
  ];
  return [...lines, ...(studies.length > 1 ? all : []), ...verdicts(studies)];
}

function verdicts(studies: readonly Study[]): string[] {
  const judged = studies.map(({ collection, comparisons }) => ({
    name: collection.name,
    comparison: comparisons[judgedAt],
  }));
  const lines = judged.flatMap(({ name, comparison }) => {
    if (!comparison) return [];
    const difference = differenceTo(bestMember, [comparison]);
    const verdict = difference.high >= 0 ? 'met' : 'MISSED';
    return [`- ${name}, not below the ${bestMember}: ${formatDifference(difference)}, ${verdict}`];
  });
  const all = judged.flatMap(({ comparison }) => comparison ?? []);
  const difference = differenceTo(countingFirst.name, all);
  const verdict = difference.low > 0 ? 'met' : 'MISSED';
  const name = `above ${countingFirst.name} on the mean of the collections`;
  return [
    `Targets, nDCG@${depth} with ${(missingShares[judgedAt] ?? 0) * 100} % missing:`,
    '',
    ...lines,
    `- ${name}: ${formatDifference(difference)}, ${verdict}`,
  ];
}

/** Whether panels whose members agree less gain more: thirds of the panels, by their overlap. */
function overlapTable(panels: readonly PanelResult[]): string[] {
  const sorted = panels.toSorted((one, other) => one.overlap - other.overlap);
  const third = Math.ceil(sorted.length / 3);
  const parts = ['least overlap', 'middle', 'most overlap'].map(
    (name, at) => [name, sorted.slice(at * third, (at + 1) * third)] as const,
  );
  const rows = parts
    .filter(([, part]) => part.length > 0)
    .map(([name, part]) => [
      `${name} (${part.length})`,
      mean(part.map(({ overlap }) => overlap)).toFixed(2),
      mean(part.map(({ alone }) => alone)).toFixed(3),
      mean(part.map(({ fused }) => fused)).toFixed(3),
      signed(mean(part.map(({ fused, alone }) => fused - alone))),
    ]);
  return markdownTable(['Panels', 'Overlap', 'Mean member', 'Fusion', 'Gain'], rows);
}

function differenceTo(other: string, comparisons: readonly Comparison[]): Difference {
  const groups = comparisons.map(({ ways }) => {
    const theirs = ways.get(other) ?? [];
    return (ways.get(twoPlusRank.name) ?? []).map(
      ({ ndcg }, question) => ndcg - (theirs[question]?.ndcg ?? 0),
    );
  });
  return bootstrapMean(groups);
}

export function meanOf(figures: readonly Quality[] = [], metric: Metric): number {
  return mean(figures.map((figure) => figure[metric]));
}

function formatDifference({ mean: middle, low, high }: Difference): string {
  return `${signed(middle)} [${signed(low)}, ${signed(high)}]`;
}

function signed(figure: number): string {
  return `${figure < 0 ? '-' : '+'}${Math.abs(figure).toFixed(3)}`;
}

export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
