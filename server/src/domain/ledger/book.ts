// The page of the ledger that one batch works on: what was read under lock, what it changes.
import type { Amount } from '../amount.ts';
import type { Pace } from './pace.ts';

export interface AccountState {
  posted: number;
  held: number;
}

/** Money set aside. It is gone once it is closed; its settle, if there was one, bears its id. */
export interface HoldState {
  id: string;
  account_id: string;
  key_id: string | null;
  amount: Amount;
  created_at: number;
  /** Null for a hold that only its job may close. */
  expires_at: number | null;
  /** Counts towards what its key holds; for a key without a cap nobody asks. */
  counted: boolean;
}

export const transfer_kinds = ['topup', 'settle', 'refund', 'adjust'] as const;
export type TransferKind = (typeof transfer_kinds)[number];

export interface Transfer {
  id: string;
  kind: TransferKind;
  account_id: string;
  /** What it adds to the balance; negative for a settle. */
  amount: number;
  hold_id: string | null;
  key_id: string | null;
  reason: string | null;
  created_at: number;
  /** On a settle: what was set aside for it. */
  held?: number | null;
}

/** What a key with a cap has spent or holds. */
export interface KeyState {
  daily_cap: number | null;
  monthly_cap: number | null;
  today: number;
  this_month: number;
}

export interface KeyDay {
  key_id: string;
  day: number;
  spent: number;
  held: number;
}

/** An Idempotency-Key in use. Past `expires_at` it is as if it had never been. */
export interface ClaimState {
  account_id: string;
  key: string;
  body_hash: string;
  /** The request that holds it. */
  owner: string;
  state: 'running' | 'done';
  status: number | null;
  /** The stored answer; null while running, and for one too large to be kept. */
  answer: string | null;
  expires_at: number;
}

export interface Book {
  now: number;
  accounts: Map<string, AccountState>;
  /** What requests hold in memory, by account: no row tells of it, and it is not free. */
  reserved: Map<string, number>;
  holds: Map<string, HoldState>;
  transfers: Map<string, Transfer>;
  /** What was given back of a settled hold so far. */
  refunded: Map<string, number>;
  /** Only keys that have a cap. */
  keys: Map<string, KeyState>;
  /** By account and key, see `claimPlace`. */
  claims: Map<string, ClaimState>;
  /** Undefined where keys may ask as often as they like. */
  pace: Pace | undefined;
  changes: Changes;
}

export interface Changes {
  /** Differences, not sums. */
  accounts: Map<string, AccountState>;
  opened: Set<HoldState>;
  closed: Set<HoldState>;
  transfers: Transfer[];
  /** Differences, by key and day. */
  key_days: Map<string, KeyDay>;
  claims: Set<ClaimState>;
}

export function openBook(now: number, pace?: Pace): Book {
  return {
    now,
    accounts: new Map(),
    reserved: new Map(),
    holds: new Map(),
    transfers: new Map(),
    refunded: new Map(),
    keys: new Map(),
    claims: new Map(),
    pace,
    changes: {
      accounts: new Map(),
      opened: new Set(),
      closed: new Set(),
      transfers: [],
      key_days: new Map(),
      claims: new Set(),
    },
  };
}

const day_ms = 86_400_000;
const hour_ms = 3_600_000;

/** Days since 1970, in UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / day_ms);
}

export function hourOf(at: number): number {
  return Math.floor(at / hour_ms);
}

export function dayOfHour(hour: number): number {
  return Math.floor(hour / 24);
}

export function firstDayOfMonth(at: number): number {
  const date = new Date(at);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}

/** What may still be set aside. */
export function freeOf(book: Book, account_id: string): number {
  const { posted, held } = book.accounts.get(account_id) ?? { posted: 0, held: 0 };
  return posted - held - (book.reserved.get(account_id) ?? 0);
}

/** What was reserved in memory is no longer: it is paid for. */
export function unreserve(book: Book, account_id: string, amount: number): void {
  book.reserved.set(account_id, (book.reserved.get(account_id) ?? 0) - amount);
}

/** Moves an account by differences, in the book and among its changes. */
export function changeAccount(book: Book, id: string, posted: number, held: number): void {
  const account = book.accounts.get(id);
  if (!account) throw new Error(`account ${id} is not in the book`);
  account.posted += posted;
  account.held += held;
  const change = book.changes.accounts.get(id) ?? { posted: 0, held: 0 };
  book.changes.accounts.set(id, { posted: change.posted + posted, held: change.held + held });
}

/** Counts money of a hold towards its key, on the day the hold was made. */
export function changeKey(
  book: Book,
  hold: Pick<HoldState, 'key_id' | 'created_at'>,
  spent: number,
  held: number,
): void {
  if (hold.key_id === null) return;
  const day = dayOf(hold.created_at);
  const place = `${day} ${hold.key_id}`;
  const change = book.changes.key_days.get(place);
  book.changes.key_days.set(place, {
    key_id: hold.key_id,
    day,
    spent: (change?.spent ?? 0) + spent,
    held: (change?.held ?? 0) + held,
  });
  const key = book.keys.get(hold.key_id);
  if (!key) return;
  if (day === dayOf(book.now)) key.today += spent + held;
  if (day >= firstDayOfMonth(book.now)) key.this_month += spent + held;
}

export function openHold(book: Book, hold: HoldState): void {
  book.holds.set(hold.id, hold);
  book.changes.opened.add(hold);
}

export function closeHold(book: Book, hold: HoldState): void {
  book.holds.delete(hold.id);
  // One that this batch opened was never written.
  if (!book.changes.opened.delete(hold)) book.changes.closed.add(hold);
}
