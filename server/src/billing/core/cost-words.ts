// How a refusal describes what a request may cost. If the length of a recording is unknown, the
// price of the longest one counts, and the message tells the caller what to do about it.
import { usd } from './amount.ts';

/** In micro-USD. */
export interface AskedCost {
  /** The amount to hold. */
  hold: number;
  /** The most that the request can cost. Limits are compared with it. */
  worst: number;
  /** The longest allowed recording, if the length of this one is unknown. */
  longestMinutes?: number;
}

export function mayCost({ worst, longestMinutes }: AskedCost): string {
  const what =
    longestMinutes === undefined
      ? 'this request'
      : `a recording of up to ${longestMinutes} minutes`;
  return `${what} may cost ${usd(worst)} USD`;
}

/** What the caller can do. `others` applies to every request. */
export function advice({ longestMinutes }: AskedCost, others: string): string {
  if (longestMinutes === undefined) return others;
  const known = 'Upload the recording, so that its real length counts, or have the longest length';
  return `${known} lowered. Otherwise: ${others.charAt(0).toLowerCase()}${others.slice(1)}`;
}
