// The parts of the application context that billing needs.
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { Clock } from '../platform/clock.ts';
import type { Latencies } from '../upstream/core/index.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';
import type { WriteGate } from '../store/opening.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { Ledger } from './ledger.ts';
import type { Refusals } from './refusals.ts';
import type { StoredBytes } from './stored-bytes.ts';
import type { ToolName } from '@trivium/contract';

/** To charge for a request. */
export interface BillingContext {
  /** For stored answers; the ledger writes everything else. */
  database: Database;
  ledger: Ledger;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'keep_query_hours'>;
  /** Refuses what the store could not record, before a provider is called. */
  writes?: Pick<WriteGate, 'check'>;
  /** Answers that could not be charged, for a retry under the same idempotency key. */
  kept?: KeptAnswers;
  /** Counts the requests served; absent where no metrics are kept. */
  metrics?: ServiceMetrics;
  /** Counts refused requests; absent where nothing limits them. */
  refusals?: Refusals;
  /** Limits what long answers take in memory; absent where nothing limits them. */
  bytes?: ByteBudget;
  /** Limits what each account keeps; absent where nothing limits it. */
  stored?: StoredBytes;
  /** Measures the providers, where `auto` chooses the fastest. */
  latencies?: Latencies;
  /** Where an operator can top up an account; absent where there is no dashboard. */
  dashboardUrl?: () => string;
}

/** To read balances: the rows, and the ledger for what is reserved in memory. */
export interface BalanceContext {
  database: Database;
  ledger: Pick<Ledger, 'reserved' | 'inMemory' | 'allowances'>;
}

/** The counting functions that the capabilities call; app/metrics.ts connects them to Prometheus. */
export interface ServiceMetrics {
  served: (tool: ToolName, provider: string, status: number, ms: number) => void;
  /** A part of an answer that may come from the cache: `hit`, `joined` or `miss`. */
  cached: (tool: ToolName, from: string) => void;
  called: (provider: string, result: string, ms: number) => void;
  /** An adapter threw, which is a defect of the gateway: counts it, and logs the error. */
  adapterFailed: (provider: string, error: unknown) => void;
  batch: (size: number, ms: number) => void;
  /** A deferred settlement could not be booked. */
  unbooked: () => void;
  /** A refused request was not logged. */
  unlogged: () => void;
}
