// The gauges of the gateway. What a store must be asked for is counted in the background, so that a
// scrape reads memory only.
import type { Scorecard } from '@trivium/contract';
import { Gauge, type Registry } from 'prom-client';
import type { ContentThread } from '../content/index.ts';
import { countPending, type PendingCount } from '../events/index.ts';
import type { Clock } from '../platform/clock.ts';
import { every, type Repeated } from '../platform/every.ts';
import { readLimits, type Sample } from '../platform/limit-gauges.ts';
import type { Metrics } from '../platform/metrics.ts';
import { hasTotals, readScorecard, totalQuality } from '../quality/index.ts';
import type { ReadableDatabase, Runner } from '../store/index.ts';
import { countOpenJobs, type JobCount } from '../transcription/index.ts';
import { healthOf } from '../upstream/index.ts';
import type { AppContext } from './context.ts';

interface StoreCounts {
  /** Empty until they are counted, and while they cannot be. */
  jobs: readonly JobCount[];
  deliveries: readonly PendingCount[];
}

type GaugeSources = AppContext & { counts: StoreCounts };

interface GaugeDescription {
  name: string;
  help: string;
  labels?: readonly string[];
  /** How the values of several processes are combined. If absent, they are added. */
  aggregator?: 'max';
}

interface GaugeRow extends GaugeDescription {
  /** Called at each scrape, so it reads memory only. */
  read: (sources: GaugeSources) => readonly Sample[];
}

const circuitValues = { closed: 0, half_open: 1, open: 2 } as const;

const gauges: readonly GaugeRow[] = [
  {
    name: 'trivium_circuit_state',
    aggregator: 'max',
    help: 'Circuit breaker of a provider: 0 closed, 1 half open, 2 open.',
    labels: ['provider'],
    read: perProvider(({ circuit }) => circuitValues[circuit]),
  },
  {
    name: 'trivium_upstream_running',
    help: 'Calls to a provider in progress.',
    labels: ['provider'],
    read: perProvider(({ running }) => running),
  },
  {
    name: 'trivium_upstream_waiting',
    help: 'Calls to a provider that are waiting for the concurrency limit.',
    labels: ['provider'],
    read: perProvider(({ waiting }) => waiting),
  },
  {
    name: 'trivium_credentials_resting',
    aggregator: 'max',
    help: 'Credentials of a provider that are paused because they were refused recently.',
    labels: ['provider'],
    read: perProvider(({ credentials_resting }) => credentials_resting),
  },
  {
    name: 'trivium_sandbox',
    aggregator: 'max',
    help: '1 in sandbox mode, where every vendor is simulated.',
    read: ({ settings }) => one(settings.mode === 'sandbox' ? 1 : 0),
  },
  {
    name: 'trivium_ledger_waiting',
    help: 'Entries waiting for a commit.',
    read: ({ ledger }) => one(ledger.depth()),
  },
  {
    name: 'trivium_bytes_in_progress',
    help: 'Memory counted for long texts in progress; 0 when no request is.',
    read: ({ bytes }) => one(bytes.used()),
  },
  {
    name: 'trivium_limits',
    help: 'What is within a limit of the process: running, waiting, or entries in memory.',
    labels: ['limit', 'state'],
    read: readLimits,
  },
  {
    name: 'trivium_content_tasks',
    help: 'Texts from the web that a thread checks or cuts, and those that wait for one.',
    labels: ['state'],
    read: ({ contentThread: thread }) => [
      { labels: { state: 'running' }, value: thread?.running() ?? 0 },
      { labels: { state: 'waiting' }, value: thread?.waiting() ?? 0 },
    ],
  },
  {
    name: 'trivium_store_refuses',
    aggregator: 'max',
    help: '1 while paid requests are refused because the store could not record them.',
    read: ({ writes }) => one(writes.reason() === undefined ? 0 : 1),
  },
  {
    name: 'trivium_disk_free_bytes',
    aggregator: 'max',
    help: 'Free space on the disk of the data directory.',
    read: ({ writes }) => one(writes.freeBytes()),
  },
  {
    name: 'trivium_jobs',
    aggregator: 'max',
    help: 'Transcription jobs in progress.',
    labels: ['status', 'attempt_status'],
    read: perState(({ count }) => count),
  },
  {
    name: 'trivium_jobs_oldest_seconds',
    aggregator: 'max',
    help: 'Age of the oldest transcription job in progress.',
    labels: ['status', 'attempt_status'],
    read: perState(({ oldest_at }, clock) => secondsSince(clock, oldest_at)),
  },
  {
    name: 'trivium_webhook_pending',
    aggregator: 'max',
    help: 'Unfinished deliveries of all gateways on the store.',
    read: ({ counts }) => counts.deliveries.flatMap(({ count }) => one(count)),
  },
  {
    name: 'trivium_webhook_oldest_seconds',
    aggregator: 'max',
    help: 'Age of the oldest unfinished delivery.',
    read: ({ counts, clock }) =>
      counts.deliveries.flatMap(({ count, oldest_at }) =>
        one(count === 0 ? 0 : secondsSince(clock, oldest_at)),
      ),
  },
];

