// Connects the counting functions of the modules to Prometheus: requests served, calls to providers,
// transcripts and ledger batches.
import { Counter, type Registry } from 'prom-client';
import type { StoppedAccounts } from '../billing/index.ts';
import type { ServiceMetrics } from '../requests/index.ts';
import type { Log } from '../platform/log.ts';
import type { Meter, Metrics } from '../platform/metrics.ts';
import type { FailedTask } from '../store/index.ts';

const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const batchSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface Counted {
  name: string;
  help: string;
  labels?: readonly string[];
}

const counters = {
  unbooked: {
    name: 'trivium_ledger_unbooked_total',
    help: 'Deferred settlements that could not be booked; the audit names them.',
  },
  brokenRules: {
    name: 'trivium_broken_rules_total',
    help: 'Writes refused because they would break a rule about money, jobs or leases: a bug.',
    labels: ['rule'],
  },
  unlogged: {
    name: 'trivium_unlogged_refusals_total',
    help: 'Refused requests that were not logged, because their account had too many.',
  },
  failedAdapters: {
    name: 'trivium_adapter_failures_total',
    help: 'Answers that the adapter of a provider could not process: a bug in the gateway.',
    labels: ['provider'],
  },
  unreadWords: {
    name: 'trivium_transcript_unread_words_total',
    help: 'Words left out of transcripts because the provider reported them incompletely.',
    labels: ['provider'],
  },
  endedEarly: {
    name: 'trivium_transcripts_ended_early_total',
    help: 'Transcripts whose last word ends long before the recording does.',
    labels: ['provider'],
  },
  withoutDuration: {
    name: 'trivium_transcripts_without_duration_total',
    help: 'Transcripts charged by their last word or their hold: no usable duration was reported.',
    labels: ['provider'],
  },
  cached: {
    name: 'trivium_cache_total',
    help: 'Searches and pages of requests that use the cache: hit, joined or miss.',
    labels: ['tool', 'result'],
  },
} satisfies Record<string, Counted>;

function makeCounters(registry: Registry) {
  const make = ([key, { name, help, labels = [] }]: [string, Counted]) =>
    [key, new Counter({ name, help, labelNames: [...labels], registers: [registry] })] as const;
  return Object.fromEntries(Object.entries(counters).map(make)) as Record<
    keyof typeof counters,
    Counter
  >;
}

export function makeServiceMetrics(metrics: Metrics, log: Log): ServiceMetrics {
  const made = makeCounters(metrics.registry);
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
  return {
    cached: (tool, result) =>
      parts.getOrInsertComputed(`${tool} ${result}`, () => made.cached.labels(tool, result)).inc(),
    served: (tool, provider, result, ms) =>
      served.getOrInsertComputed(`${tool} ${provider}`, () =>
        metrics.meter('served', tool, provider),
      )(result, ms),
    called: (provider, result, ms) =>
      called.getOrInsertComputed(provider, () => metrics.meter('upstream', provider))(result, ms),
    adapterFailed: (provider, error) => {
      made.failedAdapters.inc({ provider });
      log.error(
        { err: error, provider },
        'the adapter of a provider could not process its answer: a bug in the gateway',
      );
    },
    transcribed: (provider, { unread_words, ends_early, no_duration }) => {
      if (unread_words > 0) made.unreadWords.inc({ provider }, unread_words);
      if (ends_early) made.endedEarly.inc({ provider });
      if (no_duration) made.withoutDuration.inc({ provider });
    },
    batch: (entries, ms) => {
      addSize(entries);
      addSeconds(ms / 1000);
    },
    unbooked: () => made.unbooked.inc(),
    brokenRule: (rule) => made.brokenRules.inc({ rule }),
    unlogged: () => made.unlogged.inc(),
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
