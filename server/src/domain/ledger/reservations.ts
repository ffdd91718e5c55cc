// Money set aside in memory, for a store that belongs to this process alone: what a request holds
// ends with the process as the request does, so nothing of it has to be on disk. What the store may
// take meanwhile is counted as taken, and what is reserved here is told to the store.
import { assertAmount, assertMovement } from '../amount.ts';
import type { Amount } from '../amount.ts';
import type { Outcome } from './decide.ts';
import type { HoldEntry } from './entries.ts';

export interface Reserved {
  account_id: string;
  key_id: string | null;
  amount: Amount;
  created_at: number;
  expires_at: number;
}

export interface Reservations {
  /** Undefined when only the store can tell. */
  take: (entry: HoldEntry, now: number) => Outcome | undefined;
  /** Undefined when the account has none under this id. */
  find: (id: string, account_id: string) => Reserved | undefined;
  /** The same, once, when it is to be paid for: it does not expire then, it is only dropped. */
  settle: (id: string, account_id: string) => Reserved | undefined;
  drop: (id: string) => void;
  /** Drops what was never settled nor released. */
  expire: (now: number) => void;
  sumOf: (account_id: string) => number;
  /** The store was asked for something that may take this much; the answer ends it. */
  pend: (account_id: string, amount: number) => () => void;
  /** What is free of an account by the store's own books; undefined when that is not known. */
  learn: (account_id: string, free: number | undefined) => void;
  /** The store has so much less, as it was told. */
  spend: (account_id: string, amount: number) => void;
  /** Everything that is known, for the audit. */
  inspect: () => Map<string, KnownAccount>;
}

/** An account as memory has it. */
export interface KnownAccount {
  /** By the store's own books; undefined when that is not known. */
  free: number | undefined;
  /** The sum of its reservations, as it is kept. */
  reserved: number;
  /** The same, added up anew. */
  counted: number;
  pending: number;
}

interface Purse {
  free: number | undefined;
  reserved: number;
  pending: number;
}

/** An account that has nothing under way is read again when it comes back. */
const most_purses = 10_000;

export function makeReservations(): Reservations {
  const held = new Map<string, Reserved>();
  const purses = new Map<string, Purse>();
  const purseOf = (account_id: string): Purse => {
    const known = purses.get(account_id);
    if (known) return known;
    if (purses.size >= most_purses) forgetIdle(purses);
    const purse = { free: undefined, reserved: 0, pending: 0 };
    purses.set(account_id, purse);
    return purse;
  };
  const find = (id: string, account_id: string): Reserved | undefined => {
    const reserved = held.get(id);
    return reserved?.account_id === account_id ? reserved : undefined;
  };
  const drop = (id: string): void => {
    const reserved = held.get(id);
    if (!reserved) return;
    held.delete(id);
    purseOf(reserved.account_id).reserved -= reserved.amount;
  };
  return {
    take: ({ id, account_id, key_id, amount, expires_at }, now) => {
      const before = held.get(id);
      if (before) return { kind: 'held', amount: before.amount, again: true };
      const purse = purseOf(account_id);
      const { free = -Infinity, reserved, pending } = purse;
      assertAmount(amount, `the hold of ${id}`);
      if (expires_at === null) return undefined;
      if (free - reserved - pending < amount) return undefined;
      purse.reserved += amount;
      held.set(id, { account_id, key_id, amount, created_at: now, expires_at });
      return { kind: 'held', amount, again: false };
    },
    find,
    settle: (id, account_id) => {
      const reserved = find(id, account_id);
      if (!reserved || reserved.expires_at === Infinity) return undefined;
      held.set(id, { ...reserved, expires_at: Infinity });
      return reserved;
    },
    drop,
    expire: (now) => {
      for (const [id, { expires_at }] of held) if (expires_at <= now) drop(id);
    },
    sumOf: (account_id) => purses.get(account_id)?.reserved ?? 0,
    pend: (account_id, amount) => {
      if (assertMovement(amount, `what is pending for ${account_id}`) < 0) {
        throw new Error(`what is pending for ${account_id} is negative: ${amount}`);
      }
      const purse = purseOf(account_id);
      purse.pending += amount;
      return () => void (purse.pending -= amount);
    },
    learn: (account_id, free) => {
      purseOf(account_id).free = free;
    },
    spend: (account_id, amount) => {
      const purse = purseOf(account_id);
      if (purse.free !== undefined) purse.free -= amount;
    },
    inspect: () => inspect(purses, held),
  };
}

function inspect(
  purses: ReadonlyMap<string, Purse>,
  held: ReadonlyMap<string, Reserved>,
): Map<string, KnownAccount> {
  const known = new Map<string, KnownAccount>();
  for (const [id, purse] of purses) known.set(id, { ...purse, counted: 0 });
  for (const { account_id, amount } of held.values()) {
    const none = { free: undefined, reserved: 0, counted: 0, pending: 0 };
    const one = known.get(account_id) ?? none;
    known.set(account_id, { ...one, counted: one.counted + amount });
  }
  return known;
}

function forgetIdle(purses: Map<string, Purse>): void {
  for (const [id, { reserved, pending }] of purses) {
    if (reserved === 0 && pending === 0) purses.delete(id);
  }
}