export function registerGauges(registry: Registry, sources: GaugeSources): void {
  for (const { read, ...description } of gauges) {
    registerGauge(registry, description, () => read(sources));
  }
}

function registerGauge(
  registry: Registry,
  { labels: labelNames = [], ...description }: GaugeDescription,
  read: () => readonly Sample[],
): void {
  const gauge: Gauge = new Gauge({
    ...description,
    labelNames: [...labelNames],
    registers: [registry],
    collect: () => {
      const samples = read();
      gauge.reset();
      for (const { labels, value } of samples) gauge.set(labels, value);
    },
  });
}

function one(value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ labels: {}, value }];
}

function perProvider(valueOf: (health: ReturnType<typeof healthOf>) => number): GaugeRow['read'] {
  return ({ providers }) =>
    Object.values(providers).flatMap(({ provider, guard }) =>
      guard ? [{ labels: { provider: provider.id }, value: valueOf(healthOf(guard)) }] : [],
    );
}

function perState(valueOf: (job: JobCount, clock: Clock) => number): GaugeRow['read'] {
  return ({ counts, clock }) =>
    counts.jobs.map((job) => ({
      labels: { status: job.status, attempt_status: job.attempt_status },
      value: valueOf(job, clock),
    }));
}

function secondsSince(clock: Clock, at: number): number {
  return Math.max(0, clock.now().getTime() - at) / 1000;
}

/** The texts from the web that the threads for them were asked to check or cut. */
export function registerContentTotals({ total }: Metrics, { counts }: ContentThread): void {
  const help = 'Texts that these threads were asked to check or cut: done, busy, late or failed.';
  total('trivium_content_tasks_total', help, ['result'], () =>
    Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  );
}

const countEveryMs = 5000;

/** Counts open jobs and deliveries in the background, and updates the counts in place. */
export function startCounting({
  database,
  log,
}: Pick<AppContext, 'log'> & { database: ReadableDatabase & Runner }): Repeated & {
  counts: StoreCounts;
} {
  const counts: StoreCounts = { jobs: [], deliveries: [] };
  const count = async () => {
    counts.jobs = await orNone(countOpenJobs, database, ({ length }) => length === 0);
    counts.deliveries = [await orNone(countPending, database, ({ count }) => count === 0)];
  };
  const onError = (error: unknown) => {
    counts.jobs = counts.deliveries = [];
    log.warn({ err: error }, 'jobs and deliveries could not be counted');
  };
  const task = { name: 'store_counts', work: count, onError, startsNow: true };
  return { ...every(countEveryMs, task), counts };
}

/**
 * The reader of the embedded store is a thread that takes 5 MB. A gateway without jobs and events
 * need not start it, because checking for a single row is cheap.
 */
async function orNone<T>(
  count: (on: Runner, max?: number) => Promise<T>,
  database: ReadableDatabase & Runner,
  isNone: (counted: T) => boolean,
): Promise<T> {
  const first = await count(database, 1);
  return isNone(first) ? first : count(database.reader);
}

const measureEveryMs = 60_000;
/** The pause after a round is at least so many times as long as the round. */
const restFactor = 100;
/** What other gateways have added up is read less often: the figures are of weeks. */
const roundsBetweenReads = 10;
const weeks = 4;

/**
 * Adds up what was observed of engines in the background, so that neither a scorecard nor a scrape
 * reads the rows of all accounts.
 */
export function startMeasuring(context: AppContext, registry: Registry): Repeated {
  let lines: Scorecard['lines'] = [];
  const figures = ['mean', 'lower', 'upper'] as const;
  const quality: GaugeDescription = {
    name: 'trivium_engine_quality',
    aggregator: 'max',
    help: 'Quality of an engine over four weeks, from 0 to 1, by agreement or feedback.',
    labels: ['provider', 'source', 'figure'],
  };
  registerGauge(registry, quality, () =>
    lines.flatMap(({ provider, agreement, feedback }) =>
      Object.entries({ agreement, feedback }).flatMap(([source, measured]) =>
        figures.flatMap((figure) =>
          measured ? [{ labels: { provider, source, figure }, value: measured[figure] }] : [],
        ),
      ),
    ),
  );
  let round = 0;
  return every(measureEveryMs, {
    name: 'engine_quality',
    startsNow: true,
    work: async () => {
      const began = context.clock.ticks();
      const changed = await totalQuality(context);
      const isDue = changed > 0 || round % roundsBetweenReads === 0;
      round += 1;
      // The reader of the embedded store is a thread, which nothing is read from without a need.
      if (isDue && (await hasTotals(context.database))) {
        ({ lines } = await readScorecard(context, { by: 'provider', weeks }));
      }
      return { pauseMs: Math.max(measureEveryMs, restFactor * (context.clock.ticks() - began)) };
    },
    onError: (error) => context.log.warn({ err: error }, 'the quality of engines was not read'),
  });
}
