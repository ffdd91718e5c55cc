// The part of the application context that accounts, keys and people need.
import type { Ledger } from '../billing/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../store/index.ts';

export interface AccountsContext {
  database: Database;
  clock: Clock;
  ledger: Pick<Ledger, 'topup' | 'adjust' | 'refund' | 'reserved' | 'inMemory' | 'allowances'>;
}
