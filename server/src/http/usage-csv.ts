// A usage report as a table: one row for each group, or for each group and day.
import type { UsageReport } from '@trivium/contract';
import { readNames } from '../accounts/index.ts';
import { csvLine } from '@trivium/shared/csv';

const figures = ['requests', 'served', 'refused', 'failed', 'cost_usd'] as const;
type Sums = Readonly<Record<(typeof figures)[number], number>>;

/** Names of keys and accounts are shown beside their ids. */
export async function usageCsv(
  context: Parameters<typeof readNames>[0],
  { by, usage, previous }: UsageReport,
): Promise<Response> {
  const isDaily = usage.some(({ days }) => days !== undefined);
  const earlier = !isDaily && previous !== undefined;
  const nameOf = await namesOf(context, by, usage);
  const head = [
    by,
    ...(nameOf ? [`${by}_name`] : []),
    ...(isDaily ? ['day'] : []),
    ...figures,
    ...(earlier ? figures.map((name) => `previous_${name}`) : []),
  ];
  const rows = usage.flatMap((line) => {
    const { group, days } = line;
    const groups = nameOf ? [group, nameOf(group)] : [group];
    if (days) return days.map((day) => [...groups, day.day, ...cells(day)]);
    return [[...groups, ...cells(line), ...(earlier && line.previous ? cells(line.previous) : [])]];
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

async function namesOf(
  context: Parameters<typeof readNames>[0],
  by: string,
  usage: UsageReport['usage'],
): Promise<((id: string) => string) | undefined> {
  const ids = usage.map(({ group }) => group);
  if (by !== 'key' && by !== 'account') return undefined;
  const names = await readNames(context, by === 'key' ? 'keys' : 'accounts', ids);
  return (id) => names.get(id) ?? '';
}
