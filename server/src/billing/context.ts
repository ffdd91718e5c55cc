// The parts of the application context that billing needs.
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { Latencies } from '../upstream/core/index.ts';
import type { Settings } from '../settings/index.ts';
import type { WriteGate } from '../store/opening.ts';
import type { RequestsContext } from '../requests/index.ts';
import type { Ledger } from './ledger.ts';

export interface BillingContext extends RequestsContext {
  ledger: Ledger;
  settings: RequestsContext['settings'] & Pick<Settings, 'key_requests_per_minute'>;
  /** Refuses a request that the store could not record, before a provider is called. */
  writes?: Pick<WriteGate, 'check'>;
  /** Limits the memory that long answers take. If absent, there is no limit. */
  bytes?: ByteBudget;
  /** Measures the latency of providers where `auto` chooses the fastest. */
  latencies?: Latencies;
  /** The address where an operator can top up an account. Absent if there is no dashboard. */
  dashboardUrl?: () => string;
}
