// Money is whole micro-USD internally; dollars and credits appear only in the API.
import type { Usage } from '@trivium/contract';

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

/** Reads a decimal text with at most six decimals, without rounding. */
export function readUsd(text: string): number {
  const [dollars = '', decimals = ''] = text.split('.');
  return Number(dollars) * microUsdPerUsd + Number(decimals.padEnd(6, '0'));
}

/** For an amount that is known to have at most six decimals. */
export function exactMicroUsd(dollars: number): number {
  return Math.round(dollars * microUsdPerUsd);
}
