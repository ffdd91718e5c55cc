// The intervals of an overview: hours of a day, days of a month, weeks of a quarter. Also the
// previous range, for comparison.
import { dayMs, hourMs } from '@trivium/contract/durations';
import type { OverviewSpan } from '@trivium/contract';
import { daysInWeek, mondayOf } from '../../requests/core/index.ts';

interface Slot {
  /** In milliseconds. `until` is exclusive. */
  at: number;
  until: number;
}

export interface Slots {
  /** How usage is counted over this range: by the hour, or by the UTC day. */
  unitMs: number;
  /** The first unit of the range, and of the previous range. */
  first: number;
  before: number;
  list: Slot[];
  /** The index of a unit in the list. */
  placeOf: (unit: number) => number;
  /** How much of the last unit has passed, from 0 to 1. */
  elapsed: number;
}

const days: Readonly<Record<Exclude<OverviewSpan, '24h'>, number>> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
};
const hours = 24;

export function daysOf(span: Exclude<OverviewSpan, '24h'>): number {
  return days[span];
}

export function slotsOf(span: OverviewSpan, now: number): Slots {
  const unitMs = span === '24h' ? hourMs : dayMs;
  const count = span === '24h' ? hours : days[span];
  const last = Math.floor(now / unitMs);
  const first = last - count + 1;
  const isWeekly = span === '90d';
  const groupOf = isWeekly ? mondayOf : (unit: number) => unit;
  const units = Array.from({ length: count }, (_, place) => first + place);
  const groups = [...Map.groupBy(units, groupOf).values()];
  return {
    unitMs,
    first,
    before: first - count,
    list: groups.map((members) => ({
      at: (members[0] ?? first) * unitMs,
      until: ((members.at(-1) ?? last) + 1) * unitMs,
    })),
    placeOf: (unit) => (groupOf(unit) - groupOf(first)) / (isWeekly ? daysInWeek : 1),
    elapsed: now / unitMs - last,
  };
}
