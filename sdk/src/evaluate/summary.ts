// The report of an evaluation as data, and what its reader must know about the run.
import { concludeFrom, count } from './conclusions.ts';
import type { EngineAnswer } from './answers.ts';
import type { Report } from './measure.ts';

export function notesOn(
  answers: readonly EngineAnswer[],
  notAsked: number,
  why = 'because of the budget',
): string[] {
  const lost = answers.filter(({ outcome }) => outcome === 'lost').length;
  return [
    ...(notAsked > 0 ? [`${count(notAsked, 'query was', 'queries were')} not sent, ${why}.`] : []),
    ...(lost > 0
      ? [
          `${count(lost, 'answer was', 'answers were')} lost in an interruption. Their queries are left out.`,
        ]
      : []),
  ];
}

export function summaryOf(report: Report, notes: readonly string[], spentUsd: number): object {
  return {
    queries: report.queries.length,
    engines: report.engines.map(({ engine, answers, figures, searchesPerUsd, usefulPerUsd }) => ({
      ...{ provider: engine, answers, ...figures },
      ...{ searches_per_usd: searchesPerUsd ?? null, useful_pages_per_usd: usefulPerUsd ?? null },
    })),
    conclusions: concludeFrom(report),
    notes,
    spent_usd: spentUsd,
  };
}
