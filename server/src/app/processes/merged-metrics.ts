// Combines the metrics of several processes. Counters are added, and each gauge states how it is
// combined. A counter does not fall when a process ends.
import { AggregatorRegistry } from 'prom-client';
import type { Registry } from 'prom-client';
import type { MetricValues, RenderedMetrics } from './messages.ts';

interface MergedMetrics {
  /** Keeps the counts of a process that has ended. */
  keep: (latest: MetricValues) => void;
  /** `readRunning` returns the latest values of each running process. */
  render: (readRunning: () => readonly MetricValues[]) => Promise<RenderedMetrics>;
}

/** `own` contains the metrics of the supervisor itself. */
export function makeMergedMetrics(own: Registry): MergedMetrics {
  const ended: MetricValues[] = [];
  return {
    keep: (latest) => void ended.push(latest.filter(onlyGrows)),
    render: async (readRunning) => {
      const folded = ended.length;
      ended.splice(0, folded, await merge(ended).getMetricsAsJSON());
      const values = await own.getMetricsAsJSON();
      const merged = merge([values, ...ended, ...readRunning()]);
      return { type: merged.contentType, text: await merged.metrics() };
    },
  };
}

function merge(values: readonly MetricValues[]): Registry {
  return AggregatorRegistry.aggregate([...values]);
}

function onlyGrows({ type }: MetricValues[number]): boolean {
  return String(type) !== 'gauge';
}
