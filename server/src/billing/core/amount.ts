// The amount that one request may hold or cost: whole micro-USD from 0 to a ceiling. Only this file
// creates the type, so no unchecked figure of a caller or a vendor reaches the ledger.
declare const checked: unique symbol;
export type Amount = number & { readonly [checked]: 'micro-USD' };

/** The highest ceiling an operator may set; the store's constraints use the same figure. */
export const highestCeiling = 10_000_000_000 as Amount;
export const zeroAmount = 0 as Amount;
/** The most that an operator may move at once, up or down: 1,000,000 USD. */
const largestMovement = 1_000_000_000_000;

/** Undefined for everything that is not an amount: negative, fractional, not a number, too much. */
export function toAmount(value: unknown, ceiling: Amount = highestCeiling): Amount | undefined {
  const isAmount =
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= ceiling;
  return isAmount ? (value as Amount) : undefined;
}

/** Throws for anything that is not an amount; `what` names the figure in the error. */
export function assertAmount(value: unknown, what: string): Amount {
  const amount = toAmount(value);
  if (amount === undefined) throw new Error(`${what} is not whole micro-USD: ${String(value)}`);
  return amount;
}

/** A movement by an operator may be negative; it is whole and bounded too. */
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
