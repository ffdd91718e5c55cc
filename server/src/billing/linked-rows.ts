// Rows of other modules that change in the same transaction as a ledger entry, such as the row of a
// job. Billing does not read them.
import type { Runner } from '../store/database.ts';

/** Plain data, so that it can be sent to the thread that owns the database file. */
export interface LinkedChange {
  kind: string;
}

export interface LinkedRows {
  /** Runs before money moves, under the lock of the rows; undefined cancels the entry. */
  prepare: (tx: Runner, change: LinkedChange) => Promise<unknown>;
  /** Writes the change of an entry that took effect; `prepared` is the result of `prepare`. */
  write: (tx: Runner, change: LinkedChange, prepared: unknown) => Promise<void>;
  /** The characters of the change, for the size limit of a batch. */
  size: (change: LinkedChange) => number;
}

/** For a ledger without linked rows. */
export const noLinkedRows: LinkedRows = {
  prepare: refuse,
  write: refuse,
  size: () => 0,
};

function refuse(_tx: Runner, { kind }: LinkedChange): never {
  throw new Error(`this ledger has no linked rows for ${kind}`);
}
