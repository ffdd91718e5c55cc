// The entries of the ledger. Each has an id, so an entry can be repeated safely. Entries are stored
// as JSON in the table `deferred`, so their property names must not change.
import type { Amount } from './amount.ts';
import type { RateLimited, RequestLimits } from '../../requests/core/index.ts';
import type { Transfer } from './book.ts';

interface Entry<Kind> {
  kind: Kind;
  id: string;
  account_id: string;
}

/** Its id is that of the request, or `job:<id>`. */
export interface HoldEntry extends Entry<'hold'> {
  key_id: string | null;
  /** The key is known to have no cap, so its spending need not be read. */
  uncapped?: boolean;
  /** The rate limits of the key and the account. */
  limits?: RequestLimits | undefined;
  /** The gateway that serves the request. Empty if there is only one gateway. */
  gateway_id?: string;
  /** The gateway whose death ends the request. Absent on SQLite and for a job. */
  served_by?: string;
  amount: Amount;
  /** The tags of the request, such as `team=search,run=42`. */
  tags?: string;
  /** One of the tags is known to have a budget, so only the store can decide this entry. */
  budgeted?: boolean;
  /** Jobs only: the most that the job can cost. Its length may be known only when it ends. */
  worst_case?: Amount;
  /** Jobs only: how far below zero the open jobs may take the balance of the account. */
  overdraft?: Amount;
  expires_at: number | null;
}

export interface SettleEntry extends Entry<'settle'> {
  cost: Amount;
  /** For a price that the vendor reported, and for audio, whose length is known afterwards. */
  may_exceed?: boolean | undefined;
  /** The hold in memory. Such a hold has no row. */
  reserved?: Pick<Reserved, 'key_id' | 'amount' | 'created_at' | 'gateway_id' | 'tags'>;
  /** What was held. The provider has answered, so this is settled even if the hold has ended. */
  unheld?: Pick<Reserved, 'key_id' | 'amount' | 'created_at' | 'tags'>;
}

export interface ReleaseEntry extends Entry<'release'> {
  /** Set by the sweeper: a hold that has not expired by this time is kept. */
  only_if_due_at?: number;
}

export interface TopupEntry extends Entry<'topup' | 'adjust'> {
  amount: number;
  reason: string;
}

export interface RefundEntry extends Entry<'refund'> {
  /** The hold whose settled cost is refunded, in full or in part. */
  hold_id: string;
  amount: number;
  reason: string;
}

export type LedgerEntry = HoldEntry | SettleEntry | ReleaseEntry | TopupEntry | RefundEntry;

/** A hold in memory. */
export interface Reserved {
  account_id: string;
  key_id: string | null;
  amount: Amount;
  created_at: number;
  expires_at: number;
  /** The gateway whose allowance covers the hold. Absent if the whole balance does. */
  gateway_id?: string;
  tags?: string;
}

type Declined<Because, More = unknown> = More & {
  kind: 'declined';
  because: Because;
  available: number;
};

/** `again` marks a repeated entry, which has the same outcome and moves nothing. */
export type LedgerOutcome =
  | { kind: 'held'; amount: number; again: boolean }
  | Declined<'balance' | 'daily_cap' | 'monthly_cap'>
  /** `budget` is a tag with its value, such as `team=search`. */
  | Declined<'daily_budget' | 'monthly_budget', { budget: string }>
  /** `exposed` is what the open jobs can cost beyond their holds. */
  | Declined<'exposure', { exposed: number; overdraft: number }>
  | RateLimited
  | { kind: 'settled'; cost: number; again: boolean; tags?: string }
  | { kind: 'released'; again: false }
  | { kind: 'moved'; transfer: Transfer; again: boolean }
  /** The hold does not exist, or was closed in another way. */
  | { kind: 'closed' }
  /** Another movement has this id. */
  | { kind: 'id_taken' }
  | { kind: 'no_account' };
