// What the ledger is asked: each entry has an id, and is harmless to repeat.
import type { Amount } from '../amount.ts';
import type { Reserved } from './reservations.ts';

export interface HoldEntry {
  kind: 'hold';
  /** The request's id, or `job:<id>`. */
  id: string;
  account_id: string;
  key_id: string | null;
  /** Known to have no cap, so that nothing has to be added up. */
  uncapped?: boolean;
  amount: Amount;
  /** The least that will do, where the hold may shrink to what there is. */
  at_least?: Amount;
  expires_at: number | null;
}

export interface SettleEntry {
  kind: 'settle';
  id: string;
  account_id: string;
  cost: Amount;
  /** For a price the vendor reported, and for audio, whose length is known only afterwards. */
  may_exceed?: boolean;
  /** What was held for it in memory; then there is no hold among the rows. */
  reserved?: Pick<Reserved, 'key_id' | 'amount' | 'created_at'>;
}

export interface ReleaseEntry {
  kind: 'release';
  id: string;
  account_id: string;
  /** Set by the sweeper: a hold that was not due yet stays. */
  only_if_due_at?: number;
}

export interface TopupEntry {
  kind: 'topup' | 'adjust';
  id: string;
  account_id: string;
  amount: number;
  reason: string;
}

export interface RefundEntry {
  kind: 'refund';
  id: string;
  account_id: string;
  /** The hold whose settled cost is given back, all of it or a part. */
  hold_id: string;
  amount: number;
  reason: string;
}

export type Entry = HoldEntry | SettleEntry | ReleaseEntry | TopupEntry | RefundEntry;
