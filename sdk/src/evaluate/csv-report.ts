// The figures of an evaluation as CSV: one line for each engine, and one for each answer.
import { providerNames } from '@trivium/contract/provider-names';
import { csvLine } from '@trivium/shared/csv';
import { figureNames } from './measure.ts';
import type { Report } from './measure.ts';

export function enginesCsv({ engines }: Report): string {
  const bounds = figureNames.flatMap((name) => [name, `${name}_lower`, `${name}_upper`]);
  const head = ['engine', 'vendor', 'answers', ...bounds, 'latency_p90_ms', 'total_usd'];
  const money = ['searches_per_usd', 'useful_pages', 'useful_pages_per_usd'];
  const lines = engines.map((report) =>
    csvLine([
      report.engine,
      providerNames[report.engine],
      report.answers,
      ...figureNames.flatMap((name) => {
        const found = report.figures[name];
        return found ? [found.value, found.lower, found.upper].map(rounded) : [null, null, null];
      }),
      report.latencyP90 ?? null,
      rounded(report.totalUsd),
      report.searchesPerUsd === undefined ? null : rounded(report.searchesPerUsd),
      report.useful,
      report.usefulPerUsd === undefined ? null : rounded(report.usefulPerUsd),
    ]),
  );
  return [csvLine([...head, ...money]), ...lines].join('');
}

export function answersCsv({ queries }: Report): string {
  const head = ['query_id', 'query', 'engine', 'outcome', 'results', 'ndcg', 'recall', 'rr'];
  const rest = ['agreement', 'latency_ms', 'cost_usd', 'first_url'];
  const lines = queries.flatMap(({ query, answers }) =>
    answers.map(({ answer, metrics, agreement }) =>
      csvLine([
        ...[query.id, query.text, answer.engine, answer.outcome, answer.pages.length],
        ...[metrics?.ndcg, metrics?.recall, metrics?.reciprocalRank, agreement].map((value) =>
          value === undefined ? null : rounded(value),
        ),
        ...[answer.latency_ms, answer.cost_usd, answer.pages[0]?.url ?? null],
      ]),
    ),
  );
  return [csvLine([...head, ...rest]), ...lines].join('');
}

function rounded(value: number): number {
  return Number(value.toFixed(6));
}
