// Counting on the way of every request: plain numbers here, text for Prometheus when it looks.
import type { Metric, Registry } from 'prom-client';

export interface Description {
  name: string;
  help: string;
  labels: readonly string[];
}

type Shown = { labels: Record<string, string | number>; value: number; metricName: string };

/** A counter with labels; asked once for a set of labels, it counts without looking them up. */
export function registerCounts(
  registry: Registry,
  { name, help, labels }: Description,
): (...values: string[]) => (by?: number) => void {
  const counts: { labels: Record<string, string>; value: number }[] = [];
  register(registry, { name, help, type: 'counter' }, () =>
    counts.map((count) => ({ ...count, metricName: name })),
  );
  return (...values) => {
    const count = { labels: labelled(labels, values), value: 0 };
    counts.push(count);
    return (by = 1) => {
      count.value += by;
    };
  };
}

/** The same for how values are spread over the buckets. */
export function registerSpread(
  registry: Registry,
  { name, help, labels }: Description,
  bounds: readonly number[],
): (...values: string[]) => (value: number) => void {
  const spreads: (() => Shown[])[] = [];
  register(registry, { name, help, type: 'histogram' }, () => spreads.flatMap((show) => show()));
  return (...values) => {
    const named = labelled(labels, values);
    const counts = new Float64Array(bounds.length + 1);
    let sum = 0;
    spreads.push(() => show(name, named, bounds, counts, sum));
    return (value) => {
      let at = 0;
      while (at < bounds.length && value > (bounds[at] ?? Infinity)) at += 1;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += value;
    };
  };
}

function show(
  name: string,
  labels: Record<string, string>,
  bounds: readonly number[],
  counts: Float64Array,
  sum: number,
): Shown[] {
  let count = 0;
  const buckets = Array.from(counts, (in_bucket, at): Shown => {
    count += in_bucket;
    const le = bounds[at] ?? '+Inf';
    return { labels: { le, ...labels }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}

function labelled(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}

/** The registry asks a metric for nothing but this, whatever its type demands. */
function register(
  registry: Registry,
  about: { name: string; help: string; type: string },
  values: () => Shown[],
): void {
  const metric = { ...about, get: async () => ({ ...about, values: values() }) };
  registry.registerMetric(metric as unknown as Metric);
}
