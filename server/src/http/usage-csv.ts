// A report of usage as a table: one row for each group, or for each group and day.
import type { UsageReport } from '@trivium/contract';
import { csvLine } from './csv.ts';

const figures = ['requests', 'served', 'refused', 'failed', 'cost_usd'] as const;
type Sums = Readonly<Record<(typeof figures)[number], number>>;

export function usageCsv({ by, usage, previous }: UsageReport): Response {
  const isDaily = usage.some(({ days }) => days !== undefined);
  const earlier = !isDaily && previous !== undefined;
  const head = [
    by,
    ...(isDaily ? ['day'] : []),
    ...figures,
    ...(earlier ? figures.map((name) => `previous_${name}`) : []),
  ];
  const rows = usage.flatMap((line) => {
    const { group, days } = line;
    if (days) return days.map((day) => [group, day.day, ...cells(day)]);
    return [[group, ...cells(line), ...(earlier && line.previous ? cells(line.previous) : [])]];
  });
  return new Response([head, ...rows].map(csvLine).join(''), {
    headers: {
      vary: 'accept',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="usage.csv"',
    },
  });
}

function cells(sums: Sums): number[] {
  return figures.map((name) => sums[name]);
}
