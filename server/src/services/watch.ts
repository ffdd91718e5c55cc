// What the services count for the metrics: who served what, how providers answer, how they fare.
import type { ToolName } from '@trivium/contract';
import type { FailedPiece } from '../platform/deferred.ts';
import type { Log } from '../platform/log.ts';
import type { Meter, Metrics, Reading } from '../platform/metrics.ts';
import { countOpenJobs } from '../store/job-counts.ts';
import type { JobCount } from '../store/job-counts.ts';
import { healthOf } from './guard.ts';
import type { House } from './house.ts';

export interface Watch {
  served: (tool: ToolName, provider: string, status: number, ms: number) => void;
  called: (provider: string, result: string, ms: number) => void;
  batch: (size: number, ms: number) => void;
  /** A deferred settlement could not be booked. */
  unbooked: () => void;
}

const batch_sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const batch_seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export function makeWatch(metrics: Metrics): Watch {
  const served = new Map<string, Meter>();
  const called = new Map<string, Meter>();
  const size = metrics.histogram(
    'trivium_ledger_batch_size',
    'Entries that shared one commit of the ledger.',
    batch_sizes,
  );
  const seconds = metrics.histogram(
    'trivium_ledger_batch_seconds',
    'Time one commit of the ledger took.',
    batch_seconds,
  );
  return {
    served: (tool, provider, status, ms) =>
      remembered(served, `${tool} ${provider}`, () => metrics.meter('served', tool, provider))(
        String(status),
        ms,
      ),
    called: (provider, result, ms) =>
      remembered(called, provider, () => metrics.meter('upstream', provider))(result, ms),
    batch: (entries, ms) => {
      size(entries);
      seconds(ms / 1000);
    },
    unbooked: metrics.counter(
      'trivium_ledger_unbooked_total',
      'Deferred settlements that could not be booked; the audit names them.',
    ),
  };
}

/** What was answered for and cannot be booked is money the books lack: the operator must know. */
export function tellUnbooked({ unbooked }: Watch, log: Log): (failed: FailedPiece) => void {
  return ({ row, task, reason }) => {
    unbooked();
    log.error(
      { deferred_row: row, task, reason },
      'a deferred settlement could not be booked; its row is kept, and the audit names it',
    );
  };
}

/** What is only looked at when somebody asks. */
export function watchHouse(metrics: Metrics, house: House): void {
  const { stations, ledger } = house;
  const perProvider = (read: (health: ReturnType<typeof healthOf>) => number) => (): Reading[] =>
    Object.values(stations).flatMap(({ provider, guard }) =>
      guard ? [{ labels: { provider: provider.id }, value: read(healthOf(guard)) }] : [],
    );
  metrics.gauge(
    'trivium_circuit_state',
    'Circuit of a provider: 0 closed, 1 half open, 2 open.',
    ['provider'],
    perProvider(({ circuit }) => circuit_values[circuit]),
  );
  metrics.gauge(
    'trivium_upstream_running',
    'Calls to a provider under way.',
    ['provider'],
    perProvider(({ running }) => running),
  );
  metrics.gauge(
    'trivium_upstream_waiting',
    'Calls to a provider that wait for their turn.',
    ['provider'],
    perProvider(({ waiting }) => waiting),
  );
  metrics.gauge(
    'trivium_credentials_resting',
    'Credentials of a provider that were refused lately and rest.',
    ['provider'],
    perProvider(({ credentials_resting }) => credentials_resting),
  );
  metrics.gauge('trivium_ledger_waiting', 'Entries that wait for a commit.', [], () => [
    { labels: {}, value: ledger.depth() },
  ]);
  watchJobs(metrics, house);
}

function watchJobs(metrics: Metrics, { database, clock, log }: House): void {
  const read = (value: (job: JobCount) => number) => async (): Promise<Reading[]> => {
    try {
      const jobs = await countOpenJobs(database);
      return jobs.map((job) => ({
        labels: { status: job.status, attempt_status: job.attempt_status },
        value: value(job),
      }));
    } catch (error) {
      // The other figures matter most when the store is away.
      log.warn({ err: error }, 'jobs could not be counted for the metrics');
      return [];
    }
  };
  const labels = ['status', 'attempt_status'];
  metrics.gauge(
    'trivium_jobs',
    'Transcription jobs in progress.',
    labels,
    read(({ count }) => count),
  );
  metrics.gauge(
    'trivium_jobs_oldest_seconds',
    'Age of the oldest transcription job in progress.',
    labels,
    read(({ oldest_at }) => Math.max(0, clock.now().getTime() - oldest_at) / 1000),
  );
}

const circuit_values = { closed: 0, half_open: 1, open: 2 } as const;

function remembered(meters: Map<string, Meter>, name: string, make: () => Meter): Meter {
  const found = meters.get(name);
  if (found) return found;
  const made = make();
  meters.set(name, made);
  return made;
}
