// Limits how many refused requests of an account are logged: refusals are free, and each row of the
// log takes some kilobytes.
import { minuteMs } from '@trivium/contract/durations';

/** How many rows an account has left, and when this was last updated. */
export interface LogAllowance {
  rows: number;
  at: number;
}

/** In one burst: enough to investigate a fault. */
export const maxRows = 300;
/** Added per minute. */
export const rowsPerMinute = 20;

/** Undefined if the refusal is not logged. */
export function takeRow(before: LogAllowance | undefined, now: number): LogAllowance | undefined {
  const { rows, at } = before ?? { rows: maxRows, at: now };
  const grown = (Math.max(0, now - at) / minuteMs) * rowsPerMinute;
  const left = Math.min(maxRows, rows + grown);
  return left < 1 ? undefined : { rows: left - 1, at: now };
}
