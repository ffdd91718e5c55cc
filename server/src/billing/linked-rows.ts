// Rows of other modules that change in the same transaction as a ledger entry, such as the row of a
// job. Billing does not interpret them.
import type { Runner } from '../store/index.ts';

/** Plain data, so that it can be sent to the thread that owns the database file. */
export interface LinkedChange {
  kind: string;
}

interface PreparedChange {
  change: LinkedChange;
  /** What `prepare` returned for the change. */
  prepared: unknown;
}

export interface LinkedRows {
  /**
   * Runs once for a whole batch, under the lock of the rows, before money moves. Returns one value
   * for each change; undefined cancels the entry of that change.
   */
  prepare: (tx: Runner, changes: readonly LinkedChange[]) => Promise<unknown[]>;
  /** Writes the changes of the entries that took effect. */
  write: (tx: Runner, changes: readonly PreparedChange[]) => Promise<void>;
  /** The number of characters in the change, for the size limit of a batch. */
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
