// What the audit computes: how far an account may be below 0, and whether the balances and holds
// that a gateway keeps in memory are right. Only a charge above its hold can cause a debt.
import type { AccountState } from './book.ts';
import type { KnownAccount } from './reservations.ts';

export interface DebtMovement {
  account_id: string;
  /** The balance less the holds in the store. The same in all movements of the account. */
  free: number;
  /** Null for an account without movements. */
  kind: string | null;
  amount: number;
  /** How much a settle exceeds its hold. */
  excess: number;
  created_at: number;
}

/** Clocks of gateways differ, so a payment may have come before a charge that looks earlier. */
const clockDifferenceMs = 60_000;

/** A balance falls below 0 by what is charged above a hold. A payment reduces that debt first. */
export function explainedDebts(movements: readonly DebtMovement[]) {
  const accounts = Map.groupBy(movements, ({ account_id }) => account_id);
  return [...accounts].map(([accountId, own]) => ({
    account_id: accountId,
    free: own[0]?.free ?? 0,
    /** The largest debt that charges above their holds can have caused, less later payments. */
    explained: explain(own),
  }));
}

function explain(movements: readonly DebtMovement[]): number {
  const ordered = movements.toSorted((one, other) => timeOf(one) - timeOf(other));
  return ordered.reduce((debt, { kind, amount, excess }) => {
    if (kind === 'settle') return debt + Math.max(0, excess);
    return Math.max(0, debt - Math.max(0, amount));
  }, 0);
}

function timeOf({ kind, created_at }: DebtMovement): number {
  return kind === 'settle' ? created_at : created_at - clockDifferenceMs;
}

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** One line for each fault that can be found without the store. */
export function faultsWithin(id: string, known: KnownAccount): string[] {
  const { free = 0, reserved, counted, pending } = known;
  const rules: readonly [boolean, string, number][] = [
    [isAmount(reserved), 'The reserved sum in memory is an amount', reserved],
    [isAmount(counted), 'Each hold in memory is an amount', counted],
    [isAmount(pending), 'The pending sum in memory is an amount', pending],
    [Number.isSafeInteger(free), 'The available amount in memory is a whole number', free],
    [
      Object.is(reserved, counted),
      `The reserved sum is the sum of the holds, ${counted} micro-USD`,
      reserved,
    ],
  ];
  return rules.flatMap(([holds, rule, found]) =>
    holds ? [] : [`${rule}: account ${id}, found ${found} micro-USD.`],
  );
}

/** Undefined if memory agrees with the store, or does not know the available amount. */
export function faultBetween(
  id: string,
  known: KnownAccount | undefined,
  { posted, held }: AccountState,
  rule = 'The available amount in memory equals the one in the store',
): string | undefined {
  const free = known?.free;
  if (free === undefined || free === posted - held) return undefined;
  return `${rule}: account ${id}, found ${free}, expected ${posted - held} micro-USD.`;
}
