// One item of a ledger batch: an entry, and what is written in the same transaction. Items are
// stored as JSON in the table `deferred`, so their property names must not change.
import type { AuditedChange, Author } from '../audit/core/index.ts';
import type { LinkedChange } from './linked-rows.ts';
import type {
  ClaimEntry,
  ClaimOutcome,
  ClaimRef,
  RequestRow,
  StoredAnswer,
} from '../requests/core/index.ts';
import type { LoggedCost } from '../requests/index.ts';
import type { Entry } from './core/entries.ts';
import type { LedgerOutcome } from './core/ledger-outcome.ts';
import type { Patience } from '../store/index.ts';

/** What is written in the same transaction as an entry. */
export interface TransactionExtras {
  /** Rows of another module that change with the entry, such as a job's. */
  linked?: LinkedChange;
  /** The entry of the audit log, if the ledger's entry takes effect. */
  audit?: { by: Author; change: AuditedChange };
  /** The row of the request log. */
  request?: RequestRow;
  /** A row written before, whose cost is known only now. */
  costs_request?: LoggedCost;
  /** The idempotency key the request runs under. */
  under?: ClaimRef;
  /** Stored under that key if the entry takes effect. */
  answer?: StoredAnswer;
  /** Frees that key: nothing was charged. */
  free?: boolean;
}

export type Posting = TransactionExtras & {
  account_id: string;
  entry?: Entry;
  claim?: ClaimEntry;
  /** When it was journaled, where batches of several times are booked together. */
  now?: number;
};

export interface Posted {
  outcome: LedgerOutcome | { kind: 'skipped' };
  /** Of a posting that claims an idempotency key. */
  claim?: ClaimOutcome;
}

export interface BatchContext {
  now: number;
  /** The batch may have been committed before. */
  repeated?: boolean;
  /** The rate limit of a key; requests are not counted without one. */
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
 * Given up while its outcome is unknown, such an entry might be committed all the same: a charge or
 * a job behind an error. What a job's worker settles is repeated by the worker.
 */
export function patienceOf({ entry, linked }: Posting): Patience | undefined {
  if (linked) return entry?.kind === 'hold' ? 'attempted' : undefined;
  return entry?.kind === 'settle' ? 'known' : undefined;
}
