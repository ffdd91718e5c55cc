// Connects the counters of the modules to Prometheus: requests served, calls to providers, ledger
// batches, and gauges. A scrape reads memory only.
import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { BillingContext, StoppedAccounts } from '../billing/index.ts';
import type { ServiceMetrics } from '../requests/index.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { Clock } from '../platform/clock.ts';
import { readLimits, type Sample } from '../platform/limit-gauges.ts';
import type { Log } from '../platform/log.ts';
import type { Meter, Metrics } from '../platform/metrics.ts';
import type { FailedTask } from '../store/index.ts';
import type { WriteGate } from '../store/opening.ts';
import type { ContentThread } from '../content/index.ts';
import type { PendingCount } from '../events/index.ts';
import type { Settings } from '../settings/index.ts';
import type { StoreCounts } from './store-counts.ts';
import type { JobCount } from '../transcription/index.ts';
import { type ConfiguredProviders, healthOf } from '../upstream/index.ts';

const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const batchSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function makeServiceMetrics(metrics: Metrics, log: Log): ServiceMetrics {
  const registers = [metrics.registry];
  const served = new Map<string, Meter>();
  const called = new Map<string, Meter>();
  const parts = new Map<string, Counter.Internal>();
  const addSize = metrics.histogram(
    'trivium_ledger_batch_size',
    'Entries that shared one commit of the ledger.',
    batchSizes,
  );
  const addSeconds = metrics.histogram(
    'trivium_ledger_batch_seconds',
    'Duration of a ledger commit.',
    batchSeconds,
  );
  const unbooked = new Counter({
    name: 'trivium_ledger_unbooked_total',
    help: 'Deferred settlements that could not be booked; the audit names them.',
    registers,
  });
  const broken = new Counter({
    name: 'trivium_broken_rules_total',
    help: 'Writes refused because they would break a rule about money, jobs or leases: a bug.',
    labelNames: ['rule'],
    registers,
  });
  const unlogged = new Counter({
    name: 'trivium_unlogged_refusals_total',
    help: 'Refused requests that were not logged, because their account had too many.',
    registers,
  });
  const failedAdapters = new Counter({
    name: 'trivium_adapter_failures_total',
    help: 'Answers that the adapter of a provider could not process: a bug in the gateway.',
    labelNames: ['provider'],
    registers,
  });
  const unreadWords = new Counter({
    name: 'trivium_transcript_unread_words_total',
    help: 'Words left out of transcripts because the provider reported them incompletely.',
    labelNames: ['provider'],
    registers,
  });
  const endedEarly = new Counter({
    name: 'trivium_transcripts_ended_early_total',
    help: 'Transcripts whose last word ends long before the recording does.',
    labelNames: ['provider'],
    registers,
  });
  const withoutDuration = new Counter({
    name: 'trivium_transcripts_without_duration_total',
    help: 'Transcripts charged by their last word or their hold: no usable duration was reported.',
    labelNames: ['provider'],
    registers,
  });
  const cached = new Counter({
    name: 'trivium_cache_total',
    help: 'Searches and pages of requests that use the cache: hit, joined or miss.',
    labelNames: ['tool', 'result'],
    registers,
  });
  return {
    cached: (tool, result) =>
      getOrMake(parts, `${tool} ${result}`, () => cached.labels(tool, result)).inc(),
    served: (tool, provider, result, ms) =>
      getOrMake(served, `${tool} ${provider}`, () => metrics.meter('served', tool, provider))(
        result,
        ms,
      ),
    called: (provider, result, ms) =>
      getOrMake(called, provider, () => metrics.meter('upstream', provider))(result, ms),
    adapterFailed: (provider, error) => {
      failedAdapters.inc({ provider });
      log.error(
        { err: error, provider },
        'the adapter of a provider could not process its answer: a bug in the gateway',
      );
    },
    transcribed: (provider, { unread_words, ends_early, no_duration }) => {
      if (unread_words > 0) unreadWords.inc({ provider }, unread_words);
      if (ends_early) endedEarly.inc({ provider });
      if (no_duration) withoutDuration.inc({ provider });
    },
    batch: (entries, ms) => {
      addSize(entries);
      addSeconds(ms / 1000);
    },
    unbooked: () => unbooked.inc(),
    brokenRule: (rule) => broken.inc({ rule }),
    unlogged: () => unlogged.inc(),
  };
}

