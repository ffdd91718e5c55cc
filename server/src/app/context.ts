// The dependencies of the whole gateway, built once at start. Each module declares the part that it
// needs.
import type { Cache } from '../cache/cache.ts';
import type { StoredBytes } from '../billing/stored-bytes.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { SearchContext } from '../search/context.ts';
import type { Database } from '../store/database.ts';
import type { WriteGate } from '../store/write-gate.ts';

export interface AppContext extends SearchContext {
  database: Database;
  cache: Cache;
  bytes: ByteBudget;
  writes: WriteGate;
  stored: StoredBytes;
}
