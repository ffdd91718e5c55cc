// What one request may hold or cost: whole micro-USD from 0 to a ceiling. Only this file makes the
// type, so a figure that a caller or a vendor wrote cannot reach the ledger without being checked.
declare const checked: unique symbol;
export type Amount = number & { readonly [checked]: 'micro-USD' };

/** No deployment may set a higher ceiling; the store's constraints use the same figure. */
export const highestCeiling = 10_000_000_000 as Amount;
export const zeroAmount = 0 as Amount;
/** The most that an operator may move at once, up or down: 1,000,000 USD. */
export const largestMovement = 1_000_000_000_000;

/** Undefined for everything that is not an amount: negative, fractional, not a number, too much. */
export function toAmount(value: unknown, ceiling: Amount = highestCeiling): Amount | undefined {
  const isAmount =
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= ceiling;
  return isAmount ? (value as Amount) : undefined;
}

/** For places that must never see anything else; `what` names the figure in the error. */
export function assertAmount(value: unknown, what: string): Amount {
  const amount = toAmount(value);
  if (amount === undefined) throw new Error(`${what} is not whole micro-USD: ${String(value)}`);
  return amount;
}

/** What an operator moves may be negative, and is whole and bounded all the same. */
export function assertMovement(value: unknown, what: string): number {
  if (Number.isSafeInteger(value) && Math.abs(Number(value)) <= largestMovement) {
    return Number(value);
  }
  throw new Error(`${what} is not whole micro-USD: ${String(value)}`);
}

export function lesserOf(one: Amount, other: Amount): Amount {
  return one < other ? one : other;
}

export function greatestOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), zeroAmount);
}

/** Cut at the ceiling: a sum of amounts is an amount again. */
export function sumUpTo(ceiling: Amount, amounts: readonly Amount[]): Amount {
  const sum = amounts.reduce<number>((total, amount) => total + amount, 0);
  return toAmount(sum, ceiling) ?? ceiling;
}
