// One item of a ledger batch: an entry, and what is written in the same transaction. Items are
// stored as JSON in the journal, so their property names must not change.
import type { AuditedChange, Author } from '../audit/index.ts';
import type {
  ClaimEntry,
  ClaimOutcome,
  ClaimRef,
  RequestRow,
  StoredAnswer,
} from '../requests/core/index.ts';
import type { LoggedCost } from '../requests/index.ts';
import type { LedgerEntry, LedgerOutcome } from './core/entries.ts';
import type { Runner } from '../store/index.ts';

export interface TransactionExtras {
  /** Rows of another module that change with the entry, such as a job's. */
  linked?: LinkedChange;
  /** The entry of the audit log, written if the ledger entry takes effect. */
  audit?: { by: Author; change: AuditedChange };
  request?: RequestRow;
  /** A row written earlier, whose cost is known only now. */
  costs_request?: LoggedCost;
  under?: ClaimRef;
  /** The answer to store under that key if the entry takes effect. */
  answer?: StoredAnswer;
  /** Frees that key, because nothing was charged. */
  free?: boolean;
}

export type Posting = TransactionExtras & {
  account_id: string;
  entry?: LedgerEntry;
  claim?: ClaimEntry;
  /** When the item was journaled, if batches from different times are booked together. */
  now?: number;
};

export type PostedOutcome = LedgerOutcome | { kind: 'skipped' };

export interface Posted {
  outcome: PostedOutcome;
  /** Set if the posting claims an idempotency key. */
  claim?: ClaimOutcome;
}

/** What the decisions of a batch depend on, besides the rows that are read. */
export interface BatchFacts {
  now: number;
  /** True if the batch may have been committed before. */
  repeated?: boolean;
  /** The rate limit of a key. Without one, requests are not counted. */
  key_requests_per_minute?: number | undefined;
  /** What requests hold in memory, by account. */
  reserved?: Readonly<Record<string, number>>;
}

export interface PostedBatch {
  posted: Posted[];
  /** What each account of the batch has available in the store, without holds in memory. */
  free: Record<string, number>;
}

/**
 * If the gateway gave up on such an entry while its outcome is unknown, a request that received an
 * error might still be charged. A job's worker repeats its settlements itself.
 */
export function patienceOf({ entry, linked }: Posting) {
  if (linked) return entry?.kind === 'hold' ? 'attempted' : undefined;
  return entry?.kind === 'settle' ? 'known' : undefined;
}

/** Plain data, so that it can be sent to the thread that owns the database file. */
export interface LinkedChange {
  kind: string;
}

export interface LinkedRows {
  /**
   * Runs once for a whole batch, under the lock of the rows, before money moves. Returns one value
   * for each change; undefined cancels the entry of that change.
   */
  prepare: (tx: Runner, changes: readonly LinkedChange[]) => Promise<unknown[]>;
  /** Writes the changes of the entries that took effect, given what `prepare` returned for each. */
  write: (
    tx: Runner,
    changes: readonly { change: LinkedChange; prepared: unknown }[],
  ) => Promise<void>;
  /** The number of characters in the change, for the size limit of a batch. */
  size: (change: LinkedChange) => number;
}
