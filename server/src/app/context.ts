// The dependencies of the whole gateway, built once at start. Each module declares the part that it
// needs.
import type { Cache } from '../cache/index.ts';
import type { StoppedAccounts } from '../billing/index.ts';
import type { StoredBytes } from '../requests/index.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { SearchContext } from '../search/index.ts';
import type { Evidence } from '../quality/index.ts';
import type { Database } from '../store/index.ts';
import type { WriteGate } from '../store/opening.ts';

export interface AppContext extends SearchContext {
  database: Database;
  cache: Cache;
  bytes: ByteBudget;
  writes: WriteGate;
  stored: StoredBytes;
  stopped: StoppedAccounts;
  evidence: Evidence;
}
