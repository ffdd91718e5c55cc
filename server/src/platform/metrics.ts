// The metrics: what Prometheus scrapes, with every label made beforehand so that counting is cheap.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { registerCounts, registerSpread } from './tally.ts';

/** Counts one thing that ended: how it ended, and how long it took. */
export type Meter = (result: string, ms: number) => void;

/** One value with its labels, read when somebody looks. */
export interface Reading {
  labels: Record<string, string>;
  value: number;
}

export interface Metrics {
  /** A counter and a histogram under the same labels, such as a route or a provider. */
  meter: (name: MeterName, ...labels: string[]) => Meter;
  counter: (name: string, help: string) => (by?: number) => void;
  histogram: (name: string, help: string, buckets: number[]) => (value: number) => void;
  gauge: (
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Reading[] | Promise<Reading[]>,
  ) => void;
  render: () => Promise<{ type: string; text: string }>;
}

const latency_buckets_s = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

const meters = {
  request: {
    labels: ['route'],
    counter: ['trivium_requests_total', 'Requests answered, by route and status.', 'status'],
    histogram: ['trivium_request_seconds', 'Time to answer a request, by route.'],
  },
  upstream: {
    labels: ['provider'],
    counter: ['trivium_upstream_calls_total', 'Calls to a provider, by how they ended.', 'result'],
    histogram: ['trivium_upstream_seconds', 'Time a provider took to answer.'],
  },
  served: {
    labels: ['tool', 'provider'],
    counter: ['trivium_served_total', 'Requests for a tool, by who served and status.', 'status'],
    histogram: ['trivium_served_seconds', 'Time to serve a tool, by who served.'],
  },
} as const;
export type MeterName = keyof typeof meters;

export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const made = Object.fromEntries(
    Object.entries(meters).map(([name, meter]) => [name, makeMeters(registry, meter)]),
  ) as Record<MeterName, (labels: string[]) => Meter>;
  return {
    meter: (name, ...labels) => made[name](labels),
    counter: (name, help) => registerCounts(registry, { name, help, labels: [] })(),
    histogram: (name, help, buckets) =>
      registerSpread(registry, { name, help, labels: [] }, buckets)(),
    gauge: (name, help, labelNames, read) => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers,
        collect: async () => {
          const readings = await read();
          gauge.reset();
          for (const { labels, value } of readings) gauge.set(labels, value);
        },
      });
    },
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

/** The names of what ends are few; a bound keeps a mistake from growing the memory. */
const most_results = 64;

function makeMeters(
  registry: Registry,
  { labels: names, counter, histogram }: (typeof meters)[MeterName],
): (labels: string[]) => Meter {
  const [counter_name, counter_help, result_label] = counter;
  const [histogram_name, histogram_help] = histogram;
  const countsOf = registerCounts(registry, {
    name: counter_name,
    help: counter_help,
    labels: [...names, result_label],
  });
  const timesOf = registerSpread(
    registry,
    { name: histogram_name, help: histogram_help, labels: names },
    latency_buckets_s,
  );
  return (labels) => {
    const ended = new Map<string, () => void>();
    const others = makeOnce(() => countsOf(...labels, 'other'));
    const time = timesOf(...labels);
    return (result, ms) => {
      let count = ended.get(result);
      if (!count) {
        const known = ended.size < most_results;
        count = known ? countsOf(...labels, result) : others();
        if (known) ended.set(result, count);
      }
      count();
      time(ms / 1000);
    };
  };
}

function makeOnce<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
