// The store file of a gateway that may be running, opened by a test beside it.
import { Database } from 'bun:sqlite';
import { join } from 'node:path';

const busyTimeoutMs = 30_000;

/** The gateway may be writing, so a statement waits for its turn instead of failing at once. */
export function openStore(dir: string, options: { readonly?: true } = {}): Database {
  const store = new Database(join(dir, 'trivium.sqlite'), options);
  store.run(`pragma busy_timeout = ${busyTimeoutMs}`);
  return store;
}
