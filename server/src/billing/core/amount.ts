// Money is whole micro-USD; dollars and credits appear only in the API. Only this file makes an
// `Amount`, so no unchecked number from a caller or a vendor reaches the ledger.
import type { Usage } from '@trivium/contract';

declare const checked: unique symbol;
export type Amount = number & { readonly [checked]: 'micro-USD' };

/** The highest ceiling an operator may set; the store's constraints use the same figure. */
export const highestCeiling = 10_000_000_000 as Amount;
export const zeroAmount = 0 as Amount;
/** The most that an operator may move at once, up or down: 1,000,000 USD. */
const largestMovement = 1_000_000_000_000;

/** Undefined for a value that is negative, fractional, above the ceiling, or not a number. */
export function toAmount(value: unknown, ceiling: Amount = highestCeiling): Amount | undefined {
  const isAmount =
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= ceiling;
  return isAmount ? (value as Amount) : undefined;
}

/** Throws for anything that is not an amount. `what` names the value in the error. */
export function assertAmount(value: unknown, what: string): Amount {
  const amount = toAmount(value);
  if (amount === undefined) throw new Error(`${what} is not whole micro-USD: ${String(value)}`);
  return amount;
}

/** A movement by an operator may be negative. It must also be whole and bounded. */
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

/** One credit is a tenth of a cent. */
export const microUsdPerCredit = 1000;
export const microUsdPerUsd = 1_000_000;

export function usageOf(costMicroUsd: number): Usage {
  return {
    cost_usd: costMicroUsd / microUsdPerUsd,
    credits: costMicroUsd / microUsdPerCredit,
  };
}

export function usd(microUsdAmount: number): number {
  return microUsdAmount / microUsdPerUsd;
}

/** Dollars as whole micro-USD, rounded up. */
export function microUsd(dollars: number): number {
  return Math.ceil(Math.round(dollars * microUsdPerUsd * 1000) / 1000);
}

/** Reads a decimal text with at most six decimal places, without rounding. */
export function readUsd(text: string): number {
  const [dollars = '', decimals = ''] = text.split('.');
  return Number(dollars) * microUsdPerUsd + Number(decimals.padEnd(6, '0'));
}

/** For an amount that is known to have at most six decimal places. */
export function exactMicroUsd(dollars: number): number {
  return Math.round(dollars * microUsdPerUsd);
}
