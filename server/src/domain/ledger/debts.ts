// How far an account may be below 0: only a charge above its hold can take it there.

export interface DebtMovement {
  account_id: string;
  /** What the account has, without what rows hold; the same in all its movements. */
  free: number;
  /** Null for an account that has no movement to explain anything. */
  kind: string | null;
  amount: number;
  /** What a settle took above its hold. */
  excess: number;
  created_at: number;
}

export interface Debt {
  account_id: string;
  free: number;
  /** The most that charges above their holds, less what was paid in since, can have taken. */
  explained: number;
}

/** Gateways have clocks of their own: what was paid in may have come before what seems earlier. */
const clock_difference_ms = 60_000;

/**
 * A hold never takes more than there is, so a balance falls below 0 by what is charged above a
 * hold, and money that is paid in makes up for that first.
 */
export function explainedDebts(movements: readonly DebtMovement[]): Debt[] {
  const accounts = new Map<string, DebtMovement[]>();
  for (const one of movements) {
    const known = accounts.get(one.account_id);
    if (known) known.push(one);
    else accounts.set(one.account_id, [one]);
  }
  return [...accounts].map(([account_id, own]) => ({
    account_id,
    free: own[0]?.free ?? 0,
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
  return kind === 'settle' ? created_at : created_at - clock_difference_ms;
}
