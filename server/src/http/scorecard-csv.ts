// A scorecard as a table: one row for each engine and group.
import type { MeasuredQuality, Scorecard } from '@trivium/contract';
import { csvLine } from '@trivium/shared/csv';

const figures = ['mean', 'lower', 'upper', 'observations'] as const;
const counts = ['calls', 'failures', 'price_usd', 'latency_ms', 'useful'] as const;

export function scorecardCsv({ by, lines }: Scorecard): Response {
  const grouped = by === 'provider' ? [] : [by];
  const head = [
    ...['provider', ...grouped],
    ...figures.map((name) => `agreement_${name}`),
    'agreement_last_change',
    ...figures.map((name) => `feedback_${name}`),
    'feedback_last_change',
    ...[...counts, 'useful_price_usd'],
  ];
  const rows = lines.map((line) => [
    ...[line.provider, ...(by === 'provider' ? [] : [line.group])],
    ...cells(line.agreement),
    ...cells(line.feedback),
    ...counts.map((name) => line[name]),
    line.useful_price_usd,
  ]);
  return new Response([head, ...rows].map(csvLine).join(''), {
    headers: {
      vary: 'accept',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="scorecard.csv"',
    },
  });
}

function cells(quality: MeasuredQuality | null): (string | number | null)[] {
  if (!quality) return [...figures.map(() => null), null];
  return [...figures.map((name) => quality[name]), quality.changes.at(-1)?.day ?? null];
}
