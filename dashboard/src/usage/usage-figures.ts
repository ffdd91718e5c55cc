// The figures of the usage page: the range, the intervals of its chart, and the series of its groups.
import type { UsageLine } from '@trivium/contract';

const dayMs = 86_400_000;

export interface Days {
  /** Days in UTC, both included. */
  from: string;
  to: string;
}

export function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The ranges to choose from: a number of days, or a calendar month. */
export const usageRanges: readonly (readonly [id: string, text: string])[] = [
  ['1d', 'Today'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
  ['365d', 'Last 365 days'],
  ['month', 'This month'],
  ['last-month', 'Last month'],
];

export function daysOfRange(range: string, now: number): Days {
  const today = dayText(now);
  const monthStart = `${today.slice(0, 7)}-01`;
  if (range === 'month') return { from: monthStart, to: today };
  if (range === 'last-month') {
    const last = dayText(Date.parse(monthStart) - dayMs);
    return { from: `${last.slice(0, 7)}-01`, to: last };
  }
  const count = Number(/^(\d{1,4})d$/.exec(range)?.[1] ?? 30);
  return { from: dayText(now - (Math.max(1, count) - 1) * dayMs), to: today };
}

/** More columns than this are too narrow to distinguish. */
const maxIntervals = 92;

export interface Interval {
  at: string;
  until: string;
}

/** Days, or several days each where the range is long. */
export function intervalsOf({ from, to }: Days): Interval[] {
  const [first, end] = [Date.parse(from), Date.parse(to) + dayMs];
  const days = Math.max(1, Math.round((end - first) / dayMs));
  const each = Math.ceil(days / maxIntervals);
  return Array.from({ length: Math.ceil(days / each) }, (_, place) => {
    const at = first + place * each * dayMs;
    return {
      at: new Date(at).toISOString(),
      until: new Date(Math.min(at + each * dayMs, end)).toISOString(),
    };
  });
}

export interface CostSeries {
  /** Null for all groups that have no series of their own. */
  group: string | null;
  values: number[];
}

const maxSeries = 7;

/** The most expensive groups, with all others as one. */
export function costSeries(
  lines: readonly UsageLine[],
  intervals: readonly Interval[],
): CostSeries[] {
  const sorted = lines.toSorted((one, other) => other.cost_usd - one.cost_usd);
  const own = sorted.slice(0, maxSeries).map(({ group, days }) => ({
    group,
    values: valuesOf(days ?? [], intervals),
  }));
  const rest = sorted.slice(maxSeries);
  if (rest.length === 0) return own;
  const values = valuesOf(
    rest.flatMap(({ days }) => days ?? []),
    intervals,
  );
  return [...own, { group: null, values }];
}

function valuesOf(
  days: readonly { day: string; cost_usd: number }[],
  intervals: readonly Interval[],
): number[] {
  const [first] = intervals;
  if (!first) return [];
  const start = Date.parse(first.at);
  const length = Date.parse(first.until) - start;
  const values = intervals.map(() => 0);
  for (const { day, cost_usd } of days) {
    const place = Math.floor((Date.parse(day) - start) / length);
    const before = values[place];
    if (before !== undefined) values[place] = before + cost_usd;
  }
  return values;
}
