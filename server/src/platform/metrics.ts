// The Prometheus metrics of this process: prom-client's registry, and meters that count and time
// requests and calls.
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** Counts one request or call by its result, and records how long it took. */
export type Meter = (result: string, ms: number) => void;

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

export interface Metrics {
  registry: Registry;
  /** Callers keep the meter: it looks its labels up once. */
  meter: (name: MeterName, ...labels: string[]) => Meter;
  /** Registers a counter whose totals are kept elsewhere and read at each scrape. */
  total: (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly Sample[],
  ) => void;
  render: () => Promise<{ type: string; text: string }>;
}

const latencyBucketsS = [
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
    counter: ['trivium_upstream_calls_total', 'Calls to a provider, by result.', 'result'],
    histogram: ['trivium_upstream_seconds', 'Time a provider took to answer.'],
  },
  served: {
    labels: ['tool', 'provider'],
    counter: ['trivium_served_total', 'Requests for a tool, by provider and status.', 'status'],
    histogram: ['trivium_served_seconds', 'Time to serve a tool, by provider.'],
  },
} as const;
type MeterName = keyof typeof meters;

export function makeMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const made = {
    request: registerMeter(registry, meters.request),
    upstream: registerMeter(registry, meters.upstream),
    served: registerMeter(registry, meters.served),
  };
  return {
    registry,
    meter: (name, ...labels) => made[name](labels),
    total: (name, help, labelNames, read) => {
      const counter: Counter = new Counter({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect: () => {
          counter.reset();
          for (const { labels, value } of read()) counter.inc(labels, value);
        },
      });
    },
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

/** Bounds the label values of one meter, should a result ever come from outside. */
const maxResults = 64;

function registerMeter(
  registry: Registry,
  { labels: labelNames, counter, histogram }: (typeof meters)[MeterName],
): (labels: readonly string[]) => Meter {
  const [counterName, counterHelp, resultLabel] = counter;
  const [histogramName, histogramHelp] = histogram;
  const registers = [registry];
  const counts = new Counter({
    name: counterName,
    help: counterHelp,
    labelNames: [...labelNames, resultLabel],
    registers,
  });
  const times = new Histogram({
    name: histogramName,
    help: histogramHelp,
    labelNames: [...labelNames],
    buckets: latencyBucketsS,
    registers,
  });
  return (labels) => {
    const byResult = new Map<string, Counter.Internal>();
    const time = times.labels(...labels);
    return (result, ms) => {
      let count = byResult.get(result);
      if (!count) {
        const isNew = byResult.size < maxResults;
        count = counts.labels(...labels, isNew ? result : 'other');
        if (isNew) byResult.set(result, count);
      }
      count.inc();
      time.observe(ms / 1000);
    };
  };
}
