// The part of the application context that reports need.
import type { Ledger } from '../billing/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { RequestsContext } from '../requests/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Database } from '../store/index.ts';

export interface ReportingContext {
  database: Database;
  clock: Clock;
  settings: Pick<Settings, 'request_log_days' | 'request_log_hours'>;
  /** For what requests hold in memory. */
  ledger: Pick<Ledger, 'reserved' | 'bookJournal'>;
  /** Absent if no answers are kept. */
  answers?: RequestsContext['answers'];
}
