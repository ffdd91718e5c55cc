// The lines of a scorecard: what was observed of each engine, as figures with their intervals.
import { dayMs } from '@trivium/contract/durations';
import type { MeasuredQuality, ScorecardLine, SearchEngineId } from '@trivium/contract';
import { usd } from '../../billing/core/index.ts';
import type { QualitySource, QualitySums } from './quality-day.ts';
import {
  type DayTally,
  type Estimate,
  estimate,
  findChanges,
  sumOfDays,
  weeklyTrend,
} from './tally.ts';

/** One engine in one group of searches, on one day or in one week. */
export interface ScorecardPart<Engine extends string = SearchEngineId>
  extends DayTally, Pick<QualitySums, 'calls' | 'failures' | 'cost' | 'latency_ms' | 'useful'> {
  source: QualitySource;
  engine: Engine;
  group: string;
}

/** In the order in which engines and groups first appear. */
export function scorecardLines(parts: readonly ScorecardPart[]): ScorecardLine[] {
  const places = Map.groupBy(parts, ({ engine, group }) => `${engine} ${group}`);
  return [...places.values()].flatMap((ofLine) => {
    const [first] = ofLine;
    return first ? [lineOf(first, ofLine)] : [];
  });
}

function lineOf(
  { engine, group }: Pick<ScorecardPart, 'engine' | 'group'>,
  parts: readonly ScorecardPart[],
): ScorecardLine {
  const agreement = parts.filter(({ source }) => source === 'agreement');
  const feedback = parts.filter(({ source }) => source === 'feedback');
  // A search can be in both, and only a comparison sees the calls that failed.
  const compared = callsOf(agreement);
  const judged = callsOf(feedback);
  const { calls, failures, cost, latency_ms } = compared.calls > 0 ? compared : judged;
  return {
    provider: engine,
    group,
    agreement: qualityOf(agreement),
    feedback: qualityOf(feedback),
    calls,
    failures,
    price_usd: calls > failures ? dollars(cost / (calls - failures)) : null,
    latency_ms: calls > 0 ? Math.round(latency_ms / calls) : null,
    useful: judged.useful,
    useful_price_usd: judged.useful > 0 ? dollars(judged.cost / judged.useful) : null,
  };
}

function callsOf(parts: readonly ScorecardPart[]) {
  const total = { calls: 0, failures: 0, cost: 0, latency_ms: 0, useful: 0 };
  for (const part of parts) {
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += part[name];
  }
  return total;
}

function qualityOf(days: readonly DayTally[]): MeasuredQuality | null {
  const found = estimate(sumOfDays(days));
  if (!found) return null;
  return {
    ...rounded(found),
    weeks: weeklyTrend(days).map(({ day, ...week }) => ({ week: dateOf(day), ...rounded(week) })),
    changes: findChanges(days).map(({ day, before, after }) => ({
      day: dateOf(day),
      before: figure(before),
      after: figure(after),
    })),
  };
}

function rounded({ n, mean, lower, upper }: Estimate) {
  return {
    mean: figure(mean),
    lower: figure(lower),
    upper: figure(upper),
    observations: Number(n.toFixed(1)),
  };
}

/** Sums of fractions can miss 0 and 1 by a rounding error. */
function figure(value: number): number {
  return Number(Math.min(1, Math.max(0, value)).toFixed(4));
}

function dollars(microUsd: number): number {
  return Number(usd(Math.round(microUsd)));
}

/** The date of a day since 1970-01-01, in UTC. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
