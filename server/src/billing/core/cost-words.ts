// How a refusal names what a request may cost. The length of a recording may be unknown: the price
// of the longest one then counts, and the caller reads what to do about it.
import { usd } from './amount.ts';

/** In micro-USD. */
export interface AskedCost {
  /** What is held. */
  hold: number;
  /** The most that it can cost: limits are compared with it. */
  worst: number;
  /** The longest recording, where the length of this one is not known. */
  longestMinutes?: number;
}

export function mayCost({ worst, longestMinutes }: AskedCost): string {
  const what =
    longestMinutes === undefined
      ? 'this request'
      : `a recording of up to ${longestMinutes} minutes`;
  return `${what} may cost ${usd(worst)} USD`;
}

/** What to do: `others` suits every request. */
export function advice({ longestMinutes }: AskedCost, others: string): string {
  if (longestMinutes === undefined) return others;
  const known = 'Upload the recording, so that its real length counts, or have the longest length';
  return `${known} lowered. Otherwise: ${others.charAt(0).toLowerCase()}${others.slice(1)}`;
}