/**
 * The answers of such a settlement were already sent, so its money is missing. The operator must
 * know.
 */
export function reportUnbooked(
  { unbooked }: Pick<ServiceMetrics, 'unbooked'>,
  log: Log,
  stopped: StoppedAccounts,
): (failed: FailedTask) => void {
  return ({ row, task, reason }) => {
    unbooked();
    stopped.note(reason);
    log.error(
      { deferred_row: row, task, reason },
      'a deferred settlement could not be booked; its row is kept, and the audit names it',
    );
  };
}

interface GaugeSources {
  providers: ConfiguredProviders;
  writes?: Pick<WriteGate, 'reason' | 'freeBytes'>;
  ledger: Pick<BillingContext['ledger'], 'depth'>;
  bytes: Pick<ByteBudget, 'used'>;
  counts: StoreCounts;
  clock: Clock;
  settings?: Pick<Settings, 'mode'>;
}

export function registerGauges(registry: Registry, sources: GaugeSources): void {
  const { providers, ledger, bytes, settings } = sources;
  const perProvider = (read: (health: ReturnType<typeof healthOf>) => number) => () =>
    Object.values(providers).flatMap(({ provider, guard }) =>
      guard ? [{ labels: { provider: provider.id }, value: read(healthOf(guard)) }] : [],
    );
  registerGauge(registry, {
    name: 'trivium_circuit_state',
    aggregator: 'max',
    help: 'Circuit breaker of a provider: 0 closed, 1 half open, 2 open.',
    labelNames: ['provider'],
    read: perProvider(({ circuit }) => circuitValues[circuit]),
  });
  registerGauge(registry, {
    name: 'trivium_upstream_running',
    help: 'Calls to a provider in progress.',
    labelNames: ['provider'],
    read: perProvider(({ running }) => running),
  });
  registerGauge(registry, {
    name: 'trivium_upstream_waiting',
    help: 'Calls to a provider that are waiting for the concurrency limit.',
    labelNames: ['provider'],
    read: perProvider(({ waiting }) => waiting),
  });
  registerGauge(registry, {
    name: 'trivium_credentials_resting',
    aggregator: 'max',
    help: 'Credentials of a provider that are paused because they were refused recently.',
    labelNames: ['provider'],
    read: perProvider(({ credentials_resting }) => credentials_resting),
  });
  registerGauge(registry, {
    name: 'trivium_sandbox',
    aggregator: 'max',
    help: '1 in sandbox mode, where every vendor is simulated.',
    labelNames: [],
    read: () => [{ labels: {}, value: settings?.mode === 'sandbox' ? 1 : 0 }],
  });
  registerGauge(registry, {
    name: 'trivium_ledger_waiting',
    help: 'Entries waiting for a commit.',
    labelNames: [],
    read: () => [{ labels: {}, value: ledger.depth() }],
  });
  registerGauge(registry, {
    name: 'trivium_bytes_in_progress',
    help: 'Memory counted for long texts in progress; 0 when no request is.',
    labelNames: [],
    read: () => [{ labels: {}, value: bytes.used() }],
  });
  registerGauge(registry, {
    name: 'trivium_limits',
    help: 'What is within a limit of the process: running, waiting, or entries in memory.',
    labelNames: ['limit', 'state'],
    read: readLimits,
  });
  if (sources.writes) registerStoreGauges(registry, sources.writes);
  registerJobGauges(registry, sources);
  registerDeliveryGauges(registry, sources);
}

