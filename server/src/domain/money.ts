// Money is integer micro-USD inside; dollars and credits are made only at the edge.
import type { Usage } from '@trivium/contract';

/** One credit is a tenth of a cent. */
export const micro_usd_per_credit = 1000;
export const micro_usd_per_usd = 1_000_000;

export function usageOf(cost_micro_usd: number): Usage {
  return {
    cost_usd: cost_micro_usd / micro_usd_per_usd,
    credits: cost_micro_usd / micro_usd_per_credit,
  };
}

export function usd(micro_usd: number): number {
  return micro_usd / micro_usd_per_usd;
}

/** A dollar figure as whole micro-USD; what is finer than that is rounded up, never given away. */
export function microUsd(dollars: number): number {
  return Math.ceil(Math.round(dollars * micro_usd_per_usd * 1000) / 1000);
}

/** An amount as written, with at most six decimals, as whole micro-USD and without rounding. */
export function readUsd(text: string): number {
  const [dollars = '', decimals = ''] = text.split('.');
  return Number(dollars) * micro_usd_per_usd + Number(decimals.padEnd(6, '0'));
}

/** An amount that is known to have at most six decimals. */
export function exactMicroUsd(dollars: number): number {
  return Math.round(dollars * micro_usd_per_usd);
}
