// Figures over time, from usage by hour or day and from measured requests. The intervals are hours
// of a day, days of a month or weeks of a quarter, in UTC or in a time zone.
import type { CostSeries, LatencySeries, OverviewSpan } from '@trivium/contract';
import { daysInWeek, mondayOf } from './days.ts';
import { addUsage, noUsage, type Usage, type UsageSums } from './request-row.ts';
import { usd } from '../../billing/core/index.ts';
import { dayMs, hourMs, minuteMs } from '@trivium/contract/durations';

export interface Part extends Usage {
  /** The hour or day, or the index of an interval. */
  unit: number;
}

interface TimedLatency {
  /** The index of its interval. */
  slot: number;
  provider: string;
  latency_ms: number;
}

/** People cannot distinguish more colours than this. */
export const maxSeries = 6;

/** The largest groups, and all others combined. Parts of no group count as others. */
export function costSeries(
  parts: readonly Part[],
  { list, slotOf }: Pick<Slots, 'list' | 'slotOf'>,
  groupOf: (part: Part) => string,
): CostSeries[] {
  const sizes = Map.groupBy(parts, groupOf);
  const largest = [...sizes]
    .map(([group, members]) => ({ group, cost: sumOf(members).cost }))
    .filter(({ group, cost }) => group !== '' && cost > 0)
    .sort((one, other) => other.cost - one.cost)
    .slice(0, maxSeries)
    .map(({ group }) => group);
  const sums = new Map<string | null, number[]>();
  const zeros = () => list.map(() => 0);
  for (const group of largest) sums.set(group, zeros());
  for (const part of parts) {
    if (part.cost === 0) continue;
    const own = groupOf(part);
    const group = sums.has(own) ? own : null;
    const values = sums.get(group) ?? zeros();
    const place = slotOf(part.unit);
    values[place] = (values[place] ?? 0) + part.cost;
    sums.set(group, values);
  }
  return [...sums].map(([group, values]) => ({ group, cost_usd: values.map(usd) }));
}

/** The providers with the most measured requests. */
export function latencySeries(sample: readonly TimedLatency[], slots: number): LatencySeries[] {
  const providers = Map.groupBy(sample, ({ provider }) => provider);
  providers.delete('');
  const busiest = [...providers].sort(([, one], [, other]) => other.length - one.length);
  return busiest.slice(0, maxSeries).map(([id, own]) => {
    const times = Array.from({ length: slots }, (): number[] => []);
    for (const { slot, latency_ms } of own) times[slot]?.push(latency_ms);
    return {
      id,
      p50_ms: times.map((values) => percentile(values, 0.5)),
      p95_ms: times.map((values) => percentile(values, 0.95)),
    };
  });
}

export function sumOf(parts: readonly UsageSums[]): UsageSums {
  return parts.reduce((sum, part) => addUsage(sum, part), noUsage);
}

export function percentile(values: readonly number[], share: number): number | null {
  const weighted = values.map((value) => ({ value, weight: 1 }));
  return weightedPercentile(weighted, share);
}

/** By nearest rank. A value has the weight of the similar requests that it represents. */
export function weightedPercentile(
  values: readonly { value: number; weight: number }[],
  share: number,
): number | null {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  const all = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const { value, weight } of sorted) {
    passed += weight;
    // Sums of fractions are slightly inexact.
    if (passed >= share * all - 1e-9) return value;
  }
  return sorted.at(-1)?.value ?? null;
}

export const spanDays = { '7d': 7, '30d': 30, '90d': 90 } as const;
type DaySpan = keyof typeof spanDays;

export type Slots = ReturnType<typeof slotsOf>;

export function slotsOf(span: OverviewSpan, now: number) {
  const unitMs = span === '24h' ? hourMs : dayMs;
  const count = span === '24h' ? 24 : spanDays[span];
  const last = Math.floor(now / unitMs);
  const first = last - count + 1;
  const isWeekly = span === '90d';
  const groupOf = isWeekly ? mondayOf : (unit: number) => unit;
  const units = Array.from({ length: count }, (_, place) => first + place);
  const groups = [...Map.groupBy(units, groupOf).values()];
  return {
    /** How usage is counted over this range: by the hour, or by the UTC day. */
    unitMs,
    /** The first unit of the range, and of the previous range. */
    first,
    before: first - count,
    /** In milliseconds. `until` is exclusive. */
    list: groups.map((members) => ({
      at: (members[0] ?? first) * unitMs,
      until: ((members.at(-1) ?? last) + 1) * unitMs,
    })),
    /** The index of a unit in the list. */
    slotOf: (unit: number) => (groupOf(unit) - groupOf(first)) / (isWeekly ? daysInWeek : 1),
    /** How much of the last unit has passed, from 0 to 1. */
    elapsed: now / unitMs - last,
  };
}

const quarterMs = 15 * minuteMs;
/** A zone is at most 14 hours away from UTC. */
const around = (24 * 60) / 15;

export function zonedSlotsOf(span: DaySpan, now: number, zone: string) {
  const dayIn = dayFinder(zone);
  const last = dayIn(now);
  const first = last - spanDays[span] + 1;
  const days = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  const groups = [...Map.groupBy(days, span === '90d' ? mondayOf : (day) => day).values()];
  const starts = groups.map(([day = first]) => startOf(day, dayIn));
  const list = starts.map((at, place) => ({
    at,
    until: starts[place + 1] ?? startOf(last + 1, dayIn),
  }));
  return { list, from: list[0]?.at ?? now };
}

/** The first quarter of an hour of a day. If clocks skip midnight, the day begins later. */
function startOf(day: number, dayIn: (at: number) => number): number {
  const midnight = (day * dayMs) / quarterMs;
  let [earlier, within] = [midnight - around, midnight + around];
  while (within - earlier > 1) {
    const middle = Math.floor((earlier + within) / 2);
    if (dayIn(middle * quarterMs) < day) earlier = middle;
    else within = middle;
  }
  return within * quarterMs;
}

/** The calendar day of a time in the zone, counted since 1970. */
function dayFinder(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
    return Date.UTC(part('year'), part('month') - 1, part('day')) / dayMs;
  };
}

export function sumsForReport({ requests, refusals: refused, failures, cost }: UsageSums) {
  const served = requests - refused - failures;
  return { requests, served, refused, failed: failures, failures, cost_usd: usd(cost) };
}