/** The texts from the web on the threads that check and cut them. */
export function registerContentTasks(
  { registry, total }: Pick<Metrics, 'registry' | 'total'>,
  { running, waiting, counts }: ContentThread,
): void {
  registerGauge(registry, {
    name: 'trivium_content_tasks',
    help: 'Texts from the web that a thread checks or cuts, and those that wait for one.',
    labelNames: ['state'],
    read: () => [
      { labels: { state: 'running' }, value: running() },
      { labels: { state: 'waiting' }, value: waiting() },
    ],
  });
  const help = 'Texts that these threads were asked to check or cut: done, busy, late or failed.';
  total('trivium_content_tasks_total', help, ['result'], () =>
    Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  );
}

function registerStoreGauges(
  registry: Registry,
  { reason, freeBytes }: Pick<WriteGate, 'reason' | 'freeBytes'>,
): void {
  registerGauge(registry, {
    name: 'trivium_store_refuses',
    aggregator: 'max',
    help: '1 while paid requests are refused because the store could not record them.',
    labelNames: [],
    read: () => [{ labels: {}, value: reason() === undefined ? 0 : 1 }],
  });
  registerGauge(registry, {
    name: 'trivium_disk_free_bytes',
    aggregator: 'max',
    help: 'Free space on the disk of the data directory.',
    labelNames: [],
    read: () => {
      const free = freeBytes();
      return free === undefined ? [] : [{ labels: {}, value: free }];
    },
  });
}

const circuitValues = { closed: 0, half_open: 1, open: 2 } as const;

function registerJobGauges(registry: Registry, { counts, clock }: GaugeSources): void {
  const perState = (value: (job: JobCount) => number) => (): Sample[] =>
    counts.jobs.map((job) => ({
      labels: { status: job.status, attempt_status: job.attempt_status },
      value: value(job),
    }));
  const labelNames = ['status', 'attempt_status'];
  registerGauge(registry, {
    name: 'trivium_jobs',
    aggregator: 'max',
    help: 'Transcription jobs in progress.',
    labelNames,
    read: perState(({ count }) => count),
  });
  registerGauge(registry, {
    name: 'trivium_jobs_oldest_seconds',
    aggregator: 'max',
    help: 'Age of the oldest transcription job in progress.',
    labelNames,
    read: perState(({ oldest_at }) => secondsSince(clock, oldest_at)),
  });
}

function registerDeliveryGauges(registry: Registry, { counts, clock }: GaugeSources): void {
  const ofAll = (value: (pending: PendingCount) => number) => (): Sample[] =>
    counts.deliveries.map((pending) => ({ labels: {}, value: value(pending) }));
  registerGauge(registry, {
    name: 'trivium_webhook_pending',
    aggregator: 'max',
    help: 'Unfinished deliveries of all gateways on the store.',
    labelNames: [],
    read: ofAll(({ count }) => count),
  });
  registerGauge(registry, {
    name: 'trivium_webhook_oldest_seconds',
    aggregator: 'max',
    help: 'Age of the oldest unfinished delivery.',
    labelNames: [],
    read: ofAll(({ count, oldest_at }) => (count === 0 ? 0 : secondsSince(clock, oldest_at))),
  });
}

function secondsSince(clock: Clock, at: number): number {
  return Math.max(0, clock.now().getTime() - at) / 1000;
}

interface GaugeDescription {
  name: string;
  help: string;
  labelNames: string[];
  /** How the values of several processes are combined. If absent, they are added. */
  aggregator?: 'max';
  /** Called at each scrape, so it reads memory only. */
  read: () => Sample[];
}

export function registerGauge(
  registry: Registry,
  { read, ...description }: GaugeDescription,
): void {
  const gauge: Gauge = new Gauge({
    ...description,
    registers: [registry],
    collect: () => {
      const samples = read();
      gauge.reset();
      for (const { labels, value } of samples) gauge.set(labels, value);
    },
  });
}

function getOrMake<T>(known: Map<string, T>, name: string, make: () => T): T {
  const found = known.get(name);
  if (found) return found;
  const made = make();
  known.set(name, made);
  return made;
}
