// The parts of the application context that billing needs.
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { Latencies } from '../upstream/core/index.ts';
import type { Database } from '../store/index.ts';
import type { WriteGate } from '../store/opening.ts';
import type { KeptAnswers, RequestsContext } from '../requests/index.ts';
import type { Ledger } from './ledger.ts';

/** To charge for a request. */
export interface BillingContext extends RequestsContext {
  ledger: Ledger;
  /** Refuses what the store could not record, before a provider is called. */
  writes?: Pick<WriteGate, 'check'>;
  /** Answers that could not be charged, for a retry under the same idempotency key. */
  kept?: KeptAnswers;
  /** Limits what long answers take in memory; absent where nothing limits them. */
  bytes?: ByteBudget;
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
