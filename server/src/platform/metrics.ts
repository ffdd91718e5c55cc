// The Prometheus metrics of this process: prom-client's registry, and meters that count and time
// requests and calls.
import v8 from 'node:v8';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Clock } from './clock.ts';
import { every, readRepeated, type Repeated } from './every.ts';
import type { Sample } from './limit-gauges.ts';

/** Counts one request or call by its result, and records how long it took. */
export type Meter = (result: string, ms: number) => void;

const latencyBucketsS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

const meters = {
  request: {
    labels: ['route'],
    counter: ['trivium_requests_total', 'Requests answered, by route and status.'],
    result: ['status'],
    histogram: ['trivium_request_seconds', 'Time to answer a request, by route.'],
  },
  upstream: {
    labels: ['provider'],
    counter: ['trivium_upstream_calls_total', 'Calls to a provider, by result.'],
    result: ['result'],
    histogram: ['trivium_upstream_seconds', 'Time a provider took to answer.'],
  },
  served: {
    labels: ['tool', 'provider'],
    counter: ['trivium_served_total', 'Requests for a tool, by provider, status and outcome.'],
    /** A result contains both, separated by a space. */
    result: ['status', 'outcome'],
    histogram: ['trivium_served_seconds', 'Time to serve a tool, by provider.'],
  },
} as const;
type MeterName = keyof typeof meters;

/** In ms. prom-client's default of 10 would wake an idle gateway a hundred times a second. */
const eventLoopMonitoringPrecision = 100;

/**
 * Bun has no heap spaces, and collects all garbage to say so at each start. prom-client leaves out what
 * is not implemented.
 */
v8.getHeapSpaceStatistics = () => {
  throw Object.assign(new Error('not implemented'), { code: 'ERR_NOT_IMPLEMENTED' });
};

export type Metrics = ReturnType<typeof makeMetrics>;

export function makeMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  const made = {
    request: registerMeter(registry, meters.request),
    upstream: registerMeter(registry, meters.upstream),
    served: registerMeter(registry, meters.served),
  };
  return {
    registry,
    /** Callers keep the meter, so that its labels are looked up only once. */
    meter: (name: MeterName, ...labels: string[]) => made[name](labels),
    /** Registers a histogram without labels, and returns a function that adds a value to it. */
    histogram: (name: string, help: string, bounds: readonly number[]) => {
      const values = makeDistribution(bounds);
      registerHistogram(registry, name, help, () => samplesOf(name, {}, values));
      return (value: number) => note(values, value);
    },
    /** Registers a counter whose totals are kept elsewhere and read at each scrape. */
    total: (
      name: string,
      help: string,
      labelNames: readonly string[],
      read: () => readonly Sample[],
    ) => {
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

/** Bounds the label values of one meter, in case a result ever comes from outside. */
const maxResults = 64;

/**
 * What one meter has counted. It is turned into samples only at a scrape, because requests are far
 * more frequent.
 */
interface Series {
  labels: Record<string, string>;
  byResult: Map<string, number>;
  seconds: Distribution;
}

/** A histogram in plain numbers: prom-client's own looks up its labels for every value. */
interface Distribution {
  bounds: readonly number[];
  /** One more than there are bounds: the last one is for values above all of them. */
  buckets: number[];
  sum: number;
}

function makeDistribution(bounds: readonly number[]): Distribution {
  return { bounds, buckets: bounds.map(() => 0).concat(0), sum: 0 };
}

function note(distribution: Distribution, value: number): void {
  const { bounds, buckets } = distribution;
  let at = 0;
  while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
  buckets[at] = (buckets[at] ?? 0) + 1;
  distribution.sum += value;
}

function registerHistogram(
  registry: Registry,
  name: string,
  help: string,
  read: () => ReturnType<typeof samplesOf>,
): void {
  const histogram = new Histogram({ name, help, registers: [registry] });
  const get = async () => ({
    ...{ name, help, type: 'histogram', aggregator: 'sum' },
    values: read(),
  });
  Object.assign(histogram, { get, getForPromString: get });
}

function registerMeter(
  registry: Registry,
  { labels: labelNames, counter, result: resultLabels, histogram }: (typeof meters)[MeterName],
): (labels: readonly string[]) => Meter {
  const [counterName, counterHelp] = counter;
  const [name, help] = histogram;
  const all: Series[] = [];
  const counts: Counter = new Counter({
    name: counterName,
    help: counterHelp,
    labelNames: [...labelNames, ...resultLabels],
    registers: [registry],
    collect: () => {
      counts.reset();
      for (const { labels, byResult } of all) {
        for (const [result, count] of byResult) {
          const parts = result.split(' ');
          const own = resultLabels.map((label, at) => [label, parts[at] ?? result]);
          counts.inc({ ...labels, ...Object.fromEntries(own) }, count);
        }
      }
    },
  });
  registerHistogram(registry, name, help, () =>
    all.flatMap(({ labels, byResult, seconds }) =>
      byResult.size === 0 ? [] : samplesOf(name, labels, seconds),
    ),
  );
  return (labels) => {
    const series: Series = {
      labels: Object.fromEntries(labelNames.map((label, at) => [label, labels[at] ?? ''])),
      byResult: new Map(),
      seconds: makeDistribution(latencyBucketsS),
    };
    all.push(series);
    return (result, ms) => count(series, result, ms);
  };
}

function count(series: Series, given: string, ms: number): void {
  const { byResult } = series;
  const result = byResult.size < maxResults || byResult.has(given) ? given : 'other';
  byResult.set(result, (byResult.get(result) ?? 0) + 1);
  note(series.seconds, ms / 1000);
}

function samplesOf(
  name: string,
  labels: Record<string, string>,
  { bounds, buckets, sum }: Distribution,
) {
  let total = 0;
  const counted = buckets.map((count, at) => {
    total += count;
    const le = bounds[at] ?? '+Inf';
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
  });
  return [
    ...counted,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}

/** The work that `every` repeats. */
export function registerRepeated({ total }: Pick<Metrics, 'total'>): void {
  const register = (name: string, help: string, valueOf: (task: Task) => number) => {
    const words = `${help} of work that the process repeats, by task.`;
    total(`trivium_task_${name}_total`, words, ['task'], () =>
      [...readRepeated()].map(([task, counts]) => ({ labels: { task }, value: valueOf(counts) })),
    );
  };
  register('runs', 'Rounds', ({ runs }) => runs);
  register('failures', 'Failed rounds', ({ failures }) => failures);
  register('seconds', 'Time of all rounds', ({ ms }) => ms / 1000);
}

type Task = ReturnType<typeof readRepeated> extends ReadonlyMap<string, infer T> ? T : never;

const delayEveryMs = 250;
const delayBounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures how late the event loop is: while it is busy, every request of this process waits. */
export function measureEventLoop({ histogram }: Metrics, clock: Pick<Clock, 'ticks'>): Repeated {
  const name = 'trivium_event_loop_delay_seconds';
  const help = 'How late timers of the process run, measured four times a second.';
  const observe = histogram(name, help, delayBounds);
  let last = clock.ticks();
  const measure = () => {
    const now = clock.ticks();
    observe(Math.max(0, now - last - delayEveryMs) / 1000);
    last = now;
  };
  return every(delayEveryMs, { name: 'event_loop', work: measure });
}
