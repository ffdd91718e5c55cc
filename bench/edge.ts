// What the edge of the gateway costs per request, each part alone: finding a route, and counting a
// request for the metrics. CPU time, so that other programs on the machine matter less.
import { operations } from '@trivium/contract/operations';
import { Counter, Histogram, Registry } from 'prom-client';
import { makeRouter, pathOf } from '../server/src/http/router.ts';
import { makeMetrics } from '../server/src/platform/metrics.ts';

const rounds = 15;
const warmUpCalls = 20_000;
const callsPerRound = 100_000;

const latencyBucketsS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

const plainCounts = [0, 0, 0];
const plainBuckets = plainCounts.map(() => new Float64Array(latencyBucketsS.length + 1));

type Call = () => unknown;
interface Candidate {
  name: string;
  call: Call;
}

const routes = routeList();
process.stdout.write(`Finding a route among ${routes.length}, us of CPU per request\n`);
await compare(routerCandidates());
process.stdout.write('\nThree counters and three histograms, us of CPU per request\n');
await compare(metricsCandidates());

/** Every round measures every candidate once; a figure is the median of its rounds. */
async function compare(candidates: readonly Candidate[]): Promise<void> {
  for (const { call } of candidates) await measure(call, warmUpCalls);
  const figures = candidates.map(() => [] as number[]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { call }] of candidates.entries()) {
      figures[at]?.push(await measure(call, callsPerRound));
    }
  }
  for (const [at, { name }] of candidates.entries()) {
    const sorted = (figures[at] ?? []).toSorted((one, other) => one - other);
    const shown = [sorted[0], sorted[rounds >> 1], sorted.at(-1)].map((us) => us?.toFixed(2));
    const [least, median, most] = shown;
    process.stdout.write(`  ${name.padEnd(46)} ${median}  (${least} to ${most})\n`);
  }
}

async function measure(call: Call, calls: number): Promise<number> {
  Bun.gc(true);
  const before = process.cpuUsage();
  for (let at = 0; at < calls; at += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

function routeList(): { method: string; path: string }[] {
  return Object.keys(operations).map((key) => {
    const [method = '', path = ''] = key.split(' ');
    return { method, path };
  });
}

function routerCandidates(): Candidate[] {
  const find = makeRouter(routes);
  const origin = 'http://127.0.0.1:8787';
  return [
    { name: 'a path without parameters', call: () => find('POST', pathOf(`${origin}/v1/search`)) },
    { name: 'a path with a parameter', call: () => find('GET', pathOf(`${origin}/v1/jobs/job_1`)) },
  ];
}

function metricsCandidates(): Candidate[] {
  const registers = [new Registry()];
  const made = [['route'], ['provider'], ['tool', 'provider']].map((labels, at) => ({
    values: labels.map((label) => `${label}-value`),
    counter: new Counter({
      name: `c${at}`,
      help: 'c',
      labelNames: [...labels, 'status'],
      registers,
    }),
    histogram: new Histogram({
      name: `h${at}`,
      help: 'h',
      labelNames: labels,
      buckets: latencyBucketsS,
      registers,
    }),
  }));
  const children = made.map(({ values, counter, histogram }) => ({
    counter: counter.labels(...values, '200'),
    histogram: histogram.labels(...values),
  }));
  const metrics = makeMetrics();
  const meters = [
    metrics.meter('request', 'POST /v1/search'),
    metrics.meter('upstream', 'engine_a'),
    metrics.meter('served', 'search', 'engine_a'),
  ];
  return [
    {
      name: 'prom-client, labels given at each call',
      call: () => {
        for (const { values, counter, histogram } of made) {
          counter.labels(...values, '200').inc();
          histogram.labels(...values).observe(0.042);
        }
      },
    },
    {
      name: 'prom-client, children kept',
      call: () => {
        for (const { counter, histogram } of children) {
          counter.inc();
          histogram.observe(0.042);
        }
      },
    },
    { name: 'plain numbers instead of prom-client', call: countPlainly },
    {
      name: 'platform/metrics.ts',
      call: () => {
        for (const meter of meters) meter('200', 42);
      },
    },
  ];
}

/** The least that counting can cost: no labels, no checks. */
function countPlainly(): void {
  for (const [at, buckets] of plainBuckets.entries()) {
    plainCounts[at] = (plainCounts[at] ?? 0) + 1;
    const bucket = latencyBucketsS.findIndex((bound) => 0.042 <= bound);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
}
