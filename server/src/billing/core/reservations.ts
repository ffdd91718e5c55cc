// Holds in memory, covered by money that only this process may spend: on SQLite all money of the
// account, less what the store is deciding; on PostgreSQL the allowance of the gateway. A request
// and its hold end with the process, so the hold need not be on disk.
import { boundedMap } from '../../platform/bounded-map.ts';
import { assertAmount, assertMovement } from './amount.ts';
import type { HoldEntry, LedgerOutcome, Reserved } from './entries.ts';

export type Reservations = ReturnType<typeof makeReservations>;

interface AccountBudget {
  /** The amount available in the store. Undefined if that is not known. */
  free: number | undefined;
  /** The running sum of its holds. */
  reserved: number;
  pending: number;
}

/** An account as it is known in memory. */
export interface KnownAccount extends AccountBudget {
  /** The sum of its holds, recomputed from them. */
  counted: number;
}

/** Above this many accounts, one without holds is evicted. The store is read when it returns. */
const maxBudgets = 10_000;

export function makeReservations() {
  const held = new Map<string, Reserved>();
  const budgets = boundedMap<string, AccountBudget>({
    limit: maxBudgets,
    name: 'accounts_in_memory',
    mayEvict: ({ reserved, pending }) => reserved === 0 && pending === 0,
  });
  const budgetOf = (accountId: string): AccountBudget => {
    const known = budgets.get(accountId);
    if (known) return known;
    const budget = { free: undefined, reserved: 0, pending: 0 };
    if (!budgets.put(accountId, budget)) budgets.set(accountId, budget);
    return budget;
  };
  const find = (id: string, accountId: string): Reserved | undefined => {
    const reserved = held.get(id);
    return reserved?.account_id === accountId ? reserved : undefined;
  };
  const remove = (id: string): void => {
    const reserved = held.get(id);
    if (!reserved) return;
    held.delete(id);
    budgetOf(reserved.account_id).reserved -= reserved.amount;
  };
  return {
    /** Undefined if only the store can decide. */
    hold: (
      { id, account_id, key_id, amount, expires_at, tags }: Omit<HoldEntry, 'kind'>,
      now: number,
      gatewayId?: string,
    ): LedgerOutcome | undefined => {
      const before = held.get(id);
      if (before) return { kind: 'held', amount: before.amount, again: true };
      const budget = budgetOf(account_id);
      const { free = -Infinity, reserved, pending } = budget;
      assertAmount(amount, `the hold of ${id}`);
      if (expires_at === null) return undefined;
      if (free - reserved - pending < amount) return undefined;
      budget.reserved += amount;
      const reservation: Reserved = { account_id, key_id, amount, created_at: now, expires_at };
      if (gatewayId !== undefined) reservation.gateway_id = gatewayId;
      if (tags !== undefined) reservation.tags = tags;
      held.set(id, reservation);
      return { kind: 'held', amount, again: false };
    },
    /** Undefined if the account has no hold with this id. */
    find,
    /** Like `find`, but succeeds only once. The hold no longer expires, and the caller removes it. */
    beginSettle: (id: string, accountId: string): Reserved | undefined => {
      const reserved = find(id, accountId);
      if (!reserved || reserved.expires_at === Infinity) return undefined;
      held.set(id, { ...reserved, expires_at: Infinity });
      return reserved;
    },
    remove,
    /** Removes holds that were neither settled nor released in time. */
    expire: (now: number): void => {
      for (const [id, { expires_at }] of held) if (expires_at <= now) remove(id);
    },
    sumOf: (accountId: string): number => budgets.get(accountId)?.reserved ?? 0,
    /** The store is deciding an entry that may take this much, until the result is called. */
    addPending: (accountId: string, amount: number) => {
      if (assertMovement(amount, `what is pending for ${accountId}`) < 0) {
        throw new Error(`what is pending for ${accountId} is negative: ${amount}`);
      }
      const budget = budgetOf(accountId);
      budget.pending += amount;
      return () => void (budget.pending -= amount);
    },
    /** Sets what an account has available. Undefined if that is not known. */
    setAvailable: (accountId: string, free: number | undefined): void => {
      budgetOf(accountId).free = free;
    },
    /** A deferred settlement will take this much in the store. */
    debit: (accountId: string, amount: number): void => {
      const budget = budgetOf(accountId);
      if (budget.free !== undefined) budget.free -= amount;
    },
    /** All accounts in memory, for the audit. */
    inspect: (): Map<string, KnownAccount> => {
      const known = new Map<string, KnownAccount>();
      for (const [id, budget] of budgets) known.set(id, { ...budget, counted: 0 });
      for (const { account_id, amount } of held.values()) {
        const none = { free: undefined, reserved: 0, counted: 0, pending: 0 };
        const one = known.get(account_id) ?? none;
        known.set(account_id, { ...one, counted: one.counted + amount });
      }
      return known;
    },
  };
}
