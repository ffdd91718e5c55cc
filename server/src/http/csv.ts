// Reports as tables, for callers who prefer CSV: usage with one row for each group, or for each group
// and day, and a scorecard with one row for each engine and group.
import type { MeasuredQuality, Scorecard, UsageReport } from '@trivium/contract';
import { csvLine } from '@trivium/shared/csv';
import { readNames } from '../accounts/index.ts';
import type { HttpContext } from './context.ts';

type Cell = string | number | null;

/** `format` is the parameter of that name, which takes precedence over the header. */
export function prefersCsv(request: Request, format?: 'json' | 'csv'): boolean {
  return format === undefined ? prefers(request, 'text/csv') : format === 'csv';
}

/** True if the caller prefers this media type to JSON. */
export function prefers({ headers }: Request, type: string): boolean {
  const served = [type, 'application/json', '*/*'];
  const accepted = (headers.get('accept') ?? '').split(',').map(readAccepted);
  const known = accepted.filter((one) => one.quality > 0 && served.includes(one.type));
  return known.toSorted((one, other) => other.quality - one.quality)[0]?.type === type;
}

function readAccepted(range: string): { type: string; quality: number } {
  const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase());
  const quality = params.find((param) => /^q\s*=/.test(param))?.replace(/^q\s*=/, '');
  return { type, quality: quality === undefined ? 1 : Number(quality) };
}

/** The same address answers in JSON, so caches must distinguish the two. */
export const varies = { vary: 'accept' };

export function csvOf(
  rows: readonly (readonly Cell[])[],
  headers: Record<string, string> = {},
): Response {
  return new Response(rows.map(csvLine).join(''), {
    headers: { ...varies, ...headers, 'content-type': 'text/csv; charset=utf-8' },
  });
}

function downloadOf(name: string, rows: readonly (readonly Cell[])[]): Response {
  return csvOf(rows, { 'content-disposition': `attachment; filename="${name}.csv"` });
}

const sums = ['requests', 'served', 'refused', 'failed', 'cost_usd'] as const;
type Sums = Readonly<Record<(typeof sums)[number], number>>;

interface UsageRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** `usage-2026-10` for a whole month, otherwise with both days, as far as they are given. */
export function usageName({ from, to }: UsageRange): string {
  const days = [from, to].flatMap((at) => (at === undefined ? [] : [at.slice(0, 10)]));
  const month = /^(\d{4}-\d{2})-01$/.exec(days[0] ?? '')?.[1];
  const isMonth = month !== undefined && days[1] === lastDayOf(month) && to?.length === 10;
  return isMonth ? `usage-${month}` : ['usage', ...days].join('-');
}

function lastDayOf(month: string): string {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1, 0);
  return next.toISOString().slice(0, 10);
}

/** Names of keys and accounts are shown beside their ids. */
export async function usageCsv(
  context: HttpContext,
  { by, usage, previous }: UsageReport,
  range: UsageRange,
): Promise<Response> {
  const isDaily = usage.some(({ days }) => days !== undefined);
  const earlier = !isDaily && previous !== undefined;
  const nameOf = await namesOf(context, by, usage);
  const head = [
    by,
    ...(nameOf ? [`${by}_name`] : []),
    ...(isDaily ? ['day'] : []),
    ...sums,
    ...(earlier ? sums.map((name) => `previous_${name}`) : []),
  ];
  const rows = usage.flatMap((line) => {
    const { group, days } = line;
    const groups = nameOf ? [group, nameOf(group)] : [group];
    if (days) return days.map((day) => [...groups, day.day, ...sumCells(day)]);
    const before = earlier && line.previous ? sumCells(line.previous) : [];
    return [[...groups, ...sumCells(line), ...before]];
  });
  return downloadOf(usageName(range), [head, ...rows]);
}

function sumCells(line: Sums): number[] {
  return sums.map((name) => line[name]);
}

async function namesOf(
  context: HttpContext,
  by: string,
  usage: UsageReport['usage'],
): Promise<((id: string) => string) | undefined> {
  const ids = usage.map(({ group }) => group);
  if (by !== 'key' && by !== 'account') return undefined;
  const names = await readNames(context, by === 'key' ? 'keys' : 'accounts', ids);
  return (id) => names.get(id) ?? '';
}

const estimates = ['mean', 'lower', 'upper', 'observations'] as const;
const totals = ['calls', 'failures', 'price_usd', 'latency_ms', 'useful'] as const;

export function scorecardCsv({ by, lines }: Scorecard): Response {
  const grouped = by === 'provider' ? [] : [by];
  const head = [
    ...['provider', ...grouped],
    ...estimates.map((name) => `agreement_${name}`),
    'agreement_last_change',
    ...estimates.map((name) => `feedback_${name}`),
    'feedback_last_change',
    ...[...totals, 'useful_price_usd'],
  ];
  const rows = lines.map((line) => [
    ...[line.provider, ...(by === 'provider' ? [] : [line.group])],
    ...qualityCells(line.agreement),
    ...qualityCells(line.feedback),
    ...totals.map((name) => line[name]),
    line.useful_price_usd,
  ]);
  return downloadOf('scorecard', [head, ...rows]);
}

function qualityCells(quality: MeasuredQuality | null): Cell[] {
  if (!quality) return [...estimates.map(() => null), null];
  return [...estimates.map((name) => quality[name]), quality.changes.at(-1)?.day ?? null];
}
