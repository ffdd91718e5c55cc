// Figures over time, from usage by hour or day and from measured requests.
import type { CostSeries, LatencySeries } from '@trivium/contract';
import { noUsage, type Usage, type UsageSums } from '../../requests/core/index.ts';
import { usd } from '../../billing/core/index.ts';
import type { Slots } from './slots.ts';

export interface Part extends Usage {
  /** The hour or day. */
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
  { list, placeOf }: Pick<Slots, 'list' | 'placeOf'>,
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
  for (const group of largest) sums.set(group, list.map(zero));
  for (const part of parts) {
    if (part.cost === 0) continue;
    const own = groupOf(part);
    const group = sums.has(own) ? own : null;
    const values = sums.get(group) ?? list.map(zero);
    const place = placeOf(part.unit);
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
  const sum = { ...noUsage };
  for (const { requests, refusals, failures, cost } of parts) {
    sum.requests += requests;
    sum.refusals += refusals;
    sum.failures += failures;
    sum.cost += cost;
  }
  return sum;
}

/** A sum less a share of one of its parts, in whole numbers. */
export function without(sum: UsageSums, part: UsageSums, share: number): UsageSums {
  const less = (whole: number, some: number) => Math.round(whole - some * share);
  return {
    requests: less(sum.requests, part.requests),
    refusals: less(sum.refusals, part.refusals),
    failures: less(sum.failures, part.failures),
    cost: less(sum.cost, part.cost),
  };
}

function zero(): number {
  return 0;
}

/** By nearest rank. Null if there are no values. */
export function percentile(values: readonly number[], share: number): number | null {
  return weightedPercentile(
    values.map((value) => ({ value, weight: 1 })),
    share,
  );
}

interface Weighted {
  value: number;
  /** How many similar requests it represents. */
  weight: number;
}

export function weightedPercentile(values: readonly Weighted[], share: number): number | null {
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
