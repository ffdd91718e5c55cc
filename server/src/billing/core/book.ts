// The part of the ledger that one batch works on: the rows read under lock, and the changes to
// write.
import {
  type ClaimEntry,
  type ClaimState,
  countRunning,
  type RateLimit,
} from '../../requests/core/index.ts';
import { type Amount, zeroAmount } from './amount.ts';

export interface AccountState {
  posted: number;
  held: number;
  /** Below this amount the balance counts as low. Absent in a change. */
  low_balance?: number;
}

/** Reserved money. A closed hold is deleted; if it was settled, the settle has the same id. */
export interface HoldState {
  id: string;
  account_id: string;
  key_id: string | null;
  amount: Amount;
  /** What its job can cost beyond this amount. Absent if nothing. */
  exposure?: Amount;
  created_at: number;
  /** Null for the hold of a job, which only that job closes. */
  expires_at: number | null;
  /** Counts towards the cap of its key; false for a key without a cap. */
  counted: boolean;
  /** The gateway that serves the request, set while the hold counts as a request in progress. */
  gateway_id?: string | null;
  /** The gateway that serves the request. If it dies, the hold is released. */
  served_by?: string | undefined;
  /** The tags of the request. The held amount counts towards their budgets. */
  tags?: string | undefined;
}

export interface Transfer {
  id: string;
  kind: 'topup' | 'settle' | 'refund' | 'adjust';
  account_id: string;
  /** Added to the balance; negative for a settle. */
  amount: number;
  hold_id: string | null;
  key_id: string | null;
  reason: string | null;
  created_at: number;
  /** On a settle: the amount of its hold. */
  held?: number | null;
  /** On a settle and its refunds: the tags of the request. */
  tags?: string | undefined;
}

/** What a key with a cap has spent and holds. */
export interface KeyState {
  daily_cap: number | null;
  monthly_cap: number | null;
  today: number;
  this_month: number;
  /** What its open jobs can cost beyond their holds. */
  exposed_today: number;
  exposed_this_month: number;
  /** Identifies the cap that was announced last, see `capMark`. */
  daily_cap_reached: string | null;
  monthly_cap_reached: string | null;
}

/** A cap that refused a request or is used up, and has to be announced. */
export interface ReachedCap {
  account_id: string;
  key_id: string;
  kind: 'daily' | 'monthly';
  cap: number;
  spent: number;
  /** The UTC day, or the first day of the month. */
  period: string;
}

/** What a tag value with a budget has spent and holds. */
export interface BudgetState extends Omit<KeyState, 'daily_cap_reached' | 'monthly_cap_reached'> {
  /** Such as `team=search`. */
  budget: string;
}

/** What the requests with a tag value have spent and hold. */
export interface TagDay {
  account_id: string;
  tag: string;
  value: string;
  day: number;
  spent: number;
  held: number;
}

export type Book = ReturnType<typeof openBook>;

/** `rateLimit` is undefined when no request of the batch is limited. */
export function openBook(now: number, rateLimit?: RateLimit) {
  return {
    now,
    accounts: new Map<string, AccountState>(),
    /** The sum of requests' holds in memory, by account. These holds have no rows. */
    reserved: new Map<string, number>(),
    holds: new Map<string, HoldState>(),
    /** What open jobs can cost beyond their holds, by account. Read for a batch with a new job. */
    exposed: new Map<string, number>(),
    /** The allowances of the accounts, see `allowanceKey`. */
    allowances: new Set<string>(),
    transfers: new Map<string, Transfer>(),
    /** The sum of refunds so far, by settled hold. */
    refunded: new Map<string, number>(),
    /** Only keys with a cap. */
    keys: new Map<string, KeyState>(),
    /** Only tag values with a budget, see `budgetKey`. */
    budgets: new Map<string, BudgetState>(),
    /** By account and key, see `claimPlace`. */
    claims: new Map<string, ClaimState>(),
    rateLimit,
    changes: {
      /** Differences, not totals. */
      accounts: new Map<string, AccountState>(),
      /** Booked amounts of allowances, see `allowanceKey`. */
      allowances: new Map<string, { account_id: string; gateway_id: string; booked: number }>(),
      opened: new Set<HoldState>(),
      closed: new Set<HoldState>(),
      transfers: new Array<Transfer>(),
      /** Differences, by key and day. */
      key_days: new Map<string, { key_id: string; day: number; spent: number; held: number }>(),
      /** Differences, by account, tag value and day. */
      tag_days: new Map<string, TagDay>(),
      claims: new Set<ClaimState>(),
      /** Accounts whose balance fell below their threshold. */
      low_accounts: new Set<string>(),
      caps_reached: new Array<ReachedCap>(),
    },
  };
}

/** The amount that may still be held. */
export function availableOf(book: Book, accountId: string): number {
  const { posted, held } = book.accounts.get(accountId) ?? { posted: 0, held: 0 };
  return posted - held - (book.reserved.get(accountId) ?? 0);
}

/** Removes a settled hold from the sum of holds in memory. */
export function unreserve(book: Book, accountId: string, amount: number): void {
  book.reserved.set(accountId, (book.reserved.get(accountId) ?? 0) - amount);
}

export function allowanceKey(accountId: string, gatewayId: string): string {
  return `${gatewayId} ${accountId}`;
}

/** Books a part of an allowance, which is then no longer held. */
export function bookAllowance(
  book: Book,
  accountId: string,
  gatewayId: string,
  amount: number,
): void {
  const key = allowanceKey(accountId, gatewayId);
  if (!book.allowances.has(key)) return;
  changeAccount(book, accountId, 0, -amount);
  const booked = (book.changes.allowances.get(key)?.booked ?? 0) + amount;
  book.changes.allowances.set(key, { account_id: accountId, gateway_id: gatewayId, booked });
}

/** Adds to the balance and the holds of an account, in the book and in its changes. */
export function changeAccount(book: Book, id: string, posted: number, held: number): void {
  const account = book.accounts.get(id);
  if (!account) throw new Error(`account ${id} is not in the book`);
  const low = account.low_balance ?? -Infinity;
  if (account.posted >= low && account.posted + posted < low) book.changes.low_accounts.add(id);
  account.posted += posted;
  account.held += held;
  const change = book.changes.accounts.get(id) ?? { posted: 0, held: 0 };
  book.changes.accounts.set(id, { posted: change.posted + posted, held: change.held + held });
}

export function openHold(book: Book, hold: HoldState): void {
  book.holds.set(hold.id, hold);
  book.changes.opened.add(hold);
}

export function closeHold(book: Book, hold: HoldState): void {
  if (typeof hold.gateway_id === 'string') countRunning(book.rateLimit, hold, -1);
  book.holds.delete(hold.id);
  // A hold opened by this batch was never written, so it need not be closed.
  if (!book.changes.opened.delete(hold)) book.changes.closed.add(hold);
}

/** A replay costs nothing, so neither the balance nor a cap can decline its hold. */
export function holdReplay(book: Book, entry: ClaimEntry): void {
  const { owner: id, account_id, key_id, expires_at, gateway_id = '', served_by } = entry;
  if (book.holds.has(id)) return;
  const hold = { id, account_id, key_id, amount: zeroAmount, created_at: book.now };
  openHold(book, { ...hold, expires_at, counted: false, gateway_id, served_by });
  countRunning(book.rateLimit, entry, 1);
}
