// Rows of other modules that change in the same transaction as a ledger entry, such as the row of a
// job. Billing does not read them.
import type { Runner } from '../store/index.ts';

/** Plain data, so that it can be sent to the thread that owns the database file. */
export interface LinkedChange {
  kind: string;
}

interface PreparedChange {
  change: LinkedChange;
  /** What `prepare` returned for it. */
  prepared: unknown;
}

export interface LinkedRows {
  /**
   * Runs before money moves, under the lock of the rows, once for a whole batch. Returns one value
   * for each change; undefined cancels its entry.
   */
  prepare: (tx: Runner, changes: readonly LinkedChange[]) => Promise<unknown[]>;
  /** Writes the changes of the entries that took effect. */
  write: (tx: Runner, changes: readonly PreparedChange[]) => Promise<void>;
  /** The characters of the change, for the size limit of a batch. */
  size: (change: LinkedChange) => number;
}

/** For a ledger without linked rows. */
export const noLinkedRows: LinkedRows = {
  prepare: (_tx, changes) => refuse(changes[0]),
  write: (_tx, changes) => refuse(changes[0]?.change),
  size: () => 0,
};

function refuse(change: LinkedChange | undefined): never {
  throw new Error(`this ledger has no linked rows for ${change?.kind}`);
}
